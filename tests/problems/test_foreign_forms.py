import base64
import json
import pickle
import zlib

import pytest

from anyofk.errors import ProblemError
from anyofk.problems import read_problems
from anyofk.problems.contest import PREAMBLE
from anyofk.problems.pickled_text import packed_text, pickled_text
from anyofk.records import Candidate

HUMANEVAL = {
    "task_id": "HumanEval/0",
    "prompt": 'def f(x):\n    """Give x."""\n',
    "entry_point": "f",
    "canonical_solution": "    return x\n",
    "test": "def check(candidate):\n    assert candidate(1) == 1\n",
}
EVALPLUS = {
    **{key: HUMANEVAL[key] for key in ("prompt", "entry_point", "canonical_solution")},
    "task_id": "HumanEval/0",
    "contract": "",
    "base_input": [[1], [2]],
    "plus_input": [[3.5]],
    "atol": 1e-6,
}
MBPP = {
    "text": "Double it.",
    "code": "def helper(x):\r\n    return x\r\ndef twice(x):\r\n    return 2 * helper(x)",
    "task_id": 602,
    "test_setup_code": "",
    "test_list": ["assert set([twice(1)]) == {2}", "assert twice(2) == 4"],
    "challenge_test_list": ["assert twice(10**9) == 2 * 10**9"],
}
LCB = {
    "question_id": "abc301_a",
    "question_content": "Echo.",
    "starter_code": "",
    "difficulty": "easy",
    "contest_date": "2023-05-13T00:00:00",
    "public_test_cases": json.dumps([{"input": "1\n", "output": "1\n", "testtype": "stdin"}]),
    "private_test_cases": json.dumps([{"input": "2\n", "output": "2\n", "testtype": "stdin"}]),
    "metadata": "{}",
}
UNITTEST = (
    "import unittest\nclass TestCases(unittest.TestCase):\n"
    "    def test_one(self):\n        self.assertEqual(f(1), 1)\n"
)


def packed(value):
    return base64.b64encode(zlib.compress(pickle.dumps(value))).decode()


