"""Rows of data files with their places: JSON Lines, a JSON array or object, gzip or plain."""

from __future__ import annotations

import gzip
import io
import shutil
import tempfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import IO, Any, Final, cast

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
    """Open a file for reading, unpacked where its first bytes say gzip.

    Raises
    ------
    DataError
        The file is not there or cannot be read.
    """
    try:
        stream = _seekable(path)
        is_gzip = stream.read(2) == _GZIP
        stream.seek(0)
        return cast("IO[bytes]", io.BufferedReader(_Packed(stream))) if is_gzip else stream
    except OSError as error:
        raise _unreadable(path, error) from error


class _Packed(gzip.GzipFile):
    """A packed stream that closes what it unpacks."""

    def __init__(self, stream: IO[bytes]) -> None:
        super().__init__(fileobj=stream)
        self._packed = stream

    def close(self) -> None:
        """Close both."""
        super().close()
        self._packed.close()


def _seekable(path: Path) -> IO[bytes]:
    """Open a file; what a pipe gives only once is kept in a temporary file without a name."""
    stream: IO[bytes] = path.open("rb")
    if stream.seekable():
        return stream
    kept = tempfile.TemporaryFile()  # noqa: SIM115 - closed by whom it is handed to
    with stream:
        shutil.copyfileobj(stream, kept)
    kept.seek(0)
    return cast("IO[bytes]", kept)


def unpacked(stream: IO[bytes]) -> IO[bytes]:
    """Unpack a seekable stream where its first bytes say gzip."""
    is_gzip = stream.read(2) == _GZIP
    stream.seek(0)
    return io.BufferedReader(gzip.GzipFile(fileobj=stream)) if is_gzip else stream


def numbered_lines(stream: IO[bytes], file: str) -> Iterator[tuple[int, bytes]]:
    """Go through the lines that are not blank, with their numbers from 1.

    A byte order mark before the first is passed over. Only a line feed ends a line: U+2028
    and its like may stand inside JSON text.
    """
    try:
        for number, raw in enumerate(stream, start=1):
            line = raw.removeprefix(_BOM) if number == 1 else raw
            if line and not line.isspace():
                yield number, line
    except (OSError, EOFError, zlib.error) as error:
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
        return parse_json(text, unique=True)
    except ValueError as error:
        where = f"{file}, line {line}" if line is not None else file
        raise DataError(
            f"{where}: not JSON: {error}",
            hint="the file needs one JSON object a line; a cut line is the mark of a cut file",
            file=file,
            line=line,
        ) from error


def read_rows(path: Path) -> list[Row]:
    """Read all records of a file.

    Raises
    ------
    DataError
        The file cannot be read, or some line of it is not a JSON object.
    """
    with open_data(path) as stream:
        return list(iterate_rows(stream, path.name))


def iterate_rows(stream: IO[bytes], file: str) -> Iterator[Row]:
    """Go through the records of JSON Lines, or of JSON with an array or one object.

    Lines are read as they are asked for; an array is read as a whole, and its rows have no line.
    """
    lines = numbered_lines(stream, file)
    first = next(lines, None)
    if first is None:
        return
    if first[1].lstrip()[:1] == b"[" or first[1].strip() == b"{":
        raw = b"".join((first[1], *(line for _, line in lines)))
        yield from _whole(file, decoded(raw, file))
        return
    for index, (number, raw) in enumerate(chain((first,), lines)):
        value = parsed(decoded(raw, file, number), file, number)
        yield Row(_mapping(value, file, number), file, number, index)


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
        hint="a record is an object that names its problem; lists by position are not read",
        file=file,
        line=line,
    )


def _unreadable(path: Path, error: OSError) -> DataError:
    return DataError(
        f"{path} cannot be read: {error.strerror or error}",
        hint="give the path of an existing file",
        file=str(path),
    )
