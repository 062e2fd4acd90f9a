"""Extraction: from a model's raw reply to the program that is judged, as a pure function."""

from anyofk.extraction.policy import EXTRACTION_VERSION, extract
from anyofk.extraction.record import REPLY_MODES, STATUSES, Extraction, ReplyMode, Status

__all__ = [
    "EXTRACTION_VERSION",
    "REPLY_MODES",
    "STATUSES",
    "Extraction",
    "ReplyMode",
    "Status",
    "extract",
]