def written(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def read_one(tmp_path, row):
    (problem,) = read_problems(written(tmp_path / "set.jsonl", row))
    return problem


def test_humaneval_joins_prompt_and_solution_to_the_reference(tmp_path):
    problem = read_one(tmp_path, HUMANEVAL)
    assert problem.reference == HUMANEVAL["prompt"] + "    return x\n"
    assert (problem.entry_point, problem.prompt_is_code, problem.mode) == ("f", True, None)
    assert problem.tests[0].code == HUMANEVAL["test"]
    assert not problem.tests[0].public
    completion = Candidate(problem.id, 0, "    return 7\n", "completion")
    assert completion.program(problem).endswith('"""\n    return 7\n')


def test_humaneval_x_tells_its_language_by_its_ids(tmp_path):
    row = {key: HUMANEVAL[key] for key in ("prompt", "canonical_solution", "test")}
    python = {**row, "task_id": "Python/0", "declaration": "import math\ndef f(x):\n"}
    assert read_one(tmp_path, python).entry_point == "f"
    with pytest.raises(ProblemError, match="language 'rust' cannot be judged") as caught:
        read_one(tmp_path, {**python, "task_id": "Rust/0"})
    assert (caught.value.line, caught.value.problem) == (1, "Rust/0")


def test_evalplus_gives_two_groups_of_calls_with_the_reference_as_oracle(tmp_path):
    problem = read_one(tmp_path, EVALPLUS)
    base, plus = problem.tests
    assert (base.name, plus.name, len(base.calls), len(plus.calls)) == ("base", "plus", 2, 1)
    assert all(call.oracle for call in (*base.calls, *plus.calls))
    assert (plus.calls[0].arguments, plus.comparison, plus.tolerance) == ((3.5,), "evalplus", 1e-6)


@pytest.mark.parametrize(
    ("task", "entry_point", "comparison"),
    [
        ("HumanEval/32", "find_zero", "evalplus:find_zero"),
        ("Mbpp/769", "Diff", "set"),
        ("Mbpp/794", "text_starta_endb", "not_none"),
        ("Mbpp/295", "sum_div", "one_of"),
        ("Mbpp/11", "remove_Occ", "evalplus"),
        ("HumanEval/9", "Diff", "evalplus"),
    ],
)
def test_the_special_comparisons_of_evalplus_are_known(tmp_path, task, entry_point, comparison):
    row = {**EVALPLUS, "task_id": task, "entry_point": entry_point, "atol": 0}
    problem = read_one(tmp_path, row)
    assert {group.comparison for group in problem.tests} == {comparison}
    assert problem.tests[0].tolerance == 0


@pytest.mark.parametrize(
    ("task", "entry_point", "arguments", "also_right"),
    [
        ("Mbpp/295", "sum_div", [8], 0),
        ("Mbpp/558", "digit_distance_nums", [1, 256], 12),
        ("Mbpp/581", "surface_Area", [3, 4], 35),
        # 6 and 25 have the proper divisors' sum 6 alike, and all divisors' sums 12 and 31
        ("Mbpp/164", "are_equivalent", [6, 25], False),
        ("Mbpp/164", "are_equivalent", [6, 11], True),
    ],
)
def test_the_second_reading_of_an_mbpp_problem_is_right_too(
    tmp_path, task, entry_point, arguments, also_right
):
    row = {**EVALPLUS, "task_id": task, "entry_point": entry_point, "base_input": [arguments]}
    (call,) = read_one(tmp_path, row).tests[0].calls
    assert call.expected == (also_right,)
    assert call.oracle


def test_an_input_outside_the_contract_has_no_second_reading(tmp_path):
    row = {**EVALPLUS, "task_id": "Mbpp/164", "entry_point": "are_equivalent"}
    problem = read_one(tmp_path, {**row, "base_input": [["a", 1], [-4, 1], [10**40, 1]]})
    assert [call.expected for call in problem.tests[0].calls] == [None, None, None]


@pytest.mark.parametrize(
    ("number", "raw", "restored"),
    [
        (2, [[1, 2], [3]], ((1, 2), (3,))),
        (63, [[[1, 2], [3]]], ([(1, 2), (3,)],)),
        (75, [[[1, 2]], 3], ([(1, 2)], 3)),
        (106, [[1], [2]], ([1], (2,))),
        (115, [[[1], [], 3]], ([{1}, {}, {}],)),
        (124, ["1.5", "2j"], (1.5, 2j)),
        (252, ["1+2j"], (1 + 2j,)),
        (250, [[1, 2], 1], ((1, 2), 1)),
        (259, [[[1], [2]], [[3]]], (((1,), (2,)), ((3,),))),
        (278, [[1, [2, 3]]], ((1, (2, 3)),)),
        (307, [[1], 2, 3], ((1,), 2, 3)),
        (722, [{"a": [1]}, 2, 3], ({"a": (1,)}, 2, 3)),
        (580, [[1, [2, [3]]]], ((1, (2, (3,))),)),
        (11, [[1, [2]]], ([1, [2]],)),
    ],
)
def test_arguments_of_mbpp_plus_get_their_types_back(tmp_path, number, raw, restored):
    row = {**EVALPLUS, "task_id": f"Mbpp/{number}", "base_input": [raw], "plus_input": []}
    (group,) = read_one(tmp_path, row).tests
    assert group.calls[0].arguments == restored
    assert repr(group.calls[0].arguments) == repr(restored)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"canonical_solution": ""}, "canonical_solution"),
        ({"base_input": 3}, "base_input"),
        ({"base_input": [], "plus_input": {}}, "base_input"),
        ({"plus_input": [3]}, "plus_input"),
        ({"atol": "small"}, "atol"),
        ({"entry_point": None}, "entry_point"),
    ],
)
def test_a_fault_in_an_evalplus_record_names_its_field(tmp_path, change, field):
    with pytest.raises(ProblemError) as caught:
        read_one(tmp_path, {**EVALPLUS, **change})
    assert (caught.value.field, caught.value.line) == (field, 1)


def test_mbpp_finds_the_entry_point_in_both_forms(tmp_path):
    full = read_one(tmp_path, MBPP)
    sanitized = {key: MBPP[key] for key in ("code", "task_id", "test_list")}
    sanitized |= {"prompt": "Double it.", "test_imports": ["import math", "import re"]}
    short = read_one(tmp_path, sanitized)
    assert full.entry_point == short.entry_point == "twice"
    assert full.prompt == short.prompt == "Double it."
    assert short.tests[0].setup == "import math\nimport re"
    assert full.id == "602"
    assert "\r" not in full.reference
    assert full.tests[0].code.count("assert") == 2
    assert full.metadata == {"split": "train", "challenge_test_list": MBPP["challenge_test_list"]}


def test_mbpp_set_up_runs_with_the_tests_since_it_uses_the_program(tmp_path):
    (group,) = read_one(tmp_path, {**MBPP, "test_setup_code": "x = twice(1)\r\ny = 2"}).tests
    assert group.code.startswith("x = twice(1)\ny = 2\nassert")
    assert group.setup == ""
    with pytest.raises(ProblemError) as caught:
        read_one(tmp_path, {**MBPP, "test_setup_code": "x = ("})
    assert caught.value.field == "test_setup_code"


