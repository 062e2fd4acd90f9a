"""Preparing a problem's tests once: compiled, instrumented, and with their calls framed."""

from __future__ import annotations

import ast
import builtins
import importlib
import itertools
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType
from typing import Any, Final

from anyofk.judging.channel import frame
from anyofk.judging.codec import Json, decode, dumps
from anyofk.judging.comparison import Rule, rule
from anyofk.judging.inside.foresight import independent
from anyofk.judging.inside.instrument import called_name, kept_code, test_code
from anyofk.judging.inside.telling import telling

_FIRST_CHUNK: Final = 4
_CHUNK_GROWTH: Final = 8
_CHUNK_BYTES: Final = 1 << 20
_MAX_KEPT: Final = 40_000
_EVALUATING: Final = frozenset({"eval", "exec", "compile", "__import__"})
_UNTRUSTING: Final = frozenset({"pickle", "marshal", "dill", "shelve", "importlib", "runpy"})
_BUILTINS: Final = frozenset(dir(builtins))


@dataclass(frozen=True)
class Chunk:
    """Some calls in one message, and what they must return."""

    message: bytes
    calls: list[Json]
    arguments: list[Any]
    expected: list[Any]
    digests: bool

    def singly(self, entry: str) -> Iterator[Chunk]:
        """The same calls, each in a message of its own."""
        parts = zip(self.calls, self.arguments, self.expected, strict=True)
        for call, arguments, expected in parts:
            message = _message(entry, [call], digests=self.digests)
            yield Chunk(message, [call], [arguments], [expected], self.digests)


@dataclass(frozen=True)
class Group:
    """One group of tests, ready to run."""

    name: str
    setup: CodeType | None
    code: CodeType | None
    lines: list[str]
    calls_check: bool
    chunks: list[Chunk]
    telling: list[bool]
    same: Rule


@dataclass(frozen=True)
class Prepared:
    """A problem's tests, ready to run on one candidate after the other."""

    entry: str
    names: list[str]
    context: CodeType | None
    groups: list[Group]
    modules: dict[str, Any]
    mutated: dict[str, list[int]] | None
    foreseen: list[Json]
    independent: bool
    seed: int
    draws: bool


def prepared(plan: Json) -> Prepared:
    """Compile a plan.

    Raises
    ------
    Exception
        Whatever is wrong with the problem's own code.
    """
    names = plan["names"]
    callees = frozenset([*names, "candidate"])
    return Prepared(
        entry=plan["entry"],
        names=names,
        context=_compiled(plan["context"], "<prompt>"),
        groups=[_group(group, plan["entry"], callees) for group in plan["groups"]],
        modules={name: importlib.import_module(name) for name in plan["modules"]},
        mutated=plan["mutated"],
        foreseen=plan["foreseen"],
        independent=plan["mutated"] is None and _independent(plan, callees),
        seed=plan["seed"],
        draws=any("random" in text for text in _texts(plan)),
    )


def _independent(plan: Json, callees: frozenset[str]) -> bool:
    return independent(_texts(plan), callees)


def _texts(plan: Json) -> list[str]:
    codes = [group[part] for group in plan["groups"] for part in ("setup", "code")]
    return [plan["context"], *codes]


def _compiled(source: str, name: str) -> CodeType | None:
    return compile(source, name, "exec", dont_inherit=True) if source.strip() else None


def _group(group: Json, entry: str, callees: frozenset[str]) -> Group:
    code, calls_check = test_code(group, callees)
    chunks = list(_chunks(entry, group["calls"], group["expected"]))
    tells = group["telling"] or list(_tells(group, chunks))
    return Group(
        name=group["name"],
        setup=_compiled(group["setup"], "<setup>"),
        code=code,
        lines=group["code"].splitlines(),
        calls_check=calls_check,
        chunks=_apart_where_telling(entry, chunks, tells),
        telling=tells,
        same=rule(group["comparison"], group["tolerance"]),
    )


def _apart_where_telling(entry: str, chunks: list[Chunk], tells: list[bool]) -> list[Chunk]:
    pairs = zip(chunks, tells, strict=True)
    return [part for chunk, told in pairs for part in (chunk.singly(entry) if told else [chunk])]


def _chunks(entry: str, calls: list[Json], expected: list[Json]) -> Iterator[Chunk]:
    """Cut calls in messages: small ones first, for most wrong programs fail early."""
    start, size = 0, _FIRST_CHUNK
    while start < len(calls):
        end = start + _fitting(calls[start : start + size], expected[start : start + size])
        yield _chunk(entry, calls[start:end], expected[start:end])
        start, size = end, size * _CHUNK_GROWTH


