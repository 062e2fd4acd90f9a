import pytest

from anyofk.errors import ProblemError
from anyofk.problems import read_problems
from anyofk.problems.source_code import defined, syntax_fault

SETS = [
    ("humaneval/HumanEval.jsonl.gz", 164, "HumanEval"),
    ("humanevalplus/HumanEvalPlus.jsonl.gz", 164, "evalplus"),
    ("humanevalplus/HumanEvalPlus-Mini.jsonl.gz", 164, "evalplus"),
    ("mbpp/mbpp.jsonl", 974, "MBPP"),
    ("mbpp/sanitized-mbpp.json", 427, "MBPP"),
    ("other/code_eval_bigcodebench.jsonl", 20, "SandboxFusion"),
    ("other/code_eval_live_code_bench_v1.jsonl", 3, "SandboxFusion"),
    ("humaneval-x/humaneval_python.jsonl.gz", 164, "HumanEval"),
]


@pytest.mark.parametrize(("path", "number", "form"), SETS, ids=[name for name, _, _ in SETS])
def test_a_real_set_is_read_whole(shared, path, number, form):
    problems = read_problems(shared / "data" / path)
    assert len(problems) == number
    assert problems.source.endswith(f"({form})")
    for problem in problems:
        assert problem.tests
        assert not any(group.empty for group in problem.tests)
        if problem.reference is not None:
            assert not syntax_fault(problem.reference)
            assert problem.entry_point in defined(problem.reference)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("humaneval-x/humaneval_cpp.jsonl.gz", "language 'cpp'"),
        ("humaneval-x/humaneval_go.jsonl.gz", "language 'go'"),
        ("humaneval-x/humaneval_java.jsonl.gz", "language 'java'"),
        ("humaneval-x/humaneval_js.jsonl.gz", "language 'javascript'"),
        ("humaneval-x/humaneval_rust.jsonl.gz", "language 'rust'"),
        ("multipl-e/humaneval-cpp.jsonl", "language 'cpp'"),
        ("multipl-e/humaneval-js.jsonl", "language 'js'"),
        ("cruxeval/cruxeval.jsonl", "no tests"),
        ("minif2f/deepseek_minif2f.jsonl", "no known form"),
        ("minif2f/test.lean", "not JSON"),
    ],
)
def test_what_is_no_python_problem_set_is_refused_by_name(shared, path, message):
    with pytest.raises(ProblemError, match=message) as caught:
        read_problems(shared / "data" / path)
    assert caught.value.line == 1


def test_humaneval_plus_has_its_root_finding_problem_and_all_inputs(shared):
    problems = read_problems(shared / "data/humanevalplus/HumanEvalPlus.jsonl.gz")
    root = problems["HumanEval/32"]
    assert {group.comparison for group in root.tests} == {"evalplus:find_zero"}
    assert {group.tolerance for group in root.tests} == {1e-4}
    assert sum(len(group.calls) for problem in problems for group in problem.tests) > 100_000


def test_the_two_mbpp_files_agree_on_splits_and_names(shared):
    full = read_problems(shared / "data/mbpp/mbpp.jsonl")
    clean = read_problems(shared / "data/mbpp/sanitized-mbpp.json")
    assert {problem.metadata["split"] for problem in full} == {
        "prompt",
        "test",
        "validation",
        "train",
    }
    differing = [p.id for p in clean if full[p.id].entry_point != p.entry_point]
    assert len(differing) <= 40, differing
    assert all(full[p.id].metadata["split"] == p.metadata["split"] for p in clean)
