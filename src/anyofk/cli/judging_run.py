"""Judging with a run behind it, as the verbs verify and demo do it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from anyofk.cli.output import say
from anyofk.cli.progress import with_progress
from anyofk.cli.questions import question
from anyofk.exchange import CandidateSource
from anyofk.pipeline import JudgingSettings, StoredVerification
from anyofk.problems import ProblemSet
from anyofk.reports.summary import Summary, summarise
from anyofk.store import Run, make_name, run_path, runs_folder


@contextmanager
def run_file(options: Mapping[str, Any], *about: str) -> Iterator[Path]:
    """Give the file of the run: in the folder of runs, or one that is forgotten afterwards."""
    name = options["name"] or make_name(*about)
    if options["no_store"]:
        with tempfile.TemporaryDirectory(prefix="anyofk-") as folder:
            yield run_path(name, Path(folder))
    else:
        yield run_path(name, runs_folder(options["folder"]))


def judge_and_summarise(
    path: Path,
    source: CandidateSource,
    problems: ProblemSet,
    options: Mapping[str, Any],
    *,
    synthetic: bool = False,
) -> Summary:
    """Judge what has no verdict yet, and say what the run says."""
    settings = _settings(options)
    with StoredVerification(path, source, problems, settings, fresh=options["fresh"]) as work:
        if work.judged_before:
            say(f"run {path.stem!r}: {work.judged_before} of {work.total} were judged before")
        for _ in with_progress(work, work.total, work.judged_before):
            pass
    with Run(path) as run:
        summary = summarise(run, question(options), synthetic=synthetic)
    notes = [*problems.notes, *source.notes, *summary.warnings]
    summary = replace(summary, warnings=notes)
    return replace(summary, run=None, path=None) if options["no_store"] else summary


def _settings(options: Mapping[str, Any]) -> JudgingSettings:
    return JudgingSettings(
        workers=options["workers"],
        time_limit=options["time_limit"],
        memory_mb=options["memory_mb"],
        allow_inprocess=options["allow_inprocess"],
        allow_weak=options["allow_weak"],
    )
