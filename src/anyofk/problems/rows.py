"""Rows of data files with their places: JSON Lines, a JSON array or object, gzip or plain."""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from anyofk.errors import DataError
from anyofk.records import parse_json

_GZIP: Final = b"\x1f\x8b"
_BOM: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Row:
    """One record of a data file, and where it stands.

    Attributes
    ----------
    data
        What the file says.
    file
        The file's name for people.
    line
        Its line, from 1; none where the form has no lines.
    index
        Its place among the file's records, from 0.
    """

    data: dict[str, Any]
    file: str
    line: int | None = None
    index: int = 0

    @property
    def place(self) -> str:
        """Say where it stands: ``file, line 3``."""
        where = f"line {self.line}" if self.line is not None else f"record {self.index}"
        return f"{self.file}, {where}"

    @property
    def facts(self) -> dict[str, Any]:
        """Give the place as the facts of an error."""
        return {"file": self.file, "line": self.line, "index": self.index}


def open_data(path: Path) -> IO[bytes]:
    """Open a file for reading, unpacked where its first bytes say gzip, past a byte order mark.

    Raises
    ------
    DataError
        The file is not there or cannot be read.
    """
    try:
        stream = path.open("rb")
    except OSError as error:
        raise _unreadable(path, error) from error
    return unpacked(stream)


def unpacked(stream: IO[bytes]) -> IO[bytes]:
    """Unpack a seekable stream where its first bytes say gzip, and skip a byte order mark."""
    magic = stream.read(2)
    stream.seek(0)
    opened = io.BufferedReader(gzip.GzipFile(fileobj=stream)) if magic == _GZIP else stream  # type: ignore[type-var]  # GzipFile reads like a raw stream
    if opened.read(3) != _BOM:
        opened.seek(0)
    return opened


def numbered_lines(stream: IO[bytes], file: str) -> Iterator[tuple[int, bytes]]:
    """Go through the lines that are not blank, with their numbers from 1.

    Only a line feed ends a line: U+2028 and its like may stand inside JSON text.
    """
    try:
        for number, line in enumerate(stream, start=1):
            if not line.isspace():
                yield number, line
    except (OSError, EOFError, gzip.zlib.error) as error:  # type: ignore[attr-defined]  # gzip passes zlib's error on
        raise DataError(
            f"{file} cannot be read: {error}", hint="the file is cut or damaged", file=file
        ) from error


def decoded(raw: bytes, file: str, line: int | None = None) -> str:
    """Decode UTF-8 text; lone surrogates are let through, other bytes are refused."""
    try:
        return raw.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        where = f"{file}, line {line}" if line is not None else file
        raise DataError(
            f"{where}: byte {raw[error.start]:#04x} is not UTF-8",
            hint="write the file as UTF-8",
            file=file,
            line=line,
        ) from error


def parsed(text: str, file: str, line: int | None = None) -> Any:
    """Parse JSON, or say which line is broken."""
    try:
        return parse_json(text)
    except ValueError as error:
        where = f"{file}, line {line}" if line is not None else file
        raise DataError(
            f"{where}: not JSON: {error}",
            hint="the file needs one JSON object a line; a cut line is the mark of a cut file",
            file=file,
            line=line,
        ) from error


def read_rows(path: Path) -> list[Row]:
    """Read all records of a JSON Lines file, or of a JSON file with an array or one object.

    Raises
    ------
    DataError
        The file cannot be read, or some line of it is not a JSON object.
    """
    with open_data(path) as stream:
        lines = [
            (number, decoded(line, path.name, number))
            for number, line in numbered_lines(stream, path.name)
        ]
    if (lines and lines[0][1].lstrip()[:1] == "[") or _one_object(lines):
        return _whole(path.name, "".join(text for _, text in lines))
    return [
        Row(_mapping(parsed(text, path.name, number), path.name, number), path.name, number, index)
        for index, (number, text) in enumerate(lines)
    ]


def _one_object(lines: list[tuple[int, str]]) -> bool:
    """Whether a JSON object is written over several lines."""
    return len(lines) > 1 and lines[0][1].strip() in {"{", "{}"}


def _whole(file: str, text: str) -> list[Row]:
    value = parsed(text, file)
    items = value if isinstance(value, list) else [value]
    return [Row(_mapping(item, file, None), file, None, i) for i, item in enumerate(items)]


def _mapping(value: Any, file: str, line: int | None) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    where = f"{file}, line {line}" if line is not None else file
    raise DataError(
        f"{where}: a JSON object is needed, not {type(value).__name__}",
        hint='each record is an object such as {"id": "p1", "prompt": "..."}',
        file=file,
        line=line,
    )


def _unreadable(path: Path, error: OSError) -> DataError:
    return DataError(
        f"{path} cannot be read: {error.strerror or error}",
        hint="give the path of an existing file",
        file=str(path),
    )
