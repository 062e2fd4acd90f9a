"""Take the reasoning out of a reply: code inside it is never the answer."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

_NAME = (
    r"(?:[a-z]{1,12}[:_])?"
    r"(?:think(?:ing)?|thoughts?|reason(?:ing)?|reflection|scratchpad|analysis|inner_monologue)"
)
# One family a line: opening, closing. Names are bounded, so that no search is quadratic.
_FAMILIES: tuple[tuple[str, str], ...] = (
    (rf"<{_NAME}(?:\s[^<>\n]{{0,200}})?>", rf"</{_NAME}>"),
    (r"<antthinking>", r"</antthinking>"),
    (r"\[(?:think|thinking|reasoning)\]", r"\[/(?:think|thinking|reasoning)\]"),
    (r"◁think▷", r"◁/think▷"),
    (r"<\|(?:thinking|think|reasoning)\|>", r"<\|/(?:thinking|think|reasoning)\|>"),
    (r"<\|(?:begin|start)_of_(?:thought|thinking)\|>", r"<\|end_of_(?:thought|thinking)\|>"),
    (r"<\|start_thinking\|>", r"<\|end_thinking\|>"),
    (r"<\|inner_prefix\|>", r"<\|inner_suffix\|>"),
    (r"<unused94>", r"<unused95>"),
    (r"<details[^<>\n]{0,80}type=\"?reasoning\"?[^<>\n]{0,80}>", r"</details>"),
)
_OPENS = re.compile("|".join(f"(?P<o{i}>{o})" for i, (o, _) in enumerate(_FAMILIES)), re.IGNORECASE)
_CLOSES = re.compile(
    "|".join(f"(?P<c{i}>{c})" for i, (_, c) in enumerate(_FAMILIES)), re.IGNORECASE
)
_FENCE = re.compile(r"^[ \t]{0,12}(`{3,}|~{3,})(.*)$", re.MULTILINE)
_CHANNEL = re.compile(
    r"<\|channel\|>[ \t]*(?P<name>\w{1,32})[^<\n]{0,200}"
    r"(?:<\|constrain\|>[^<\n]{0,80})?<\|message\|>"
)
_AFTER = re.compile(r"(?:^|\n|\|>|assistant)[ \t]{0,8}\Z")
_CHANNEL_END = re.compile(r"<\|(?:end|return|call|start|channel)\|>")
_TAGGED_FENCE = re.compile(r"^[ \t]{0,12}(?:`{3,}|~{3,})[ \t]{0,12}\w", re.MULTILINE)
_QUOTES = "\"'`"
_DETAILS = len(_FAMILIES) - 1  # also plain HTML, so that its closing tag alone means nothing
_MOST_PASSAGES = 64
_EDGE = 80  # how far a line's edge is looked for


@dataclass(frozen=True, slots=True)
class Answer:
    """A reply without its reasoning; ``open`` where the reasoning never ended."""

    text: str
    notes: tuple[str, ...] = ()
    open: bool = False


@dataclass(frozen=True, slots=True)
class _Tag:
    family: int
    start: int
    end: int
    line_start: bool
    line_end: bool
    quoted: bool


def _tags(pattern: re.Pattern[str], text: str) -> list[_Tag]:
    tags = []
    for match in pattern.finditer(text):
        start, end = match.span()
        family = int((match.lastgroup or "x0")[1:])
        before = text[max(0, start - _EDGE) : start].rpartition("\n")[2]
        at_start = not before.strip() and (start <= _EDGE or "\n" in text[start - _EDGE : start])
        at_end = not text[end : end + _EDGE].partition("\n")[0].strip()
        tag = _Tag(family, start, end, at_start, at_end, quoted=False)
        tags.append(replace(tag, quoted=_is_quoted(text, tag)))
    return tags


def _is_quoted(text: str, tag: _Tag) -> bool:
    """Whether a tag stands in quotes, as part of a string or of what the text is about."""
    after = text[tag.end : tag.end + 3]
    if after[:1] in _QUOTES and after and after != "```":
        return True
    return tag.start > 0 and text[tag.start - 1] in _QUOTES and not tag.line_end


def _fenced(text: str, since: int, until: int) -> bool:
    """Whether a place is inside a fence that opened after ``since``."""
    mark = ""
    for fence in _FENCE.finditer(text, since, until):
        if not mark:
            mark = fence[1]
        elif fence[1].startswith(mark) and not fence[2].strip():
            mark = ""
    return bool(mark)


def _closing(tags: list[_Tag], opening: _Tag) -> _Tag | None:
    """The tag that ends the reasoning: one that stands at a line's edge, else any."""
    after = [t for t in tags if t.family == opening.family and t.start >= opening.end]
    standing = (t for t in after if (t.line_start or t.line_end) and not t.quoted)
    return next(standing, None) or next((t for t in after if not t.quoted), None)


