"""What a verb on counts is given: a stored run, or a file of counts or results."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click

from anyofk.errors import StoreError
from anyofk.exchange import read_counts
from anyofk.store import open_run, runs_folder
from anyofk.store.database import is_run


def open_counts(
    given: str,
    folder: str | None,
    stack: ExitStack,
    read: Callable[[Path], Any] = read_counts,
) -> Any:
    """Open a stored run by name, prefix or path, or read a file of counts.

    Runs are closed with the stack of the command.
    """
    path = Path(given)
    if path.is_file() and not is_run(path):
        return read(path)
    try:
        return stack.enter_context(open_run(given, runs_folder(folder)))
    except StoreError as error:
        if path.exists() or "fitting" in error.facts:
            raise
        hint = f"{error.hint}; a file of counts is given by its path"
        raise StoreError(f"no file and {error.message}", hint=hint, **error.facts) from error


def is_stored(given: str) -> bool:
    """Tell whether no file of counts is meant, but a stored run: its path or its name."""
    path = Path(given)
    return is_run(path) if path.is_file() else (runs_folder(None) / f"{given}.db").is_file()


def stack_of(context: click.Context) -> ExitStack:
    """Give a stack that is closed when the command ends."""
    stack: ExitStack = context.with_resource(ExitStack())
    return stack


def notes_of(opened: Any) -> list[str]:
    """Say what to know about how a file was read; a run needs nothing said."""
    return [f"{opened.name}: {note}" for note in getattr(opened, "notes", ())]
