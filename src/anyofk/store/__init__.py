"""Stored runs: one SQLite file each, crash-safe at any instant, readable by SQL."""

from anyofk.store.draw_writer import DrawWriter
from anyofk.store.folder import (
    delete_run,
    find_run,
    list_runs,
    make_name,
    name_of,
    open_run,
    run_path,
    runs_folder,
)
from anyofk.store.run import Run
from anyofk.store.writer import RunWriter

__all__ = [
    "DrawWriter",
    "Run",
    "RunWriter",
    "delete_run",
    "find_run",
    "list_runs",
    "make_name",
    "name_of",
    "open_run",
    "run_path",
    "runs_folder",
]
