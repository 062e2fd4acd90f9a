"""Text in columns: what UTF-8 can say stays TEXT, what it cannot (lone surrogates) is a BLOB."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from anyofk.records import Candidate, Outcome, Verdict, from_plain

CANDIDATE_COLUMNS = ("draw", "form", "text", "content_id", "finish_reason", "settings")
ANSWER_COLUMNS = (*CANDIDATE_COLUMNS, "extraction", "adapter")
"""The columns of the view ``answers``: candidates with what their extraction said."""
VERDICT_COLUMNS = (
    "draw",
    "outcome",
    "message",
    "checks_passed",
    "checks_expected",
    "cpu_s",
    "wall_s",
    "peak_mb",
    "time_limit",
    "memory_mb",
    "mode",
    "level",
    "forgeable",
    "adapter",
    "test_group",
)


def to_column(text: str) -> str | bytes:
    r"""Give text that SQLite can hold: a lone surrogate makes it bytes, WTF-8 encoded.

    Examples
    --------
    >>> to_column("é"), to_column("\ud800")
    ('é', b'\xed\xa0\x80')
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return to_bytes(text)
    return text


def from_column(value: str | bytes) -> str:
    """Give back the text that `to_column` or `to_bytes` was given."""
    return value.decode(errors="surrogatepass") if isinstance(value, bytes) else value


def to_bytes(text: str) -> bytes:
    """Encode any text, lone surrogates and NUL included."""
    return text.encode(errors="surrogatepass")


def candidate_row(candidate: Candidate, settings: str) -> tuple[Any, ...]:
    """Lay a candidate out in the order of `CANDIDATE_COLUMNS`."""
    return (
        candidate.draw,
        candidate.form,
        to_bytes(candidate.text),
        candidate.content_id,
        to_column(candidate.finish_reason),
        settings,
    )


def candidate_of(problem: str, row: Sequence[Any]) -> Candidate:
    """Read a candidate from a row of `ANSWER_COLUMNS`."""
    draw, form, text, _, finish_reason, written, extraction, adapter = row
    settings: dict[str, Any] = from_plain(json.loads(written))
    return Candidate(
        problem,
        draw,
        from_column(text),
        form,
        from_column(finish_reason),
        settings,
        extraction,
        from_column(adapter),
    )


def verdict_row(verdict: Verdict) -> tuple[Any, ...]:
    """Lay a verdict out in the order of `VERDICT_COLUMNS`."""
    return (
        verdict.draw,
        verdict.outcome.value,
        to_column(verdict.message),
        verdict.checks_passed,
        verdict.checks_expected,
        verdict.cpu_s,
        verdict.wall_s,
        verdict.peak_mb,
        verdict.time_limit,
        verdict.memory_mb,
        verdict.mode,
        verdict.level,
        int(verdict.forgeable),
        to_column(verdict.adapter),
        to_column(verdict.group),
    )


def verdict_of(problem: str, row: Sequence[Any]) -> Verdict:
    """Read a verdict from a row of `VERDICT_COLUMNS`."""
    values = dict(zip(VERDICT_COLUMNS, row, strict=True))
    texts = {name: from_column(values[name]) for name in ("message", "adapter")}
    group = from_column(values.pop("test_group"))
    known = {"outcome": Outcome(values["outcome"]), "forgeable": bool(values["forgeable"])}
    return Verdict(problem, **{**values, **known, **texts, "group": group})
