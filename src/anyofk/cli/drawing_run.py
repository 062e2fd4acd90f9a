"""Drawing with a run behind it, as the verb run does it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from anyofk.cli.judging_run import judging_settings
from anyofk.cli.output import say
from anyofk.cli.progress import with_progress
from anyofk.cli.questions import question
from anyofk.drawing import Budget, Price, Sampling, read_template
from anyofk.errors import ProviderError
from anyofk.estimates import Estimate, RefusedEstimate
from anyofk.pipeline import DrawingPlan, DrawnRun, chosen_problems, problem_set
from anyofk.problems import ProblemSet
from anyofk.reports.cautions import deterministic
from anyofk.reports.drawn import DrawnCosts, drawn_costs
from anyofk.reports.rounds import success_by_round
from anyofk.reports.summary import Summary, summarise
from anyofk.store import Run, find_run, make_name, name_of, run_path, runs_folder


def draw_stored(
    options: Mapping[str, Any],
) -> tuple[Summary, DrawnCosts, dict[int, Estimate | RefusedEstimate]]:
    """Draw and judge what is missing in the run of these options, and say what the run says."""
    whole = problem_set(options["problems_source"])
    problems = chosen_problems(whole, options["where"], options["limit"])
    plan = _plan(options)
    plan.check_attempts(options["attempts"])
    folder = runs_folder(options["folder"])
    name = options["name"] or make_name(plan.model.partition(":")[2], problems.name)
    path = run_path(name, folder)
    try:
        _draw(path, problems, plan, options)
    except KeyboardInterrupt:
        say(f"run {name_of(path)!r} keeps what was drawn and judged: the same command goes on")
        raise
    with Run(path) as run:
        asked = question({**options, "missing": "refuse", "attempts": _k(options, run)})
        summary = summarise(run, asked)
        summary = replace(summary, notes=(*problems.notes, *summary.notes))
        return summary, drawn_costs(run, summary.estimates), success_by_round(run, asked)


def _draw(path: Path, problems: ProblemSet, plan: DrawingPlan, options: Mapping[str, Any]) -> None:
    with DrawnRun(
        path,
        problems,
        plan,
        judging_settings(options),
        fresh=options["fresh"],
        extend=options["extend"],
        judge_each=options["judge_each"],
        environment=os.environ,
    ) as work:
        if work.drawn_before:
            say(
                f"run {name_of(path)!r}: of {work.total} candidates, {work.drawn_before} were "
                f"drawn and {work.judged_before} judged before"
            )
        for _ in with_progress(work, work.total, work.judged_before):
            pass
        if work.failed and not work.drawn:
            raise ProviderError(
                f"nothing was drawn: {work.ended}", hint="look at --model and --server"
            )
        if work.ended:
            say(f"drawing ended with {work.drawn} of {work.total} candidates: {work.ended}")


def _k(options: Mapping[str, Any], run: Run) -> tuple[int, ...]:
    """Give the k asked for, or 1, n and the middle between them."""
    n = options["n"]
    usual = (1,) if deterministic(run) else (1, max(1, n // 2), n)
    return options["attempts"] or tuple(dict.fromkeys(usual))


def _plan(options: Mapping[str, Any]) -> DrawingPlan:
    price = Price(*options["price"]) if options["price"] else None
    budget = Budget(options["max_tokens_total"], options["max_cost"], options["max_time"], price)
    sampling = Sampling(
        temperature=options["temperature"],
        top_p=options["top_p"],
        max_tokens=options["max_tokens"],
        stop=tuple(options["stop"]),
        extra=options["extra"],
    )
    return DrawingPlan(
        model=_model(options["model"], options["folder"]),
        sampling=sampling,
        prompt=read_template(options["prompt"]),
        seed=None if options["no_seed"] else options["seed"],
        budget=budget,
        **{name: options[name] for name in _AS_GIVEN},
    )


_AS_GIVEN: Final = (
    *("n", "revision", "choices", "completions", "rounds"),
    *("server", "key_variable", "concurrency", "timeout", "tries"),
)
"""Options that a plan calls by the same names."""


def _model(given: str, folder: str | None) -> str:
    """Find the stored run that is to be replayed, where its name is given."""
    provider, _, name = given.partition(":")
    if provider != "replay" or Path(name).is_file():
        return given
    return f"replay:{find_run(name, runs_folder(folder))}"