def _without_tags(text: str) -> Answer:
    """Cut every tagged passage, from its opening to its closing tag."""
    opens, closes = _tags(_OPENS, text), _tags(_CLOSES, text)
    kept: list[str] = []
    position = 0
    tries = 0
    for opening in opens:
        if opening.start < position or opening.quoted or tries >= _MOST_PASSAGES:
            continue
        tries += 1
        closing = _closing(closes, opening)
        if closing is None and not opening.line_start:
            continue
        if opening.start > position and _fenced(text, position, opening.start):
            continue
        kept.append(text[position : opening.start])
        if closing is None:
            return Answer("".join(kept), ("the reasoning is never closed",), open=True)
        position = closing.end
    kept.append(text[position:])
    return Answer("".join(kept), ("left out the reasoning",) if position else ())


def _after_orphan(text: str) -> Answer:
    """Cut what stands before a closing tag whose opening was part of the model's prompt."""
    tags = [t for t in _tags(_CLOSES, text) if not t.quoted and t.family != _DETAILS]
    for tag in reversed(tags[-_MOST_PASSAGES:]):
        # reasoning may leave a fence open; then the answer has a fence of its own
        answered = tag.line_start and _TAGGED_FENCE.search(text, tag.end)
        if answered or not _fenced(text, 0, tag.start):
            return Answer(text[tag.end :], ("left out the reasoning before its closing tag",))
    return Answer(text)


def _channels(text: str) -> list[re.Match[str]]:
    """Find the headers of channels; each follows another token, a role or a line's end."""
    found = _CHANNEL.finditer(text)
    return [h for h in found if _AFTER.search(text[max(0, h.start() - _EDGE) : h.start()])]


def _final_channel(text: str, headers: list[re.Match[str]]) -> Answer:
    """Keep the final channel of a reply in channels (analysis, commentary, final)."""
    final = [h for h in headers if h["name"].lower() == "final"]
    note = "kept the final channel"
    if not final:
        final = [h for h in headers if h["name"].lower() == "commentary"]
        note = "kept the commentary channel, there is no final one"
    if not final:
        return Answer("", ("the reply has no final channel",), open=True)
    start = final[-1].end()
    end = _CHANNEL_END.search(text, start)
    return Answer(text[start : end.start() if end else len(text)], (note,))


def _bare_channels(text: str) -> Answer:
    """Read channels whose markers were lost: ``analysisWe need ... assistantfinalHere is``."""
    start = text.find("assistantfinal")
    if start >= 0:
        return Answer(text[start + len("assistantfinal") :], ("kept the final channel",))
    return Answer("", ("the reply has no final channel",), open=True)


def _after_heading(text: str) -> Answer:
    """Cut the thought process that some models put under a heading of its own."""
    if text.lstrip().startswith("Here is my thought process:"):
        start = text.find("Here is my response:")
        if start >= 0:
            rest = text[start + len("Here is my response:") :]
            return Answer(rest, ("left out the reasoning",))
    return Answer(text)


def without_reasoning(text: str) -> Answer:
    """Give the answer of a reply, and whether the reasoning was still going on at its end."""
    headers = _channels(text)
    if headers:
        return _final_channel(text, headers)
    if re.match(r"\s*analysis(?=[A-Z])", text):
        return _bare_channels(text)
    answer = _without_tags(_after_heading(text).text)
    if answer.open:
        return answer
    rest = _after_orphan(answer.text)
    return Answer(rest.text, answer.notes + rest.notes)
