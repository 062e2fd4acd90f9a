"""What the tests call, and whether a block defines it."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from anyofk.extraction.blocks import Block
from anyofk.extraction.names import assigned, defined, flat, takes_from_library
from anyofk.extraction.parsing import Source

_DOTTED = re.compile(r"^\s*([^\W\d]\w*)\s*(?:\(\s*\))?\s*\.\s*([^\W\d]\w*)\s*$")
_DEFAULT_CLASS = "Solution"
_STDIN = re.compile(r"\binput\s*\(|\bstdin\b|\bfileinput\b|\bopen\s*\(\s*(?:0\b|['\"]/dev/stdin)")
_STDOUT = re.compile(r"\bprint\s*\(|\bstdout\b")


def _methods(source: Source) -> dict[str, dict[str, ast.stmt]]:
    """What each class of a program's own level defines."""
    found: dict[str, dict[str, ast.stmt]] = {}
    for node in flat(source.statements):
        if isinstance(node, ast.ClassDef):
            found[node.name] = {name: s for s in flat(node.body) for name in assigned(s)}
    return found


def _makes_itself(methods: dict[str, ast.stmt]) -> bool:
    """Whether the class can be made without arguments, as far as it says itself."""
    init = methods.get("__init__")
    if not isinstance(init, ast.FunctionDef | ast.AsyncFunctionDef):
        return True
    args = init.args
    required = len(args.posonlyargs) + len(args.args) - len(args.defaults)
    return required <= 1 and all(default is not None for default in args.kw_defaults)


@dataclass(frozen=True, slots=True)
class Adapter:
    """How an answer of another shape is called: the expression, and the line that binds it."""

    expression: str
    line: str


@dataclass(frozen=True, slots=True)
class Target:
    """What the tests call: a function, a method of a class, or the program itself (no name)."""

    name: str | None
    owner: str | None = None
    reads_stdin: bool = False

    @classmethod
    def of(cls, mode: str, entry_point: str | None) -> Target:
        """Read an entry point as ``name``, ``Class.name`` or ``Class().name``."""
        if mode == "stdin":
            return cls(None, reads_stdin=True)
        dotted = _DOTTED.match(entry_point or "")
        if dotted:
            return cls(dotted[2], dotted[1])
        return cls(entry_point or None, _DEFAULT_CLASS if mode == "method" else None)

    def __str__(self) -> str:
        """The name, as the tests have it."""
        return f"{self.owner}.{self.name}" if self.owner else str(self.name)

    def defined_by(self, source: Source) -> bool:
        """Whether a program that parses defines it, in the shape that the tests call."""
        if self.owner is not None:
            methods = _methods(source).get(self.owner)
            return methods is not None and (self.name is None or self.name in methods)
        names = defined(source)
        return self.name in names if self.name else bool(names)

    def named_by(self, text: str) -> bool:
        """Whether a text that does not parse was meant to define it."""
        if self.reads_stdin:
            return _STDIN.search(text) is not None
        if self.name is None:
            return (
                re.search(r"^[ \t]*+(?:async +)?(?:def|class) +\w", text, re.MULTILINE) is not None
            )
        name = re.escape(self.name)
        pattern = rf"^[ \t>+]*+(?:async[ ]+)?(?:def|class)[ ]+{name}\b|^{name}[ ]*=[^=]"
        return re.search(pattern, text, re.MULTILINE) is not None

    def adapter(self, source: Source) -> Adapter | None:
        """How to call an answer of the other shape: a class for a function, or the reverse."""
        if self.name is None:
            return None
        return self._of_function(source) if self.owner else self._of_class(source)

    def _of_class(self, source: Source) -> Adapter | None:
        classes = _methods(source)
        owners = [name for name, methods in classes.items() if self.name in methods]
        owner = _DEFAULT_CLASS if _DEFAULT_CLASS in owners else None
        if owner is None and len(classes) == len(owners) == 1:
            owner = owners[0]
        if owner is None or not _makes_itself(classes[owner]):
            return None
        expression = f"{owner}().{self.name}"
        return Adapter(expression, f"{self.name} = {expression}")

    def _of_function(self, source: Source) -> Adapter | None:
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        functions = [
            node
            for node in flat(source.statements)
            if isinstance(node, kinds) and node.name == self.name
        ]
        if not functions or self.owner in _methods(source):
            return None
        arguments = (*functions[-1].args.posonlyargs, *functions[-1].args.args)
        bound = bool(arguments) and arguments[0].arg == "self"
        value = str(self.name) if bound else f"staticmethod({self.name})"
        return Adapter(value, f"class {self.owner}:\n    {self.name} = {value}")

    def from_library(self, source: Source) -> bool:
        """Whether a program takes it from the standard library."""
        return bool(self.name) and not self.owner and takes_from_library(source, str(self.name))

    def reads(self, block: Block) -> bool:
        """Whether a program reads standard input."""
        return block.parses and _STDIN.search(block.source.text) is not None

    def prints(self, block: Block) -> bool:
        """Whether a program writes standard output."""
        return block.parses and _STDOUT.search(block.source.text) is not None
