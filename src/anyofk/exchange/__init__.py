"""Candidates in, verdicts and counts out: the files of other tools are translated here."""

from anyofk.exchange.candidates import CandidateSource, read_candidates
from anyofk.exchange.counts import CountsFile, read_counts
from anyofk.exchange.export import (
    export,
    export_forms,
    write_counts,
    write_eval_arena,
    write_human_eval,
    write_verdicts,
)

__all__ = [
    "CandidateSource",
    "CountsFile",
    "export",
    "export_forms",
    "read_candidates",
    "read_counts",
    "write_counts",
    "write_eval_arena",
    "write_human_eval",
    "write_verdicts",
]
