"""Whether a candidate that does not parse looks like a chat reply with code in it."""

from __future__ import annotations

import re
from typing import Final

from anyofk.exchange.entries import Entry
from anyofk.problems.source_code import syntax_fault
from anyofk.records import Problem

_FENCE: Final = "```"
_PROSE: Final = re.compile(r"\s*[A-Z][a-z']+,?( [a-z']+){2}")


def looks_like_chat(entry: Entry, problem: Problem) -> bool:
    """Whether text does not parse, and holds a code fence or begins like a sentence.

    Only what looks so is parsed, so that a million plain programs cost nothing.
    """
    if entry.form == "reply":
        return False
    if _FENCE not in entry.text and not _PROSE.match(entry.text):
        return False
    return bool(syntax_fault(entry.candidate(0).program(problem)))
