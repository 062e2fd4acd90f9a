"""The page on stored runs names every table and every column of them."""

import re
from pathlib import Path

from anyofk.records import Manifest
from anyofk.store import DrawWriter, Run

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "store.md").read_text("utf-8")


def test_every_table_and_column_is_on_the_page(tmp_path):
    with DrawWriter(tmp_path / "run.db") as writer:
        writer.begin_drawing(Manifest(), Manifest(), [])
    rows = dict(re.findall(r"^\| `(\w+)` \| [^|]*\| ([^|]*)\|$", PAGE, re.MULTILINE))
    with Run(tmp_path / "run.db") as run:
        tables = [
            name for (name,) in run.query("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        for table in tables:
            columns = {row[1] for row in run.query(f"PRAGMA table_info({table})")}
            named = set(re.findall(r"`(\w+)`", rows[table]))
            assert columns - {"id"} == named, table
