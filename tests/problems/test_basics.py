"""The shipped set `basics`, and the recorded candidates of the demo."""

import ast
import json
import os
import subprocess
import sys
import tomllib
from collections import Counter
from difflib import SequenceMatcher
from importlib.resources import files
from itertools import combinations
from pathlib import Path

import pytest

import anyofk.problems
from anyofk.judging import Calibrations, judge_all
from anyofk.problems import read_problems
from anyofk.records import Candidate

ROOT = Path(__file__).resolve().parents[2]
DEMO = files(anyofk.problems) / "demo" / "candidates.jsonl"

# Runs references of ours, so a plain process will do; it never sees a candidate.
RUN_REFERENCES = """
import json, sys
for problem in json.load(sys.stdin):
    for code in problem["codes"]:
        try:
            exec(problem["reference"] + "\\n" + code, {"__name__": "reference"})
        except BaseException as error:
            print(problem["id"], repr(error))
"""


class Renamed(ast.NodeTransformer):
    """Forget every name that a program chooses itself, every annotation and every docstring."""

    def __init__(self, own):
        self.names = {name: f"n{i}" for i, name in enumerate(own)}

    def visit_Name(self, node):
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)

    def visit_arg(self, node):
        return ast.arg(self.names.get(node.arg, node.arg))

    def visit_AnnAssign(self, node):
        self.generic_visit(node)
        return ast.Assign([node.target], node.value or ast.Constant(None), lineno=node.lineno)

    def visit_FunctionDef(self, node):
        self.generic_visit(node)
        node.name, node.returns = self.names[node.name], None
        return node

    def visit_ClassDef(self, node):
        self.generic_visit(node)
        node.name = self.names[node.name]
        return node


