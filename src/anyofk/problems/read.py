"""The one door to problem sets: by path or by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from anyofk.errors import DataError, ProblemError
from anyofk.problems.fetch import fetchable
from anyofk.problems.forms import OWN, form_of, read_all
from anyofk.problems.named import known_names, named_set
from anyofk.problems.own_form import read_toml
from anyofk.problems.problem_set import ProblemSet
from anyofk.problems.rows import Row, read_rows
from anyofk.records import Problem

_ENDINGS = (".gz", ".jsonl", ".json", ".toml")


def read_problems(source: str | Path) -> ProblemSet:
    """Read a problem set from a file, a directory or by its name.

    Parameters
    ----------
    source
        A path to JSON Lines, a JSON array (both perhaps gzipped), TOML or a directory of such
        files in our own form; or the name of a set: one that a plug-in brings, such as
        ``basics``, or one in the cache. A known name goes before a path; write ``./basics``
        for the path.

    Returns
    -------
    ProblemSet
        Its form is recognised by what it holds.

    Raises
    ------
    ProblemError
        A record is not as its form demands: with ``file``, ``line``, ``field``, ``problem``.
    UnavailableError
        The set has a name that we know, and is not in the cache.
    """
    text = str(source)
    is_name = isinstance(source, str) and not any(mark in text for mark in "/\\.")
    found = named_set(text) if is_name else None
    if found is not None:
        return found
    path = Path(source)
    if not text:
        raise ProblemError("the path of the problem set is empty", hint="give a path or a name")
    if not path.exists():
        raise _absent(text, is_name=is_name)
    return read_directory(path) if path.is_dir() else read_file(path)


def read_file(path: Path, *, name: str = "") -> ProblemSet:
    """Read one file; its form is recognised by what it holds."""
    head, rows, toml = _rows(path)
    if not rows:
        raise ProblemError(
            f"{path} holds no problem", hint="see docs/problem-format.md", file=path.name
        )
    form = OWN if toml else form_of(rows[0])
    return ProblemSet(
        name=str(head.get("name") or name or stem(path)),
        version=str(head.get("version", "")),
        problems=_unique(rows, read_all(rows, form)),
        source=f"{path} ({form.name})",
    )


def read_directory(path: Path, *, name: str = "") -> ProblemSet:
    """Read all files of a directory in our own form, in the order of their names."""
    files = sorted(file for file in path.iterdir() if file.name.endswith(_ENDINGS))
    read = [_rows(file) for file in files]
    rows = [row for _, some, _ in read for row in some]
    heads: dict[str, Any] = {}
    for head, _, _ in read:
        heads = {**heads, **head}
    if not rows:
        raise ProblemError(
            f"{path} holds no problem", hint="it needs .toml or .jsonl files", file=str(path)
        )
    return ProblemSet(
        name=str(heads.get("name") or name or path.resolve().name),
        version=str(heads.get("version", "")),
        problems=_unique(rows, read_all(rows, OWN)),
        source=f"{path} ({OWN.name})",
    )


def stem(path: Path) -> str:
    """Take the endings off a file's name.

    Examples
    --------
    >>> stem(Path("data/HumanEval.jsonl.gz"))
    'HumanEval'
    """
    name = path.name
    while name.endswith(_ENDINGS) and Path(name).stem:
        name = Path(name).stem
    return name


def _rows(path: Path) -> tuple[dict[str, Any], list[Row], bool]:
    """Read a file's head, its rows, and whether it is TOML."""
    try:
        if path.suffix == ".toml":
            return (*read_toml(path), True)
        return {}, read_rows(path), False
    except ProblemError:
        raise
    except DataError as error:
        raise ProblemError(error.message, hint=error.hint, **error.facts) from error


def _unique(rows: list[Row], problems: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """Refuse an id that stands twice, with both places."""
    places: dict[str, Row] = {}
    for row, problem in zip(rows, problems, strict=True):
        first = places.setdefault(problem.id, row)
        if first is not row:
            raise ProblemError(
                f"{row.place}: problem {problem.id!r} stands twice, first at {first.place}",
                hint="give each problem an id of its own",
                field="id",
                problem=problem.id,
                **row.facts,
            )
    return problems


def _absent(text: str, *, is_name: bool) -> ProblemError:
    from difflib import get_close_matches  # noqa: PLC0415 - needed for a slip of the hand alone

    known = sorted({*known_names(), *fetchable()})
    what = f"no problem set called {text!r}, and no such file" if is_name else f"no file {text}"
    close = get_close_matches(text, known, n=1) if is_name else []
    meant = f"did you mean {close[0]!r}? " if close else ""
    hint = f"{meant}give a path, or one of: {', '.join(known)}"
    return ProblemError(what, hint=hint, file=text)
