"""Special tokens that were decoded as text: where a turn ends, and headers without meaning."""

from __future__ import annotations

import re

_BAR = r"[|\uff5c]"  # some tokenizers write a full-width bar
_END_NAMES = (
    r"im_end|endoftext|eot_id|eom_id|end_of_text|end_of_turn|end|return|endofprompt|eos|eot|"
    r"end[_\u2581]of[_\u2581]sentence|end_of_sentence|END_OF_TURN_TOKEN|END_RESPONSE|"
    r"file_sep(?:arator)?|fim_\w{1,12}|user|endofblock|user_token|call"
)
_HEAD_NAMES = (
    r"im_start|assistant|begin_of_text|startoftext|python_tag|start|START_RESPONSE|"
    r"begin[_\u2581]of[_\u2581]sentence|START_OF_TURN_TOKEN|CHATBOT_TOKEN|begin_of_solution|"
    r"end_of_solution|Assistant"
)
_END = re.compile(
    rf"<{_BAR}(?:{_END_NAMES}){_BAR}>|</s>|<eos>|<end_of_turn>|<file_sep>|<fim_\w{{1,12}}>|"
    r"<empty_output>|<jupyter_\w{1,12}>|\[INST\]|<pad>",
    re.IGNORECASE,
)
_HEAD = re.compile(
    rf"<{_BAR}start_header_id{_BAR}>\s{{0,4}}\w{{0,16}}\s{{0,4}}<{_BAR}end_header_id{_BAR}>|"
    rf"<{_BAR}im_start{_BAR}>[ \t]*(?:assistant\b)?|<start_of_turn>[ \t]*(?:model\b)?|"
    rf"<{_BAR}(?:{_HEAD_NAMES}){_BAR}>|<bos>|<s>|\[/INST\]",
    re.IGNORECASE,
)
_WINDOW = 160


def _in_string(text: str, start: int, end: int) -> bool:
    """Whether a token stands in a string or code span, as far as its own line tells."""
    before = text[max(0, start - _WINDOW) : start].rpartition("\n")[2]
    after = text[end : end + _WINDOW].partition("\n")[0]
    if before[-1:] in {'"', "'", "`"} or after[:1] in {'"', "'", "`"}:
        return not before.endswith("```")
    return any(before.count(quote) % 2 and quote in after for quote in "\"'`")


def _ends_line(text: str, end: int) -> bool:
    rest = text[end : end + _WINDOW].partition("\n")[0].strip()
    return not rest or rest.startswith(("<", "["))


def end_of_turn(text: str, start: int = 0) -> int | None:
    """Where the first token stands that ends the turn and has text before it."""
    for token in _END.finditer(text, start):
        plain = token.group().startswith(("</s", "<pad", "<eos", "["))
        if _in_string(text, *token.span()):
            continue
        if plain and not _ends_line(text, token.end()):
            continue
        if _HEAD.sub("", text[start : token.start()][:4096]).strip():
            return token.start()
    return None


def without_heads(text: str) -> str:
    """Drop the tokens that open a turn, where they stand at a line's start."""
    if "<" not in text and "[" not in text:
        return text
    lines = _without_tokens(text, _HEAD, _END).split("\n")
    marks = ("<", "[")
    return "\n".join(
        _without_tokens(line, _HEAD) if line.lstrip().startswith(marks) else line for line in lines
    )


def _without_tokens(text: str, *kinds: re.Pattern[str]) -> str:
    """Drop the tokens at the start of a text."""
    position = start = 0
    while True:
        while position < len(text) and text[position].isspace():
            position += 1
        token = next(filter(None, (kind.match(text, position) for kind in kinds)), None)
        if token is None:
            return text[start:]
        position = start = token.end()
