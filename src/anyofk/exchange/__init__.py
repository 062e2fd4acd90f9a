"""Candidates in, verdicts and counts out: the files of other tools are translated here."""

from anyofk.exchange.candidates import CandidateSource, read_candidates

__all__ = ["CandidateSource", "read_candidates"]
