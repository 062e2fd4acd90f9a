"""Judging with a run behind it, as the verbs verify and demo do it."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from anyofk.cli.output import say
from anyofk.cli.progress import with_progress
from anyofk.cli.questions import question
from anyofk.exchange import CandidateSource
from anyofk.pipeline import Extractor, JudgingSettings, StoredVerification
from anyofk.problems import ProblemSet
from anyofk.reports.summary import Summary, summarise
from anyofk.store import Run, make_name, name_of, run_path, runs_folder


def judge_stored(
    source: CandidateSource, problems: ProblemSet, options: Mapping[str, Any]
) -> Summary:
    """Judge what has no verdict yet in the run of these options, and say what the run says."""
    name = options["name"] or make_name(source.name, problems.name)
    path = run_path(name, runs_folder(options["folder"]))
    try:
        return _judge(path, source, problems, options)
    except KeyboardInterrupt:
        say(f"run {name_of(path)!r} keeps what was judged: the same command goes on")
        raise


def judge_unstored(
    source: CandidateSource, problems: ProblemSet, options: Mapping[str, Any]
) -> Summary:
    """Judge everything in a run that is forgotten afterwards."""
    with tempfile.TemporaryDirectory(prefix="anyofk-") as folder:
        path = run_path("forgotten", Path(folder))
        summary = _judge(path, source, problems, {**options, "fresh": False})
    return replace(summary, run=None, path=None)


def _judge(
    path: Path, source: CandidateSource, problems: ProblemSet, options: Mapping[str, Any]
) -> Summary:
    settings = judging_settings(options)
    extractor = Extractor(options.get("reply_mode")) if source.raw else None
    with StoredVerification(
        path, source, problems, settings, fresh=options["fresh"], extractor=extractor
    ) as work:
        if work.judged_before:
            say(f"run {name_of(path)!r}: {work.judged_before} of {work.total} were judged before")
        for _ in with_progress(work, work.total, work.judged_before):
            pass
    with Run(path) as run:
        summary = summarise(run, question(options))
    return replace(summary, notes=(*problems.notes, *source.notes))


def judging_settings(options: Mapping[str, Any]) -> JudgingSettings:
    """Read how candidates are to be judged from the options of a verb."""
    return JudgingSettings(
        workers=options["workers"],
        time_limit=options["time_limit"],
        memory_mb=options["memory_mb"],
        allow_inprocess=options["allow_inprocess"],
        allow_weak=options["allow_weak"],
    )
