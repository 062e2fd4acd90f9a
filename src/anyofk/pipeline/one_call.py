"""Run: from a model to a stored run, in one call."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from anyofk.errors import UsageError
from anyofk.pipeline.drawing_plan import DrawingPlan
from anyofk.pipeline.drawn import DrawnRun
from anyofk.pipeline.judging_settings import JudgingSettings
from anyofk.pipeline.sources import problem_set
from anyofk.problems import ProblemSet
from anyofk.records import Problem
from anyofk.store import Run, make_name, run_path, runs_folder


def run(
    model: str,
    problems: str | Path | ProblemSet | Iterable[Problem],
    *,
    n: int = 10,
    store: str | Path | None = None,
    settings: JudgingSettings | None = None,
    fresh: bool = False,
    extend: bool = False,
    judge_each: bool = False,
    **plan: Any,
) -> Run:
    """Draw candidates from a model, judge each as it comes, and give the stored run.

    The same call again goes on where an earlier one ended. What could not be drawn is missing
    and never wrong: `Run.counts` has it beside the broken ones, so that `anyofk.evaluate` gives
    bounds and no number until it is there.

    Parameters
    ----------
    model
        ``provider:name``, such as ``openai:my-model``, ``local:smollm2`` or ``replay:FILE``.
    problems
        A problem set: its name, its file, or problems in memory.
    n
        Draws of each problem.
    store
        The run's file; by default its name is made from model and set, in ``./runs``.
    settings
        How candidates are judged.
    fresh, extend
        Whether to start over, and whether a stored run may grow to n.
    judge_each
        Whether equal programs are judged one by one, and not once.
    **plan
        The other fields of `anyofk.pipeline.DrawingPlan`: ``sampling``, ``prompt``, ``seed``,
        ``server``, ``budget`` and more. Keys come from the environment alone.

    Returns
    -------
    Run
        Open; close it, or use it in a ``with`` block.

    Raises
    ------
    UnlikeRunsError
        The store holds a run of something else; ``differences`` names what.
    ProviderError
        The model is not there.
    SandboxError
        No sandbox works here.
    """
    chosen = problem_set(problems)
    known = set(DrawingPlan.__dataclass_fields__) - {"model", "n"}
    if unknown := sorted(set(plan) - known):
        raise UsageError(
            f"run takes no argument {unknown[0]!r}", hint=f"of a plan: {', '.join(sorted(known))}"
        )
    drawing = DrawingPlan(model, n, **plan)
    name = make_name(model.partition(":")[2], chosen.name)
    path = Path(store) if store else run_path(name, runs_folder())
    with DrawnRun(
        path,
        chosen,
        drawing,
        settings or JudgingSettings(),
        fresh=fresh,
        extend=extend,
        judge_each=judge_each,
        environment=os.environ,
    ) as work:
        for _ in work:
            pass
    return Run(path)
