"""Code inside something else: JSON, notebooks, tool calls, HTML and XML tags."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from typing import Any

from anyofk.extraction.blocks import Block
from anyofk.extraction.fences import scan

_KEYS = """
    code solution answer program implementation completion python source script response
    final_code final_answer content output result text cmd command
"""
_CODE_KEYS = frozenset(_KEYS.split())
_OPEN_TAG = re.compile(
    r"<pre(?:\s[^<>\n]{0,200})?>\s{0,8}<code(?:\s[^<>\n]{0,200})?>"
    r"|<(?:code|answer|solution|python|final_code|final_answer|implementation|output|response|pre|"
    r"program|execute|execute_ipython|code_block)(?:\s[^<>\n]{0,200})?>"
    r"|<(?:parameter|arg_value|argument)(?:[= ][^<>\n]{0,200})?>"
    r"|\[PYTHON\]|\[CODE\]|\\begin\{(?:code|lstlisting|verbatim|minted)\}[^\n]{0,80}",
    re.IGNORECASE,
)
_CLOSE_TAG = re.compile(
    r"</(?:code|answer|solution|python|final_code|final_answer|implementation|output|response|pre|"
    r"program|execute|execute_ipython|code_block|parameter|arg_value|argument)>"
    r"|\[/(?:PYTHON|CODE)\]|\\end\{(?:code|lstlisting|verbatim|minted)\}",
    re.IGNORECASE,
)
_JSON_START = re.compile(r"(?:^|[>\]=])[ \t]{0,8}([{\[])", re.MULTILINE)
_MOST_STARTS = 16
_MOST_LEAVES = 200
_MOST_TAGS = 64
_DEPTH = 4

_DECODER = json.JSONDecoder(strict=False)  # raw line feeds in strings are common


def _decoded(text: str, start: int) -> tuple[Any, int] | None:
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError, MemoryError):
        return None


def _lines(value: list[Any]) -> str | None:
    """A list of lines, as notebooks write sources."""
    if not value or not all(isinstance(line, str) for line in value):
        return None
    return ("" if any(line.endswith("\n") for line in value[:-1]) else "\n").join(value)


def _leaves(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Walk the strings of decoded JSON in order, each with its key."""
    waiting: list[tuple[str, Any]] = [(key, value)]
    while waiting:
        key, value = waiting.pop()
        if isinstance(value, str):
            yield key, value
        elif isinstance(value, dict):
            if value.get("cell_type", "code") == "code":
                waiting.extend(reversed([(str(k).lower(), v) for k, v in value.items()]))
        elif isinstance(value, list):
            joined = _lines(value)
            items = [joined] if joined is not None else value
            waiting.extend((key, item) for item in reversed(items))


def _from_value(value: Any, where: str, depth: int) -> list[Block]:
    leaves = [leaf for _, leaf in zip(range(_MOST_LEAVES), _leaves(value), strict=False)]
    named = [(key, text) for key, text in leaves if key in _CODE_KEYS and text.strip()]
    blocks: list[Block] = []
    for key, text in named or leaves:
        blocks.extend(_from_leaf(text, f"{where}, key {key!r}" if key else where, depth))
    if named and not any(block.parses for block in blocks):
        for _, text in leaves:
            blocks.extend(_from_leaf(text, where, depth))
    return blocks


def _from_leaf(text: str, where: str, depth: int) -> list[Block]:
    if depth and text.lstrip()[:1] in {"{", "["}:
        inner = _decoded(text, len(text) - len(text.lstrip()))
        if inner is not None and isinstance(inner[0], dict | list):
            return _from_value(inner[0], where, depth - 1)
    if "```" in text:
        return scan(text).blocks
    return [Block(text, "wrapped", where)]


def from_json(text: str, where: str) -> list[Block]:
    """Take the code out of JSON that stands alone or at the start of lines."""
    start = len(text) - len(text.lstrip())
    notebook = '"cells"' in text and '"cell_type"' in text
    place = f"a notebook cell in {where}" if notebook else f"JSON in {where}"
    if text[start : start + 1] in {'"', "{", "["}:
        whole = _decoded(text, start)
        if whole is not None and not text[whole[1] :].strip():
            return _from_value(whole[0], place, _DEPTH)
    blocks: list[Block] = []
    position = 0
    for _ in range(_MOST_STARTS):
        found = _JSON_START.search(text, position)
        if found is None:
            break
        value = _decoded(text, found.start(1))
        position = value[1] if value else found.end()
        if value and isinstance(value[0], dict | list):
            blocks.extend(_from_value(value[0], place, _DEPTH))
    return blocks


def from_tags(text: str, where: str) -> list[Block]:
    """Take the code out of HTML and XML tags, tool calls among them."""
    blocks: list[Block] = []
    position = 0
    for _ in range(_MOST_TAGS):
        opening = _OPEN_TAG.search(text, position)
        if opening is None:
            break
        closing = _CLOSE_TAG.search(text, opening.end())
        content = text[opening.end() : closing.start() if closing else len(text)]
        position = closing.end() if closing else len(text)
        if opening.group().lower().startswith("<pre"):
            content = html.unescape(content)
        name = f"{opening.group().strip()[:40]} in {where}"
        if content.lstrip()[:1] in {"{", "["}:
            blocks.extend(from_json(content, name))
        if content.strip():
            blocks.append(Block(content, "wrapped", name, closed=closing is not None))
    return blocks
