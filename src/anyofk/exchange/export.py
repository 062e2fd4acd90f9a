"""Runs out, in our own form and in the forms of other tools: text, line by line."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Protocol

from anyofk.errors import DataError, UsageError
from anyofk.records import Candidate, Counts, Outcome, Verdict

_VERDICT_KEYS: Final = (
    "problem",
    "draw",
    "outcome",
    "message",
    "checks_passed",
    "checks_expected",
    "cpu_s",
    "wall_s",
    "mode",
    "level",
)


class Judged(Protocol):
    """What can be exported: a stored run, or anything that answers like one.

    Candidates and verdicts come in the same order, by problem and draw.
    """

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    def candidates(self) -> Iterable[Candidate]:
        """Go through the candidates."""
        ...

    def verdicts(self) -> Iterable[Verdict]:
        """Go through the verdicts that there are."""
        ...

    def counts(self) -> Iterable[Counts]:
        """Count each problem."""
        ...


def export(run: Judged, form: str) -> Iterator[str]:
    """Write a run in another form, as lines of text that end with a line feed.

    Parameters
    ----------
    run
        A stored run.
    form
        One of `export_forms`.

    Raises
    ------
    UsageError
        There is no such form.
    DataError
        The form has no word for something in the run.
    """
    if form not in _FORMS:
        raise UsageError(
            f"no export form called {form!r}", hint=f"forms: {', '.join(export_forms())}"
        )
    return _FORMS[form](run)


def export_forms() -> list[str]:
    """List the forms of `export`.

    Examples
    --------
    >>> export_forms()
    ['counts', 'eval-arena', 'human-eval', 'verdicts']
    """
    return sorted(_FORMS)


def write_verdicts(verdicts: Iterable[Verdict]) -> Iterator[str]:
    """Write one JSON line for each verdict, always with the same keys.

    Examples
    --------
    >>> line = next(write_verdicts([Verdict("p", 0, Outcome.PASSED)]))
    >>> line[:45]
    '{"problem": "p", "draw": 0, "outcome": "passe'
    """
    for verdict in verdicts:
        facts = verdict.to_json()
        yield _line({key: facts[key] for key in _VERDICT_KEYS})


def write_human_eval(judged: Iterable[tuple[Candidate, Verdict]]) -> Iterator[str]:
    """Write results as openai/human-eval does: ``task_id, completion, result, passed``.

    Raises
    ------
    DataError
        A candidate could not be judged, for which that form has no word.
    """
    for candidate, verdict in judged:
        yield _line(
            {
                "task_id": candidate.problem,
                "completion": candidate.text,
                "result": _human_eval_word(verdict),
                "passed": verdict.passed,
            }
        )


def write_counts(counts: Iterable[Counts]) -> Iterator[str]:
    r"""Write counts as CSV, with the columns ``broken`` and ``cluster`` where some have them.

    Examples
    --------
    >>> list(write_counts([Counts("p", 3, 1)]))
    ['problem,n,c\n', 'p,3,1\n']
    """
    rows = list(counts)
    extra = [name for name in ("broken", "cluster") if any(getattr(row, name) for row in rows)]
    columns = ["problem", "n", "c", *extra]
    yield _csv_line(columns)
    for row in rows:
        yield _csv_line([getattr(row, name) for name in columns])


def write_eval_arena(counts: Iterable[Counts], *, model: str, benchmark: str) -> Iterator[str]:
    """Write counts as eval-arena reads them.

    Raises
    ------
    DataError
        A problem has no judged candidate, or one that could not be judged: that form has no
        word for either.
    """
    for row in counts:
        if row.broken or not row.n:
            raise _no_word(row.problem, "a candidate that was not judged" if row.n else "n = 0")
        yield _line(
            {
                "benchmark_id": benchmark,
                "model": model,
                "example_id": row.problem,
                "pass1": row.c / row.n,
                "correct": row.c,
                "count": row.n,
            }
        )


def _judged(run: Judged) -> Iterator[tuple[Candidate, Verdict]]:
    """Pair each verdict with its candidate; candidates without one are passed over."""
    candidates = iter(run.candidates())
    for verdict in run.verdicts():
        place = (verdict.problem, verdict.draw)
        candidate = next((c for c in candidates if (c.problem, c.draw) == place), None)
        if candidate is None:
            raise DataError(
                f"draw {verdict.draw} of problem {verdict.problem!r} has a verdict and no text",
                hint="the run is damaged; judge the candidates again",
                problem=verdict.problem,
                draw=verdict.draw,
            )
        yield candidate, verdict


def _human_eval_word(verdict: Verdict) -> str:
    if verdict.outcome is Outcome.BROKEN:
        raise _no_word(verdict.problem, f"a broken verdict (draw {verdict.draw})")
    if verdict.passed:
        return "passed"
    if verdict.outcome is Outcome.TIMEOUT:
        return "timed out"
    return f"failed: {verdict.outcome.value}: {verdict.message}"


def _no_word(problem: str, what: str) -> DataError:
    return DataError(
        f"problem {problem!r} has {what}, for which this form has no word",
        hint="judge the rest first (the same command goes on), or export 'verdicts' or 'counts'",
        problem=problem,
    )


def _line(content: dict[str, Any]) -> str:
    # ASCII, so that lone surrogates and NUL pass every file and terminal.
    return json.dumps(content, ensure_ascii=True) + "\n"


def _csv_line(values: list[Any]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(values)
    return text.getvalue()


_FORMS: Final[dict[str, Callable[[Judged], Iterator[str]]]] = {
    "counts": lambda run: write_counts(run.counts()),
    "eval-arena": lambda run: write_eval_arena(run.counts(), model=run.name, benchmark=run.name),
    "human-eval": lambda run: write_human_eval(_judged(run)),
    "verdicts": lambda run: write_verdicts(run.verdicts()),
}
