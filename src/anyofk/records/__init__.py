"""The records that the arrows carry: frozen, plain, JSON both ways, named by content."""

from anyofk.records.candidate import Candidate, Form
from anyofk.records.canonical import canonical_json, content_id
from anyofk.records.counts import Counts
from anyofk.records.manifest import Manifest
from anyofk.records.plain import from_plain, identifier, parse_json, to_plain
from anyofk.records.problem import Call, Mode, Problem, PublicProblem, Stream, Tests
from anyofk.records.reply import Answer, Reply, Request
from anyofk.records.verdict import Outcome, Verdict

__all__ = [
    "Answer",
    "Call",
    "Candidate",
    "Counts",
    "Form",
    "Manifest",
    "Mode",
    "Outcome",
    "Problem",
    "PublicProblem",
    "Reply",
    "Request",
    "Stream",
    "Tests",
    "Verdict",
    "canonical_json",
    "content_id",
    "from_plain",
    "identifier",
    "parse_json",
    "to_plain",
]
