"""What a run says: outcomes, counts, estimates with their intervals, and what to be wary of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from anyofk.estimates import Estimate, RefusedEstimate, Target, estimate_or_refuse
from anyofk.records import Counts, Manifest, Outcome
from anyofk.reports.cautions import cautions, deterministic, rounds
from anyofk.store import Run

Missing = Literal["refuse", "fail"]
USUAL_K = (1, 5, 10, 100)


@dataclass(frozen=True, kw_only=True)
class Summary:
    """A run in numbers.

    Attributes
    ----------
    run, path
        Its name and file; none where it was not kept.
    level, modes
        The isolation that the sandbox held, and how many candidates each mode judged.
    counts, outcomes
        Of each problem.
    estimates
        Of each k: an estimate, or why there is none.
    warnings
        What one should know before quoting a number.
    notes
        How problems and candidates were read.
    synthetic
        Whether the candidates were made for show, and no model drew them.
    deterministic
        Whether they are no independent draws (temperature 0, or rounds of repair), so that
        only k = 1 has a meaning.
    single
        What the estimate for k = 1 is: pass@1, greedy accuracy, or success in so many rounds.
    """

    run: str | None
    path: str | None
    problem_set: str
    level: str
    modes: Mapping[str, int]
    counts: Sequence[Counts]
    outcomes: Mapping[str, Counter[Outcome]]
    estimates: Mapping[int, Estimate | RefusedEstimate]
    warnings: Sequence[str] = ()
    notes: Sequence[str] = ()
    synthetic: bool = False
    deterministic: bool = False
    single: str = "pass@1"
    manifest_id: str = ""

    @property
    def refused(self) -> list[RefusedEstimate]:
        """The estimates that do not exist."""
        return [e for e in self.estimates.values() if isinstance(e, RefusedEstimate)]

    @property
    def exit_code(self) -> int:
        """0 if every estimate asked for exists, else what the worst refusal says."""
        return max((refusal.error.exit_code for refusal in self.refused), default=0)

    def to_json(self) -> dict[str, Any]:
        """Write as plain data."""
        return {
            "run": self.run,
            "path": self.path,
            "manifest": self.manifest_id,
            "problem_set": self.problem_set,
            "level": self.level,
            "modes": dict(self.modes),
            "synthetic": self.synthetic,
            "deterministic": self.deterministic,
            "single": self.single,
            "problems": {c.problem: self._problem_json(c) for c in self.counts},
            "estimates": {str(k): estimate.to_json() for k, estimate in self.estimates.items()},
            "warnings": list(self.warnings),
            "notes": list(self.notes),
        }

    def _problem_json(self, counts: Counts) -> dict[str, Any]:
        outcomes = self.outcomes.get(counts.problem, Counter())
        listed = {outcome.value: outcomes[outcome] for outcome in Outcome if outcomes[outcome]}
        return {"n": counts.n, "c": counts.c, "broken": counts.broken, "outcomes": listed}


@dataclass(frozen=True)
class Question:
    """What a user wants to know of a run.

    ``k`` empty asks for the usual ones that every problem's n allows. ``missing`` says what
    becomes of problems without candidates: no estimate, or counted as failed.
    """

    k: tuple[int, ...] = ()
    target: Target = "population"
    level: float = 0.95
    interval: str = "auto"
    missing: Missing = "refuse"


def summarise(run: Run, question: Question) -> Summary:
    """Answer a question about a run."""
    counts, manifest = run.counts(), run.manifest
    used, notes = _with_missing(counts, question.missing)
    estimates = _estimates(run, used, question)
    said = [w for e in estimates.values() if isinstance(e, Estimate) for w in e.warnings]
    return Summary(
        run=run.name,
        path=str(run.path),
        problem_set=str(manifest.content.get("problems", {}).get("name", "")),
        level=_level(run),
        modes=_modes(run),
        counts=counts,
        outcomes=run.outcomes(),
        estimates=estimates,
        warnings=list(dict.fromkeys([*notes, *cautions(run), *said])),
        synthetic=_synthetic(manifest),
        deterministic=deterministic(run),
        single=_single(run),
        manifest_id=manifest.content_id,
    )


def _estimates(
    run: Run, counts: Sequence[Counts], question: Question
) -> dict[int, Estimate | RefusedEstimate]:
    """Estimate pass@k for each k asked for; pass@1 stands beside any other."""
    identical = deterministic(run)
    usual = (1,) if identical else usual_k(counts)
    return estimate_or_refuse(
        counts,
        dict.fromkeys((1, *(question.k or usual))),
        target=question.target,
        level=question.level,
        interval=question.interval,
        identical_draws=identical,
    )


def _single(run: Run) -> str:
    if rounds(run) > 1:
        return f"success in {rounds(run)} rounds"
    return "greedy accuracy" if deterministic(run) else "pass@1"


def _synthetic(manifest: Manifest) -> bool:
    """Whether the candidates say of themselves that no model drew them."""
    settings: Any = manifest.content.get("candidates", {}).get("settings", {})
    return isinstance(settings, dict) and settings.get("source") == "synthetic"


def _modes(run: Run) -> dict[str, int]:
    rows = run.query("SELECT mode, count(*) FROM latest_verdicts GROUP BY mode ORDER BY mode")
    return dict(rows)


def _level(run: Run) -> str:
    rows = run.query("SELECT DISTINCT level FROM latest_verdicts ORDER BY level")
    return ", ".join(level for (level,) in rows)


def usual_k(counts: Sequence[Counts]) -> tuple[int, ...]:
    """Give the usual k that every problem's n allows, 1 always among them.

    Examples
    --------
    >>> usual_k([Counts("a", 20, 3), Counts("b", 12, 0)])
    (1, 5, 10)
    """
    least = min((c.n + c.broken for c in counts if c.n + c.broken), default=1)
    return tuple(k for k in USUAL_K if k <= max(1, least))


def _with_missing(counts: Sequence[Counts], missing: Missing) -> tuple[list[Counts], list[str]]:
    """Count problems without candidates as failed, where that was asked for, and say so."""
    absent = [c.problem for c in counts if not (c.n or c.broken)]
    present = [c.n for c in counts if c.n]
    if missing == "refuse" or not absent or not present:
        return list(counts), []
    n = min(present)
    filled = [c if c.n or c.broken else replace(c, n=n) for c in counts]
    return filled, [f"{len(absent)} of {len(counts)} problems have no candidate: counted as failed"]