def _chunk(entry: str, calls: list[Json], expected: list[Json]) -> Chunk:
    digests = _is_digest(expected[0])
    return Chunk(
        _message(entry, calls, digests=digests),
        calls,
        [decode(arguments) for arguments in calls],
        [value["X"] if digests else decode(value) for value in expected],
        digests,
    )


def _tells(group: Json, chunks: list[Chunk]) -> Iterator[bool]:
    """Whether each message tells its own results; of long ones nobody looks."""
    several = group["comparison"] == "one_of"
    results = iter(group["expected"])
    for chunk in chunks:
        right = list(itertools.islice(results, len(chunk.calls)))
        right = [list(*r.values()) if several else [r] for r in right]
        yield len(chunk.calls) > 1 and (chunk.digests or telling(chunk.calls, right))


def _message(entry: str, calls: list[Json], *, digests: bool) -> bytes:
    return frame(dumps(["batch", entry, calls, digests]))


def _is_digest(expected: Json) -> bool:
    return type(expected) is dict and "X" in expected


def _fitting(calls: list[Json], expected: list[Json]) -> int:
    """How many of the calls fit in one message, all with digests or none; at least one."""
    total, digests = 0, _is_digest(expected[0])
    for count, (call, value) in enumerate(zip(calls, expected, strict=True)):
        total += len(dumps(call)) + len(dumps(value))
        if count and (total > _CHUNK_BYTES or _is_digest(value) != digests):
            return count
    return len(calls)


def inspected(plan: Json) -> Json:
    """Look at a problem's test code without running it.

    Returns
    -------
    dict
        ``free``: names that only the program can give; ``modules``: modules of the standard
        library that are used but not imported; ``context``: whether names of the prompt are
        used; ``untrusting``: a call that would evaluate results, if any; ``unittest``:
        whether there are test cases of unittest; ``checks``: whether there is any check;
        ``compiled``: the instrumented code of each group, as far as that fits in a report.
    """
    given = _bound(plan["context"])
    trees = [ast.parse(group["code"]) for group in plan["groups"]]
    setups = [_bound(group["setup"]) for group in plan["groups"]]
    pairs = list(zip(trees, setups, strict=True))
    used = set().union(*(_free(tree) - bound for tree, bound in pairs))
    free = used - given - sys.stdlib_module_names
    return {
        "free": sorted(free),
        "compiled": _kept_codes(plan, free),
        "modules": sorted((used - given) & sys.stdlib_module_names),
        "context": bool(used & given),
        "untrusting": next((name for tree in trees for name in _untrusting_calls(tree)), ""),
        "unittest": any(_has_test_case(tree) for tree in trees),
        "checks": any(map(_has_check, trees)) or any(group["calls"] for group in plan["groups"]),
    }


def _kept_codes(plan: Json, free: set[str]) -> list[Json]:
    callees = frozenset({*free, plan["entry"], "candidate"})
    codes = [kept_code(group["code"], callees) for group in plan["groups"]]
    return codes if sum(len(code["compiled"]) for code in codes) < _MAX_KEPT else []


def _bound(source: str) -> set[str]:
    return _stored(ast.parse(source)) if source.strip() else set()


def _stored(tree: ast.AST) -> set[str]:
    """All names that some statement binds, in whatever scope."""
    bound: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).split(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            bound.add(node.name)
    return bound


def _free(tree: ast.AST) -> set[str]:
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    loaded = {name.id for name in names if isinstance(name.ctx, ast.Load)}
    return loaded - _stored(tree) - _BUILTINS


def _untrusting_calls(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        function = node.func if isinstance(node, ast.Call) else None
        if isinstance(function, ast.Name) and function.id in _EVALUATING:
            yield function.id
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            owner = function.value.id
            if owner in _UNTRUSTING:
                yield f"{owner}.{function.attr}"


def _has_check(tree: ast.AST) -> bool:
    return any(
        isinstance(node, ast.Assert)
        or (isinstance(node, ast.Call) and called_name(node).lower().startswith("assert"))
        for node in ast.walk(tree)
    )


def _has_test_case(tree: ast.Module) -> bool:
    bases = (b for n in tree.body if isinstance(n, ast.ClassDef) for b in n.bases)
    return any("TestCase" in ast.dump(base) for base in bases)
