"""What one should be wary of in a run, one sentence each; every one is found by a query."""

from __future__ import annotations

from typing import Any, Final

from anyofk.reports.drawn_cautions import drawn_cautions
from anyofk.reports.printable import printable
from anyofk.store import Run

NEAR_THE_LIMIT: Final = 0.8
CHAT_SHARE: Final = 0.1
NAMED: Final = 5


def cautions(run: Run) -> list[str]:
    """Say what a reader of this run's numbers should know."""
    found = (
        _broken(run),
        _forgeable(run),
        _weak(run),
        _deterministic(run),
        _identical(run),
        _chat(run),
        _near_the_limit(run),
        _adapted(run),
    )
    return [*(sentence for sentence in found if sentence), *drawn_cautions(run)]


def deterministic(run: Run) -> bool:
    """Whether the candidates are no independent draws: temperature 0 and the like, or repair."""
    facts: dict[str, Any] = run.manifest.content.get("candidates", {})
    return facts.get("deterministic") is True


def rounds(run: Run) -> int:
    """Give the most answers of one conversation; 1 where candidates are plain draws."""
    return int(run.manifest.content.get("drawing", {}).get("rounds", 1))


def _deterministic(run: Run) -> str:
    if not deterministic(run):
        return ""
    if rounds(run) > 1:
        return (
            f"each candidate ends a conversation of up to {rounds(run)} rounds with feedback: "
            "k = 1 is the success within the rounds, and no other k has a meaning"
        )
    return (
        "the candidates were drawn without chance (temperature 0): their draws are not "
        "independent, so that only k = 1 has a meaning"
    )


def _identical(run: Run) -> str:
    rows = run.query(
        "SELECT count(*), sum(texts = 1) FROM (SELECT count(*) AS draws, "
        "count(DISTINCT content_id) AS texts FROM candidates GROUP BY position) WHERE draws > 1"
    )
    several, same = rows[0]
    if not several or same < several:
        return ""
    return (
        f"all draws of a problem are the same text, in each of {several} problems: they are not "
        "independent, and pass@k beyond k = 1 says nothing new"
    )


def _broken(run: Run) -> str:
    rows = run.query(
        "SELECT problem, count(*), max(message) FROM latest_verdicts "
        "WHERE outcome = 'broken' GROUP BY position ORDER BY position"
    )
    if not rows:
        return ""
    each = [f"{_text(p)} ({number}: {_text(message)})" for p, number, message in rows[:NAMED]]
    rest = f", and {len(rows) - NAMED} more" if len(rows) > NAMED else ""
    return f"not judged, in neither n nor c: {', '.join(each)}{rest}"


def _forgeable(run: Run) -> str:
    rows = run.query(
        "SELECT count(DISTINCT position), count(*) FROM latest_verdicts WHERE forgeable"
    )
    problems, verdicts = rows[0]
    if not verdicts:
        return ""
    return (
        f"{verdicts} verdicts on {problems} problems are forgeable: "
        "candidate and test shared a process"
    )


def _weak(run: Run) -> str:
    rows = run.query("SELECT DISTINCT level FROM latest_verdicts WHERE level IN ('limits', 'none')")
    names = ", ".join(level for (level,) in rows)
    return (
        f"judged at isolation level {names!r}, where candidates are not held back" if rows else ""
    )


def _chat(run: Run) -> str:
    ((looks, judged),) = run.query(
        "SELECT coalesce(sum(outcome IN ('syntax_error', 'no_code', 'missing_entry_point') AND "
        "(instr(text, CAST('```' AS BLOB)) OR substr(text, 1, 5) IN "
        "(CAST('Sure,' AS BLOB), CAST('Here ' AS BLOB), CAST('Here''' AS BLOB)))), 0), count(*) "
        "FROM latest_verdicts JOIN candidates USING (position, draw)"
    )
    if not looks or looks < CHAT_SHARE * judged:
        return ""
    return (
        f"{looks} of {judged} candidates fail and look like chat replies, not like programs: "
        "judge them again with --extract, which takes the programs out of replies"
    )


def _near_the_limit(run: Run) -> str:
    rows = run.query(
        "SELECT problem, count(*) FROM latest_verdicts WHERE outcome = 'passed' "
        "AND time_limit > 0 AND max(cpu_s, wall_s) > ? * time_limit GROUP BY position",
        NEAR_THE_LIMIT,
    )
    if not rows:
        return ""
    named = ", ".join(_text(problem) for problem, _ in rows[:NAMED])
    return (
        f"{sum(number for _, number in rows)} candidates passed above {NEAR_THE_LIMIT:.0%} of "
        f"the time limit ({named}): a slower machine may judge otherwise"
    )


def _adapted(run: Run) -> str:
    ((number,),) = run.query("SELECT count(*) FROM latest_verdicts WHERE adapter <> ''")
    return (
        f"{number} candidates were judged through an adapter of their entry point" if number else ""
    )


def _text(value: str | bytes) -> str:
    text = value.decode(errors="surrogatepass") if isinstance(value, bytes) else value
    return printable(text, most=120)
