"""Blocks: the pieces of a reply that may be code, with where they stood."""

from __future__ import annotations

from functools import cached_property

from anyofk.extraction.parsing import Source
from anyofk.extraction.readings import readings

_PYTHON = """
    python py python3 py3 pycon ipython ipython3 python2 python3.8 python3.9 python3.10 python3.11
    python3.12 python3.13 python3.14 pyi sage tool_code
"""
_OTHER = """
    bash sh shell zsh console terminal powershell ps1 bat cmd javascript js jsx typescript ts tsx
    java kotlin scala c c++ cpp cc h hpp cs csharp c# go golang rust rs ruby rb php perl lua r
    julia haskell hs ocaml swift dart sql html xml css scss yaml yml toml ini dockerfile makefile
    text txt plaintext plain output log latex tex math mermaid csv pseudocode pseudo algorithm
    lean lean4 coq rocq objective-c matlab elixir clojure lisp scheme fortran asm nasm diagram
    stdin stdout input stderr traceback error
"""
PYTHON = frozenset(_PYTHON.split())
OTHER = frozenset(_OTHER.split())
DATA = frozenset(["json", "jsonc", "json5", "jsonl", "ipynb", "tool_call", "tool_calls"])
MARKDOWN = frozenset(["markdown", "md", "mdx"])


class Block:
    """One piece of a reply that may be code.

    ``kind`` is ``python``, ``untagged``, ``wrapped`` (JSON, tags, tool calls), ``other``
    (another language) or ``bare`` (no fence). ``closed`` says whether its end is marked,
    and ``loose`` whether prose may have got into its end.
    """

    def __init__(
        self, text: str, kind: str, where: str, *, closed: bool = True, loose: bool = False
    ) -> None:
        self.raw = text
        self.kind = kind
        self.where = where
        self.closed = closed
        self.loose = loose or not closed

    @cached_property
    def _read(self) -> tuple[Source, tuple[str, ...]]:
        plain = Source(self.raw)
        if plain.tree is not None or not plain.text:
            return plain, ()
        for text, note in readings(self.raw, cell="cell" in self.where):
            other = Source(text)
            if other.tree is not None:
                return other, (note,)
        return plain, ()

    @property
    def source(self) -> Source:
        """The block as a program, in the first reading that parses, else as it stands."""
        return self._read[0]

    @property
    def notes(self) -> tuple[str, ...]:
        """What was done to read it."""
        return self._read[1]

    @property
    def parses(self) -> bool:
        """Whether it is a program, empty ones apart."""
        return bool(self.source.statements)


def kind_of_tag(tag: str) -> str:
    """The kind of a block whose fence has this language tag."""
    if tag in PYTHON:
        return "python"
    if tag in DATA:
        return "wrapped"
    return "other" if tag in OTHER else "untagged"
