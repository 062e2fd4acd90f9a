"""What one should be wary of in a run that was drawn here."""

from __future__ import annotations

from typing import Final

from anyofk.reports.printable import printable
from anyofk.store import Run

CUT_SHARE: Final = 0.05
NAMED: Final = 5


def drawn_cautions(run: Run) -> list[str]:
    """Say what a reader of a drawn run's numbers should know."""
    found = (_undrawn(run), _cut(run), _changed(run, "fingerprint"), _changed(run, "model"))
    return [sentence for sentence in found if sentence]


def _undrawn(run: Run) -> str:
    n = run.manifest.content.get("drawing", {}).get("n")
    if not n:
        return ""
    rows = run.query(
        "SELECT problem, ? - count(draw) FROM problems LEFT JOIN candidates USING (position) "
        "GROUP BY position HAVING count(draw) < ? ORDER BY position",
        n,
        n,
    )
    if not rows:
        return ""
    why = run.query("SELECT error FROM requests WHERE error <> '' ORDER BY request DESC LIMIT 1")
    reason = f" (last: {_text(why[0][0])})" if why else ""
    named = ", ".join(_text(problem) for problem, _ in rows[:NAMED])
    rest = f" and {len(rows) - NAMED} more" if len(rows) > NAMED else ""
    return (
        f"{sum(number for _, number in rows)} draws of {len(rows)} problems are missing, "
        f"not wrong{reason}: {named}{rest}; the same command draws them"
    )


def _cut(run: Run) -> str:
    ((cut, total),) = run.query(
        "SELECT coalesce(sum(finish_reason = 'length'), 0), count(*) FROM candidates"
    )
    if not total or cut < CUT_SHARE * total:
        return ""
    return (
        f"{cut} of {total} replies ({cut / total:.0%}) were cut at the token limit: "
        "the numbers are those of this limit"
    )


def _changed(run: Run, name: str) -> str:
    rows = run.query(
        f"SELECT DISTINCT {name} FROM requests WHERE {name} <> '' LIMIT {NAMED}"  # noqa: S608 - own words
    )
    if len(rows) < 2:  # noqa: PLR2004 - one is none too many
        return ""
    listed = ", ".join(_text(value) for (value,) in rows)
    return (
        f"the server's {name} changed while it was drawn: {listed}; the draws may be of two models"
    )


def _text(value: str | bytes) -> str:
    text = value.decode(errors="surrogatepass") if isinstance(value, bytes) else value
    return printable(text, most=200)
