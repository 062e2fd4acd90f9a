"""Where candidates stand: a file, a directory of programs, standard input, or memory."""

from __future__ import annotations

import hashlib
import re
import shutil
import sys
import tempfile
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final, Protocol

from anyofk.errors import CandidateFileError, DataError
from anyofk.problems.rows import Row, decoded, iterate_rows, open_data, unpacked
from anyofk.records import Candidate

_BLOCK: Final = 1 << 20


class Origin(Protocol):
    """Rows that can be gone through again and again."""

    name: str

    def rows(self) -> Iterator[Row]:
        """Go through the rows from the first."""
        ...

    def digest(self) -> str:
        """Name everything that the rows hold: ``sha256:`` and 64 digits."""
        ...


class FileOrigin:
    """A file of rows, plain or gzipped."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.name

    def rows(self) -> Iterator[Row]:
        """Go through the file's rows."""
        with candidate_faults(), open_data(self.path) as stream:
            yield from iterate_rows(stream, self.name)

    def digest(self) -> str:
        """Name the file's bytes."""
        with candidate_faults(), self.path.open("rb") as stream:
            return _digest(stream)


class StreamOrigin:
    """A stream that can be read once, kept in a temporary file that has no name."""

    def __init__(self, stream: IO[bytes], name: str = "standard input") -> None:
        self.name = name
        self._kept = tempfile.TemporaryFile()  # noqa: SIM115  # it lives as long as we
        weakref.finalize(self, self._kept.close)
        shutil.copyfileobj(stream, self._kept, _BLOCK)

    @classmethod
    def standard_input(cls) -> StreamOrigin:
        """Keep what comes on standard input."""
        if sys.stdin is None:
            raise CandidateFileError(
                "standard input is closed", hint="pipe the candidates in, or give a file"
            )
        return cls(sys.stdin.buffer)

    def rows(self) -> Iterator[Row]:
        """Go through the rows of what was kept."""
        self._kept.seek(0)
        with candidate_faults():
            yield from iterate_rows(unpacked(self._kept), self.name)

    def digest(self) -> str:
        """Name the bytes that were kept."""
        self._kept.seek(0)
        return _digest(self._kept)


class MemoryOrigin:
    """Candidates that a program made."""

    def __init__(self, candidates: Iterable[Candidate]) -> None:
        self.name = "candidates"
        self._candidates = tuple(candidates)

    def rows(self) -> Iterator[Row]:
        """Give each candidate as a row."""
        for index, candidate in enumerate(self._candidates):
            yield Row(candidate.to_json(), self.name, None, index)

    def digest(self) -> str:
        """Name the problems, draws and texts."""
        total = hashlib.sha256()
        for one in self._candidates:
            total.update(f"{one.problem!a} {one.draw} {one.content_id}\n".encode("ascii"))
        return f"sha256:{total.hexdigest()}"


class DirectoryOrigin:
    """A directory of programs: ``HumanEval_0/0.py``, ``HumanEval_0_0.py`` or ``HumanEval_0.py``.

    Parameters
    ----------
    path
        The directory.
    problems
        The ids of the problems; in file names, what is no letter, digit, dot or dash of them
        is an underscore.
    """

    def __init__(self, path: Path, problems: Iterable[str]) -> None:
        self.path = path
        self.name = path.name
        self._ids: dict[str, str] = {}
        for identifier in problems:
            if self._ids.setdefault(file_name(identifier), identifier) != identifier:
                raise self._ambiguous(identifier)

    def rows(self) -> Iterator[Row]:
        """Give each program as a row, in the order of problems and draws."""
        for index, file in enumerate(self._files()):
            relative = file.relative_to(self.path).as_posix()
            with candidate_faults():
                data = {**self._named(file), "program": decoded(_bytes(file), relative)}
            yield Row(data, relative, None, index)

    def digest(self) -> str:
        """Name the programs' bytes and names."""
        total = hashlib.sha256()
        for file in self._files():
            relative = file.relative_to(self.path).as_posix()
            content = hashlib.sha256(_bytes(file)).hexdigest()
            total.update(f"{relative!a} {content}\n".encode("ascii"))
        return f"sha256:{total.hexdigest()}"

    def _ambiguous(self, identifier: str) -> CandidateFileError:
        name = file_name(identifier)
        return CandidateFileError(
            f"{self.name}: a file named {name!r} may answer {self._ids[name]!r} or {identifier!r}",
            hint="write the candidates as JSON Lines, with the id of the problem in each",
            file=self.name,
            problem=identifier,
        )

    def _files(self) -> list[Path]:
        found = (*self.path.glob("*.py"), *self.path.glob("*/*.py"))
        return sorted(found, key=lambda file: _natural(file.relative_to(self.path).as_posix()))

    def _named(self, file: Path) -> dict[str, Any]:
        """Read problem and draw out of a file's name."""
        if file.parent != self.path:
            draw = {"draw": int(file.stem)} if file.stem.isdecimal() else {}
            return {"problem": self._ids.get(file.parent.name, file.parent.name), **draw}
        head, _, tail = file.stem.rpartition("_")
        if file.stem not in self._ids and tail.isdecimal() and head:
            return {"problem": self._ids.get(head, head), "draw": int(tail)}
        return {"problem": self._ids.get(file.stem, file.stem), "draw": 0}


def file_name(identifier: str) -> str:
    """Write a problem's id as a file name.

    Examples
    --------
    >>> file_name("HumanEval/0")
    'HumanEval_0'
    """
    return re.sub(r"[^\w.-]", "_", identifier)


@contextmanager
def candidate_faults() -> Iterator[None]:
    """Turn the faults of reading into faults of a candidate file."""
    try:
        yield
    except CandidateFileError:
        raise
    except DataError as error:
        raise CandidateFileError(error.message, hint=error.hint, **error.facts) from error


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise CandidateFileError(
            f"{file} cannot be read: {error.strerror or error}", file=file.name
        ) from error


def _natural(name: str) -> list[tuple[int, str]]:
    """Sort 10.py behind 9.py."""
    parts = re.findall(r"\d+|\D+", name)
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts]


def _digest(stream: IO[bytes]) -> str:
    total = hashlib.sha256()
    while block := stream.read(_BLOCK):
        total.update(block)
    return f"sha256:{total.hexdigest()}"