def shape(source):
    tree = ast.parse(source)
    own = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            own.setdefault(node.name)
        elif isinstance(node, ast.arg):
            own.setdefault(node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.setdefault(node.id)
    return ast.dump(Renamed(own).visit(tree))


def words(problem):
    return [word for word in problem.prompt.lower().split() if not word.startswith(">>>")]


@pytest.fixture(scope="module")
def basics():
    return read_problems("basics")


@pytest.fixture(scope="module")
def demo():
    return [json.loads(line) for line in DEMO.read_text(encoding="utf-8").splitlines()]


def test_the_set_is_large_and_has_many_topics(basics):
    topics = Counter(problem.cluster for problem in basics)
    assert len(basics) >= 64
    assert len(topics) >= 10
    assert min(topics.values()) >= 3
    assert all(problem.id.split("/")[0] == problem.cluster for problem in basics)


def test_the_set_goes_from_trivial_to_hard(basics):
    tiers = Counter(problem.metadata["tier"] for problem in basics)
    assert tiers.keys() == {"easy", "medium", "hard"}
    assert tiers["easy"] == 24
    assert min(tiers.values()) >= 18


def test_every_problem_has_a_reference_and_public_and_hidden_tests(basics):
    for problem in basics:
        assert problem.reference, problem.id
        assert {group.public for group in problem.tests} == {True, False}, problem.id
        assert all(not group.empty for group in problem.tests), problem.id


def test_the_set_holds_classes_whole_programs_and_tolerances(basics):
    kinds = Counter(
        "program" if problem.entry_point is None else problem.prompt.split()[0]
        for problem in basics
    )
    assert kinds["class"] >= 3
    assert kinds["program"] >= 3
    assert any(group.tolerance for problem in basics for group in problem.tests)


def test_no_two_references_have_the_same_syntax_tree(basics):
    shapes = {}
    for problem in basics:
        assert shapes.setdefault(shape(problem.reference), problem.id) == problem.id


def test_programs_that_differ_in_names_alone_have_the_same_shape():
    assert shape("def f(a: int):\n    b = a\n    return b") == shape(
        "def g(x):\n    y = x\n    return y"
    )
    assert shape("def f(a):\n    return max(a)") != shape("def f(a):\n    return min(a)")


def test_no_two_prompts_are_alike(basics):
    texts = [(problem.id, words(problem)) for problem in basics]
    for (one, a), (other, b) in combinations(texts, 2):
        matcher = SequenceMatcher(None, a, b, autojunk=False)
        close = matcher.quick_ratio() > 0.75 and matcher.ratio() > 0.75
        assert not close, (one, other)


def test_no_public_test_stands_among_the_hidden_ones(basics):
    for problem in basics:
        shown = {line for g in problem.tests if g.public for line in g.code.splitlines()}
        hidden = [line for g in problem.tests if not g.public for line in g.code.splitlines()]
        checks = {line for line in shown if line.startswith("assert")}
        repeated = checks.intersection(hidden)
        assert not any(problem.entry_point in line for line in repeated), problem.id


def test_a_prompt_that_is_code_is_continued_by_a_body(basics):
    for problem in basics:
        if problem.prompt_is_code:
            tree = ast.parse(problem.prompt)
            assert tree.body[-1].name == problem.entry_point
            assert ">>>" in ast.get_docstring(tree.body[-1])
            assert max(map(len, problem.prompt.splitlines())) <= 100


@pytest.mark.parametrize("seed", ["0", "1", "2"])
def test_every_reference_passes_its_tests_under_hash_seed(basics, seed):
    jobs = [
        {
            "id": problem.id,
            "reference": problem.reference,
            "codes": [f"{group.setup}\n{group.code}" for group in problem.tests]
            + [calls_as_code(problem.entry_point, g) for g in problem.tests if g.calls],
        }
        for problem in basics
        if problem.entry_point
    ]
    done = subprocess.run(
        [sys.executable, "-c", RUN_REFERENCES],
        input=json.dumps(jobs),
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout == ""


def calls_as_code(name, group):
    lines = ["from math import isclose"]
    for call in group.calls:
        lines.append(
            f"for g, w in zip({name}(*{call.arguments!r}), {call.expected!r}, strict=True):"
        )
        lines.append(f"    assert isclose(g, w, abs_tol={group.tolerance})")
    return "\n".join(lines)


def test_every_reference_program_writes_what_its_streams_expect(basics):
    for problem in basics:
        for group in problem.tests:
            for stream in group.streams:
                done = subprocess.run(
                    [sys.executable, "-c", problem.reference],
                    input=stream.stdin,
                    capture_output=True,
                    text=True,
                    check=True,
                    timeout=60,
                )
                assert done.stdout == stream.stdout, problem.id


def test_the_demo_has_as_many_candidates_for_each_of_its_problems(basics, demo):
    draws = {}
    for line in demo:
        draws.setdefault(line["problem"], []).append(line["draw"])
    assert len(draws) == 24
    assert draws.keys() <= set(basics.ids)
    assert all(found == list(range(12)) for found in draws.values())


def test_the_demo_says_of_each_candidate_that_it_is_synthetic(demo):
    assert all(line["settings"] == {"source": "synthetic"} for line in demo)
    assert all(("program" in line) is not ("completion" in line) for line in demo)


def test_the_demo_holds_many_kinds_of_wrong_answers(demo):
    texts = [line.get("program", line.get("completion")) for line in demo]
    assert "" in texts
    assert any("SystemExit" in text for text in texts)
    assert any("while waiting < 1" in text for text in texts)
    assert any("def solve" in text for text in texts)


def judged(problems, candidates, directory):
    pairs = [(problems[candidate.problem], candidate) for candidate in candidates]
    return list(judge_all(pairs, workers=1, calibrations=Calibrations(directory)))


def test_every_reference_is_passed_by_the_sandbox_and_none_needs_to_be_forgeable(basics, tmp_path):
    references = [Candidate(p.id, 0, p.reference, "program") for p in basics]
    verdicts = judged(basics, references, tmp_path)
    assert [v.problem for v in verdicts if v.outcome != "passed"] == []
    assert Counter(v.mode for v in verdicts) == {"isolated": 92, "stdio": 4}


@pytest.mark.deep
def test_the_demo_is_judged_as_right_and_wrong_as_it_was_made(basics, demo, tmp_path):
    answers = tomllib.loads((ROOT / "scripts" / "demo_answers.toml").read_text(encoding="utf-8"))
    forms = [("program" if "program" in line else "completion", line) for line in demo]
    candidates = [Candidate(x["problem"], x["draw"], x[form], form) for form, x in forms]
    verdicts = judged(basics, candidates, tmp_path)
    passed = Counter(v.problem for v in verdicts if v.outcome == "passed")
    assert passed == {a["problem"]: a["solved"] for a in answers["answers"] if a["solved"]}
    assert not [v for v in verdicts if v.outcome == "broken"]
