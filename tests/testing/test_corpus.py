"""The corpus as data: enough programs, no two alike, every one with its papers."""

import ast
from collections import Counter
from pathlib import Path

import anyofk.testing
from anyofk.records import Outcome
from anyofk.testing import corpus_problems, honest_corpus, hostile_corpus
from anyofk.testing.hostile import FAMILIES

HOSTILE, HONEST = hostile_corpus(), honest_corpus()
EVERYTHING = (*HOSTILE, *HONEST)

# Every way of attack that the threat model names, and the least number of programs for it.
KINDS = {
    "forge": {
        "frames": 10,
        "pipes": 10,
        "descriptors": 5,
        "exit_codes": 10,
        "atexit": 8,
        "equality": 15,
        "builtins": 12,
        "codec": 12,
        "stop_iteration": 8,
        "callbacks": 10,
        "operators": 8,
        "foresight": 3,
        "reports": 5,
        "arrays": 5,
        "protocol": 8,
        "handles": 10,
        "arguments": 5,
        "program_text": 10,
        "stdio": 10,
    },
    "starve": {"hashing": 5, "ranges": 5, "regex": 4, "endless": 8},
    "kill": {"killing": 8, "stopping": 6},
    "exhaust": {
        "memory": 8,
        "disk": 8,
        "output": 5,
        "processes": 8,
        "descriptor_exhaustion": 5,
        "signals": 5,
        "timers": 5,
        "threads": 5,
    },
    "escape": {
        "symlinks": 5,
        "mounts": 5,
        "namespaces": 5,
        "ptrace": 5,
        "sockets": 6,
        "shared_memory": 5,
        "inherited_descriptors": 5,
        "reading": 6,
    },
    "poison": {"files": 5, "caches": 5, "environment": 5, "interpreter": 8},
    "bomb": {"parser": 8, "compiler": 5},
    "leak": {"slow_leaks": 8},
}


class Anonymous(ast.NodeTransformer):
    """Takes the names and remarks that mean nothing out of a tree, and keeps its form."""

    def __init__(self):
        self.seen = {}

    def number(self, name):
        return f"n{self.seen.setdefault(name, len(self.seen))}"

    def visit_Name(self, node):
        if node.id in self.seen or isinstance(node.ctx, ast.Store):
            node.id = self.number(node.id)
        return node

    def visit_arg(self, node):
        node.arg = self.number(node.arg)
        node.annotation = None
        return node

    def visit_FunctionDef(self, node):
        node.name = self.number(node.name)
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        return self.generic_visit(node)

    def visit_Constant(self, node):
        # Another number makes no other idea; another word may (a path, an attribute).
        if isinstance(node.value, int | float):
            node.value = 0
        return node


def shape(text):
    """The syntax tree without names and numbers; the text where nothing can be parsed."""
    if len(text) > 50_000:  # a bomb for parsers: it is not for this one
        return text[:200] + text[-200:]
    try:
        return ast.dump(Anonymous().visit(ast.parse(text.removeprefix("\ufeff"))))
    except (SyntaxError, ValueError, RecursionError):
        return text


def test_there_are_enough_programs():
    assert len(HOSTILE) >= 200
    assert len(HONEST) >= 100
    assert len(corpus_problems()) >= 10


def test_no_two_programs_have_the_same_syntax_tree():
    shapes = {}
    for program in EVERYTHING:
        shapes.setdefault(shape(program.candidate.text), []).append(program.id)
    assert [ids for ids in shapes.values() if len(ids) > 1] == []


def test_ids_draws_and_ideas_are_unique():
    for part in ("id", "tries"):
        assert len({getattr(p, part) for p in HOSTILE}) == len(HOSTILE)
    assert len({p.id for p in EVERYTHING}) == len(EVERYTHING)
    assert len({p.candidate.draw for p in EVERYTHING}) == len(EVERYTHING)
    assert len({p.shows for p in HONEST}) == len(HONEST)


def test_every_kind_of_attack_is_covered():
    counts = Counter((p.family, p.kind) for p in HOSTILE)
    wanted = {(f, kind): n for f, kinds in KINDS.items() for kind, n in kinds.items()}
    assert set(counts) == set(wanted)
    assert {key: counts[key] for key in wanted if counts[key] < wanted[key]} == {}
    assert tuple(KINDS) == FAMILIES


def test_every_hostile_program_has_its_papers():
    assert [program.id for program in HOSTILE if not has_papers(program)] == []


def has_papers(program):
    return (
        program.id.startswith(program.kind.replace("_", "-"))
        and program.tries != ""
        and (program.proof in {"inprocess", "joined", "printed"} or len(program.reason) > 20)
        and program.allowed != frozenset()
        and not program.allowed & {Outcome.PASSED, Outcome.BROKEN}
        and program.candidate.problem == program.problem.id
        and program.problem.reference is not None
    )


def test_many_forgeries_are_proved_by_running_them():
    assert sum(p.proof != "reason" for p in HOSTILE) >= 60
    assert sum(p.proof == "inprocess" for p in HOSTILE) >= 30


def test_programs_that_would_harm_a_machine_say_so():
    risky = {p.kind for p in HOSTILE if p.host_risk}
    assert {"killing", "stopping", "disk", "processes", "sockets", "mounts", "files"} <= risky
    assert not {p.kind for p in HOSTILE if p.host_risk} & {"equality", "stop_iteration", "regex"}


def test_some_honest_programs_need_processes_and_most_do_not():
    needing = [p for p in HONEST if p.needs_processes]
    assert 5 <= len(needing) <= 20


def test_no_program_can_be_imported_or_collected():
    folder = Path(anyofk.testing.__file__).parent / "corpus"
    kinds = {path.suffix for path in folder.rglob("*") if path.is_file()}
    assert kinds == {".toml"}


def test_most_problems_have_both_hostile_and_honest_programs():
    hostile = {p.problem.id for p in HOSTILE}
    honest = {p.problem.id for p in HONEST}
    assert {problem.id for problem in corpus_problems().values()} == honest
    assert honest - hostile == {"corpus/patience", "corpus/primes", "corpus/parity"}