def test_a_copy_of_mbpp_plus_in_mbpp_form_keeps_its_further_tests(tmp_path):
    problem = read_one(
        tmp_path, {**MBPP, "test": "for i in range(3):\n    assert twice(i) == 2 * i"}
    )
    assert [group.name for group in problem.tests] == ["base", "plus"]
    assert "range(3)" in problem.tests[1].code
    with pytest.raises(ProblemError) as caught:
        read_one(tmp_path, {**MBPP, "test": "assert ("})
    assert caught.value.field == "test"


def test_an_empty_table_in_the_place_of_inputs_is_no_input(tmp_path):
    (group,) = read_one(tmp_path, {**EVALPLUS, "plus_input": {}}).tests
    assert group.name == "base"


@pytest.mark.parametrize(
    ("number", "split"),
    [
        *((1, "prompt"), (10, "prompt"), (11, "test"), (510, "test")),
        *((511, "validation"), (600, "validation"), (601, "train"), (974, "train")),
    ],
)
def test_mbpp_splits_go_by_number(tmp_path, number, split):
    assert read_one(tmp_path, {**MBPP, "task_id": number}).metadata["split"] == split


@pytest.mark.parametrize("tests", [[], ["assert other(1)"], ["assert ("], [3]])
def test_mbpp_tests_that_test_nothing_are_refused(tmp_path, tests):
    with pytest.raises(ProblemError) as caught:
        read_one(tmp_path, {**MBPP, "test_list": tests})
    assert caught.value.field == "test_list"


def test_livecodebench_keeps_public_and_private_tests_apart(tmp_path):
    for private in (LCB["private_test_cases"], packed(LCB["private_test_cases"])):
        problem = read_one(tmp_path, {**LCB, "private_test_cases": private})
        public, hidden = problem.tests
        assert (public.public, hidden.public, problem.mode) == (True, False, "stdio")
        assert (public.streams[0].stdin, hidden.streams[0].stdout) == ("1\n", "2\n")
        assert problem.metadata["contest_date"] == "2023-05-13T00:00:00"
        assert problem.reference is None


def test_livecodebench_methods_are_called_with_one_argument_a_line(tmp_path):
    case = {"input": '[1, 2]\n"a"', "output": "[1]", "testtype": "functional"}
    row = {**LCB, "public_test_cases": [case], "private_test_cases": "[]"}
    row |= {"starter_code": "class Solution: ...", "metadata": '{"func_name": "go"}'}
    problem = read_one(tmp_path, row)
    (call,) = problem.tests[0].calls
    assert (call.arguments, call.expected) == (([1, 2], "a"), ([1],))
    assert (problem.entry_point, problem.tests[0].comparison) == ("go", "one_of")
    assert problem.prompt == "Echo.\n\nclass Solution: ..."


class _Bomb:
    def __reduce__(self):
        return (print, ("unpickled",))


@pytest.mark.parametrize(
    "value", [_Bomb(), ["a"], 3, None, ("a", "b"), {"a": 1}, {"a": _Bomb()}, {"a": {"b": "c"}}]
)
def test_a_pickle_of_anything_but_text_is_refused_and_not_run(value, capsys):
    with pytest.raises(ValueError, match="holds more than one text"):
        pickled_text(pickle.dumps(value))
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("value", ["", "text", "\ud800" * 300, {"a": "b"}, {"a": "b", "c": "d"}])
@pytest.mark.parametrize("protocol", [1, 2, 4, 5])
def test_pickled_text_comes_out_as_it_went_in(value, protocol):
    assert pickled_text(pickle.dumps(value, protocol)) == value


@pytest.mark.parametrize("text", ["!!", "aGVsbG8=", packed("a")[:-8], ""])
def test_text_that_is_not_packed_is_refused(text):
    with pytest.raises(ValueError, match=r"base64|pickle"):
        packed_text(text)


def test_a_hostile_pickle_in_a_problem_file_names_the_field(tmp_path):
    with pytest.raises(ProblemError) as caught:
        read_one(tmp_path, {**LCB, "private_test_cases": packed(_Bomb())})
    assert (caught.value.field, caught.value.line) == ("private_test_cases", 1)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"public_test_cases": "[]", "private_test_cases": "[]"}, "private_test_cases"),
        ({"public_test_cases": [{"input": "1"}]}, "public_test_cases"),
        ({"public_test_cases": [3]}, "public_test_cases"),
        ({"metadata": '{"func_name": "go"}'}, "public_test_cases"),
        ({"metadata": "{"}, "metadata"),
        ({"private_test_cases": packed({"a": "b"})}, "private_test_cases"),
    ],
)
def test_a_fault_in_a_livecodebench_record_names_its_field(tmp_path, change, field):
    with pytest.raises(ProblemError) as caught:
        read_one(tmp_path, {**LCB, **change})
    assert caught.value.field == field


