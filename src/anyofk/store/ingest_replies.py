"""Putting requests and replies into a run's file, inside the caller's transaction."""

from __future__ import annotations

import sqlite3
from typing import Final

from anyofk.records import Answer, Request, canonical_json
from anyofk.store.columns import to_bytes, to_column

_REQUEST: Final = (
    "INSERT INTO requests (position, created, asked, came, seconds, tries, prompt_tokens, "
    "completion_tokens, cost, model, fingerprint, error) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_REPLY: Final = (
    "INSERT INTO replies (position, draw, request, text, reasoning, finish_reason, seed, tokens, "
    "extraction, adapter, tree, notes, earlier) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) "
    "ON CONFLICT DO NOTHING"
)


def insert_request(
    connection: sqlite3.Connection, request: Request, position: int, created: str
) -> int:
    """Store a request; give its number."""
    row = (
        position,
        created,
        request.asked,
        request.came,
        round(request.seconds, 6),
        request.tries,
        request.prompt_tokens,
        request.completion_tokens,
        request.cost,
        to_column(request.model),
        to_column(request.fingerprint),
        to_column(request.error),
    )
    return int(connection.execute(_REQUEST, row).lastrowid or 0)


def insert_reply(
    connection: sqlite3.Connection, answer: Answer, position: int, request: int | None = None
) -> None:
    """Store a reply beside its candidate."""
    reply, candidate = answer.reply, answer.candidate
    row = (
        position,
        reply.draw,
        request,
        to_bytes(reply.text),
        to_bytes(reply.reasoning),
        to_column(reply.finish_reason),
        reply.seed,
        reply.tokens,
        candidate.extraction,
        to_column(candidate.adapter),
        answer.tree,
        to_column(answer.notes),
        canonical_json(reply.earlier),
    )
    connection.execute(_REPLY, row)