def test_apps_reads_streams_and_the_first_solution_that_parses(tmp_path):
    cases = {"inputs": ["1\n", ["2", "3"]], "outputs": ["1\n", ["2", "3"]]}
    row = {
        "problem_id": 7,
        "question": "Echo.",
        "solutions": json.dumps(["print(", "print(input())"]),
        "input_output": json.dumps(cases),
        "difficulty": "introductory",
    }
    problem = read_one(tmp_path, row)
    assert (problem.id, problem.mode, problem.reference) == ("7", "stdio", "print(input())")
    assert [s.stdin for s in problem.tests[0].streams] == ["1\n", "2\n3"]
    assert problem.metadata == {"difficulty": "introductory"}


def test_apps_functions_may_wrap_their_result_in_a_list_of_one(tmp_path):
    cases = {"fn_name": "go", "inputs": [[1, [2]], [3, []]], "outputs": [[5], 6]}
    problem = read_one(tmp_path, {"id": "a", "question": "Go.", "input_output": json.dumps(cases)})
    first, second = problem.tests[0].calls
    assert (first.arguments, first.expected) == ((1, [2]), ([5], 5))
    assert second.expected == (6,)
    assert (problem.mode, problem.entry_point) == (None, "go")


@pytest.mark.parametrize(
    "cases",
    [
        *("{", "[]", '{"inputs": []}', '{"inputs": ["1"], "outputs": []}'),
        *('{"inputs": [], "outputs": []}', '{"inputs": ["x"], "outputs": ["1"], "fn_name": "f"}'),
    ],
)
def test_apps_tests_that_do_not_fit_are_refused(tmp_path, cases):
    with pytest.raises(ProblemError):
        read_one(tmp_path, {"problem_id": 1, "question": "?", "input_output": cases})


def test_the_imports_of_contest_sites_run_and_hide_no_builtin():
    namespace = {}
    exec(PREAMBLE, namespace)  # noqa: S102  # our own text
    assert namespace["pow"] is pow
    assert namespace["List"]
    assert namespace["Counter"]
    assert namespace["gcd"](4, 6) == 2
    assert namespace["math"].gcd(4, 6) == 2


def test_bigcodebench_is_judged_in_process(tmp_path):
    row = {
        "task_id": "BigCodeBench/0",
        "complete_prompt": HUMANEVAL["prompt"],
        "instruct_prompt": "Give x.",
        "canonical_solution": "    return x\n",
        "test": UNITTEST,
        "entry_point": "f",
    }
    problem = read_one(tmp_path, row)
    assert (problem.mode, problem.entry_point) == ("inprocess", "f")
    assert problem.reference.endswith("return x\n")
    with pytest.raises(ProblemError, match="no unittest module"):
        read_one(tmp_path, {**row, "test": "assert f(1)"})


def test_sandboxfusion_rows_of_contests_and_unittests_are_told_apart(tmp_path):
    cases = {"inputs": ["1\n"], "outputs": ["1\n"], "fn_name": None}
    contest = {
        "id": 3,
        "content": "Echo.",
        "canonical_solution": "import sys; sys.exit(0)",
        "test": packed({"input_output": json.dumps(cases)}),
        "labels": '{"task_id": "a/b", "programming_language": "python", "difficulty": "easy"}',
    }
    problem = read_one(tmp_path, contest)
    assert (problem.id, problem.reference, problem.mode) == ("a/b", None, "stdio")
    unit = {**contest, "id": "BCB/1", "test": UNITTEST, "labels": '{"entry_point": "f"}'}
    assert read_one(tmp_path, unit).mode == "inprocess"
    with pytest.raises(ProblemError, match="language 'cpp'"):
        read_one(tmp_path, {**contest, "labels": '{"programming_language": "cpp"}'})


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"name": "x", "language": "js", "prompt": "", "tests": ""}, "language 'js'"),
        (
            {"code": "def f(): pass", "input": "1", "output": "2"},
            "these fields: code, input, output",
        ),
        ({"id": "p", "prompt": "x"}, "no tests"),
        ({}, "these fields: none"),
    ],
)
def test_an_unknown_form_is_refused_by_its_fields(tmp_path, row, message):
    with pytest.raises(ProblemError, match=message):
        read_one(tmp_path, row)


def test_a_record_of_another_form_than_the_first_is_refused(tmp_path):
    path = written(tmp_path / "set.jsonl", HUMANEVAL, MBPP)
    with pytest.raises(ProblemError, match="line 2: the record is not in the form 'HumanEval'"):
        read_problems(path)


def test_broken_tests_of_a_humaneval_record_are_refused(tmp_path):
    for test in ("", "def check(", "\0"):
        with pytest.raises(ProblemError) as caught:
            read_one(tmp_path, {**HUMANEVAL, "test": test})
        assert caught.value.field == "test"
