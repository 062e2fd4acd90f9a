import gzip
import json

import pytest

from anyofk.errors import ProblemError
from anyofk.problems import ProblemSet, read_problems
from anyofk.records import Problem

GOOD = {
    "id": "double",
    "prompt": "Write double(x).",
    "entry_point": "double",
    "reference": "def double(x):\n    return 2 * x\n",
    "public": "assert double(1) == 2",
    "hidden": [
        {"code": "def check(candidate):\n    assert candidate(0) == 0", "setup": "import math"},
        {
            "name": "calls",
            "calls": [
                {"args": [{"$tuple": [1]}], "expected": {"$tuple": [1, 1]}},
                {"args": [3], "oracle": True},
            ],
            "tolerance": 1e-6,
        },
    ],
    "cluster": "arithmetic",
    "time_limit": 2,
    "memory_mb": 256,
    "language": "python",
    "prompt_is_code": False,
    "preamble": "import math",
    "mode": "isolated",
    "metadata": {"source": "us", "shape": {"$tuple": [1, 2]}},
}


def written(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def without(name):
    return {key: value for key, value in GOOD.items() if key != name}


def test_every_field_arrives_in_the_record(tmp_path):
    problems = read_problems(written(tmp_path / "mine.jsonl", GOOD))
    (problem,) = problems
    assert (problems.name, len(problems), problems.ids) == ("mine", 1, ("double",))
    assert problem.entry_point == "double"
    assert (problem.time_limit, problem.memory_mb, problem.mode) == (2, 256, "isolated")
    assert (problem.cluster, problem.preamble) == ("arithmetic", "import math")
    assert problem.metadata == {"source": "us", "shape": (1, 2)}
    public, checked, calls = problem.tests
    assert (public.name, public.public, checked.public) == ("public", True, False)
    assert (checked.name, checked.setup) == ("hidden", "import math")
    assert calls.calls[0].arguments == ((1,),)
    assert calls.calls[0].expected == (1, 1)
    assert calls.calls[1].oracle
    assert (calls.comparison, calls.tolerance) == ("floats", 1e-6)


def test_hidden_tests_and_reference_are_not_in_the_public_part(tmp_path):
    problem = read_problems(written(tmp_path / "mine.jsonl", GOOD))["double"]
    shown = repr(problem.public())
    assert "double(1) == 2" in shown
    assert "candidate(0)" not in shown
    assert "return 2 * x" not in shown


def test_toml_lines_array_and_gzip_read_the_same_problem(tmp_path):
    (tmp_path / "set.toml").write_text(
        """name = "house"
version = "3"

[[problem]]
id = "a"
entry_point = "f"
prompt = '''
[[problem]] in the text of a prompt
'''
hidden = "assert f() == 1"

[[problem]]
id = "b"
hidden = { streams = [{ stdin = "1 2", stdout = "3" }], checker = "def check(*_): return True" }
"""
    )
    rows = [
        {"id": "a", "entry_point": "f", "hidden": "assert f() == 1"}
        | {"prompt": "[[problem]] in the text of a prompt\n"},
        {
            "id": "b",
            "hidden": {
                "streams": [{"stdin": "1 2", "stdout": "3"}],
                "checker": "def check(*_): return True",
            },
        },
    ]
    by_lines = written(tmp_path / "lines.jsonl", *rows)
    (tmp_path / "array.json").write_text("\ufeff" + json.dumps(rows, indent=2), encoding="utf-8")
    (tmp_path / "packed.jsonl.gz").write_bytes(gzip.compress(by_lines.read_bytes()))
    toml = read_problems(tmp_path / "set.toml")
    assert (toml.name, toml.version, toml["b"].mode) == ("house", "3", "stdio")
    for name in ("lines.jsonl", "array.json", "packed.jsonl.gz"):
        other = read_problems(tmp_path / name)
        assert other.problems == toml.problems
        assert other.content_id == toml.content_id


def test_a_directory_is_read_in_the_order_of_its_names(tmp_path):
    (tmp_path / "b.toml").write_text('[[problem]]\nid = "b"\nhidden = "assert f()"\n')
    written(tmp_path / "a.jsonl", {"id": "a", "hidden": "assert f()"})
    (tmp_path / "notes.md").write_text("not a problem")
    problems = read_problems(tmp_path)
    assert problems.ids == ("a", "b")
    assert problems.name == tmp_path.name


def test_the_content_id_ignores_order_and_metadata(tmp_path):
    rows = [{"id": name, "hidden": "assert f()"} for name in "ab"]
    first = read_problems(written(tmp_path / "1.jsonl", *rows))
    rows[0]["metadata"] = {"x": 1}
    second = read_problems(written(tmp_path / "2.jsonl", *reversed(rows)))
    assert first.content_id == second.content_id
    rows[0]["hidden"] = "assert g()"
    assert read_problems(written(tmp_path / "3.jsonl", *rows)).content_id != first.content_id


FAULTS = [
    ({**GOOD, "entrypoint": "f"}, "entrypoint", "unknown field 'entrypoint'"),
    ({**GOOD, "prompt": 3}, "prompt", "must be text, not a whole number"),
    ({**GOOD, "prompt_is_code": "yes"}, "prompt_is_code", "must be true or false, not text"),
    ({**GOOD, "time_limit": "2s"}, "time_limit", "must be a number, not text"),
    ({**GOOD, "time_limit": True}, "time_limit", "must be a number, not true or false"),
    ({**GOOD, "time_limit": 0}, "time_limit", "must be above 0, not 0"),
    ({**GOOD, "memory_mb": 1.5}, "memory_mb", "must be a whole number, not a number"),
    ({**GOOD, "metadata": []}, "metadata", "must be a table, not a list"),
    ({**GOOD, "id": " "}, "id", "empty"),
    (without("id"), "id", "missing"),
    ({**GOOD, "language": "rust"}, "language", "language 'rust' cannot be judged"),
    ({**GOOD, "mode": "jail"}, "mode", "is 'jail'"),
    ({**GOOD, "mode": "stdio"}, "mode", "does not fit its tests"),
    ({**GOOD, "entry_point": "not a name"}, "entry_point", "is not a name"),
    (without("entry_point"), "entry_point", "need field 'entry_point'"),
    ({**GOOD, "reference": "def f(:"}, "reference", "does not parse: line 1"),
    ({"id": "p"}, "hidden", "no tests"),
    ({"id": "p", "hidden": None}, "hidden", "no tests"),
    ({"id": "p", "hidden": ""}, "hidden", "holds no tests"),
    ({"id": "p", "hidden": []}, "hidden", "holds no tests"),
    ({"id": "p", "hidden": [{"code": "assert 1"}, {}]}, "hidden[1]", "holds no tests"),
    ({"id": "p", "hidden": "assert ("}, "hidden.code", "does not parse"),
    ({"id": "p", "hidden": {"code": "assert 1", "test": ""}}, "hidden.test", "unknown field"),
    ({"id": "p", "hidden": 3}, "hidden", "must be source text or a table"),
    ({"id": "p", "hidden": {"calls": [3]}}, "hidden.calls", "must be a table"),
    (
        {"id": "p", "entry_point": "f", "hidden": {"calls": [{"args": [1]}]}},
        "hidden.calls[0].expected",
        "needs 'expected'",
    ),
    (
        {"id": "p", "entry_point": "f", "hidden": {"calls": [{"args": [1], "oracle": True}]}},
        "hidden.calls[0].oracle",
        "needs the problem's reference",
    ),
    (
        {"id": "p", "entry_point": "f", "hidden": {"calls": [{"args": 1, "expected": 1}]}},
        "hidden.calls[0].args",
        "must be a list",
    ),
    (
        {
            "id": "p",
            "entry_point": "f",
            "hidden": {"calls": [{"args": [{"$x": 1}], "expected": 1}]},
        },
        "hidden.calls[0].args",
        "unknown tag",
    ),
    (
        {"id": "p", "hidden": {"code": "assert 1", "comparison": "tokens"}},
        "hidden.comparison",
        "is 'tokens'",
    ),
    (
        {"id": "p", "hidden": {"streams": [{"stdin": "1", "stdout": "1"}], "comparison": "equal"}},
        "hidden.comparison",
        "is 'equal'",
    ),
    ({"id": "p", "hidden": {"streams": [{"stdin": "1"}]}}, "hidden.streams[0].stdout", "missing"),
    (
        {"id": "p", "hidden": {"streams": [{"stdout": "1"}], "comparison": "exact"}}
        | {"public": {"streams": [{"stdout": "1"}], "comparison": "tokens", "tolerance": 1}},
        "public.tolerance",
        "comparison 'tokens' knows no tolerance",
    ),
    (
        {"id": "p", "hidden": {"code": "assert 1", "tolerance": 0.1}},
        "hidden.tolerance",
        "asserts know no tolerance",
    ),
    (
        {"id": "p", "hidden": {"streams": [{"stdout": "1"}], "code": "assert 1"}},
        "hidden.code",
        "stands beside streams",
    ),
    (
        {"id": "p", "public": "assert 1", "hidden": {"streams": [{"stdout": "1"}]}},
        "hidden",
        "beside other tests",
    ),
    (
        {"id": "p", "hidden": {"code": "assert 1", "checker": "def check(): pass"}},
        "hidden.checker",
        "needs streams",
    ),
    (
        {"id": "p", "hidden": {"streams": [{"stdout": "1"}], "checker": "x = 1"}},
        "hidden.checker",
        "defines no check",
    ),
]


@pytest.mark.parametrize(("row", "field", "message"), FAULTS, ids=[str(f[1:]) for f in FAULTS])
def test_a_fault_is_refused_with_file_line_and_field(tmp_path, row, field, message):
    good = {"id": "first", "hidden": "assert True"}
    path = written(tmp_path / "mine.jsonl", good, row)
    with pytest.raises(ProblemError, match=r"mine\.jsonl, line 2: ") as caught:
        read_problems(path)
    assert message in str(caught.value)
    assert (caught.value.file, caught.value.line, caught.value.field) == ("mine.jsonl", 2, field)
    assert caught.value.hint


def test_a_misspelt_field_gets_a_hint(tmp_path):
    with pytest.raises(ProblemError) as caught:
        read_problems(written(tmp_path / "m.jsonl", {"id": "p", "hidden": "assert 1", "promt": ""}))
    assert caught.value.hint == "did you mean 'prompt'?"


def test_an_id_that_stands_twice_is_refused_with_both_places(tmp_path):
    row = {"id": "p", "hidden": "assert True"}
    with pytest.raises(ProblemError, match=r"line 3: problem 'p' .* first at mine\.jsonl, line 1"):
        read_problems(written(tmp_path / "mine.jsonl", row, {**row, "id": "q"}, row))


def test_ids_must_be_unique_across_the_files_of_a_directory(tmp_path):
    for name in ("a.toml", "b.toml"):
        (tmp_path / name).write_text('\n[[problem]]\nid = "p"\nhidden = "assert f()"\n')
    with pytest.raises(ProblemError, match=r"b\.toml, line 2: .* first at a\.toml, line 2"):
        read_problems(tmp_path)


def test_a_fault_in_toml_names_the_line_of_its_table(tmp_path):
    path = tmp_path / "set.toml"
    path.write_text('[[problem]]\nid = "a"\nhidden = "assert f()"\n\n[[problem]]\nid = "b"\n')
    with pytest.raises(ProblemError) as caught:
        read_problems(path)
    assert (caught.value.line, caught.value.problem) == (5, "b")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id = = 1", "not TOML"),
        ('title = "x"\n', "unknown field 'title'"),
        (f"[[problem]]\nid = {'9' * 5000}\n", "not TOML"),
        ("x = " + "[" * 3000, "not TOML"),
        ('[problem]\nid = "x"\n', r"write \[\[problem\]\]"),
        ("", "holds no problem"),
    ],
)
def test_a_broken_toml_file_is_refused(tmp_path, text, message):
    (tmp_path / "set.toml").write_text(text)
    with pytest.raises(ProblemError, match=message):
        read_problems(tmp_path / "set.toml")


def test_toml_that_is_not_utf8_is_refused_and_a_byte_order_mark_is_not(tmp_path):
    path = tmp_path / "set.toml"
    text = '[[problem]]\r\nid = "é"\r\nhidden = "assert f()"\r\n'
    path.write_bytes(text.encode("utf-8-sig"))
    assert read_problems(path).ids == ("é",)
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ProblemError, match="byte 0xe9 is not UTF-8"):
        read_problems(path)


@pytest.mark.parametrize(
    ("raw", "message", "line"),
    [
        (b'{"id": "p", "hidden": "assert 1"}\n{"id": "q", "hid', "not JSON", 2),
        (b'{"id": "p", "hidden": "assert 1"}\n\n3\n', "JSON object is needed, not int", 3),
        (b'{"id": "p", "hidden": "assert 1"}\n{"id": "\xff"}\n', "byte 0xff is not UTF-8", 2),
    ],
)
def test_a_broken_line_is_named(tmp_path, raw, message, line):
    (tmp_path / "mine.jsonl").write_bytes(raw)
    with pytest.raises(ProblemError, match=message) as caught:
        read_problems(tmp_path / "mine.jsonl")
    assert caught.value.line == line


def test_a_cut_gzip_file_is_a_fault_of_the_file(tmp_path):
    whole = gzip.compress(json.dumps({"id": "p", "hidden": "assert 1" * 50}).encode())
    (tmp_path / "mine.jsonl.gz").write_bytes(whole[:-12])
    with pytest.raises(ProblemError, match="cannot be read"):
        read_problems(tmp_path / "mine.jsonl.gz")


def test_line_separators_inside_json_text_do_not_end_a_line(tmp_path):
    row = {"id": "p", "prompt": "a\u2028b\x85c", "hidden": "assert f()"}
    text = json.dumps(row, ensure_ascii=False) + "\n"
    (tmp_path / "mine.jsonl").write_text(text, encoding="utf-8")
    assert read_problems(tmp_path / "mine.jsonl")["p"].prompt == "a\u2028b\x85c"


def test_surrogates_nul_and_5000_digits_are_kept(tmp_path):
    call = '{"args": [%s, "\\ud800"], "expected": "\\u0000"}' % ("9" * 5000)  # braces
    text = '{"id": "p\\udc00", "entry_point": "f", "hidden": {"calls": [' + call + "]}}\n"
    (tmp_path / "mine.jsonl").write_text(text)
    (problem,) = read_problems(tmp_path / "mine.jsonl")
    (only,) = problem.tests[0].calls
    assert only.arguments == (10**5000 - 1, "\ud800")
    assert (only.expected, problem.id) == ("\0", "p\udc00")
    assert problem.content_id == Problem.from_json(problem.to_json()).content_id


def test_unknown_ids_and_paths_get_hints(tmp_path):
    problems = ProblemSet("s", "", (Problem("alpha"),))
    with pytest.raises(ProblemError) as caught:
        problems["alpa"]
    assert caught.value.hint == "did you mean 'alpha'?"
    with pytest.raises(ProblemError, match="no file"):
        read_problems(tmp_path / "absent.jsonl")
    with pytest.raises(ProblemError, match="no problem set called 'absent'") as caught:
        read_problems("absent")
    assert "basics" in caught.value.hint
    assert "alpha" in problems


def test_a_set_without_problems_or_with_one_twice_cannot_be_made():
    with pytest.raises(ProblemError, match="no problem"):
        ProblemSet("s", "", ())
    with pytest.raises(ProblemError, match="'p' stands twice"):
        ProblemSet("s", "", (Problem("p"), Problem("p")))


def test_the_examples_of_the_documentation_can_be_read(tmp_path, pytestconfig):
    text = (pytestconfig.rootpath / "docs" / "problem-format.md").read_text()
    blocks = text.split("```toml\n")[1:]
    ids = []
    for i, block in enumerate(blocks):
        path = tmp_path / f"{i}.toml"
        path.write_text(block.split("```")[0])
        ids += read_problems(path).ids
    line = text.split("```json\n")[1].split("```")[0]
    (tmp_path / "line.jsonl").write_text(line)
    ids += read_problems(tmp_path / "line.jsonl").ids
    assert ids == ["double", "halve", "sum-of-line", "double"]


@pytest.mark.parametrize(
    ("prompt", "is_code"),
    [
        ('def f(x):\n    """Double x."""\n', True),
        ("import math\n\ndef f(x):\n", True),
        ("Write f(x).", False),
        ("def other(x):\n    pass\n", False),
        ("", False),
    ],
)
def test_a_prompt_that_defines_the_entry_point_is_code(tmp_path, prompt, is_code):
    row = {"id": "p", "prompt": prompt, "entry_point": "f", "hidden": "assert f(1)"}
    assert read_problems(written(tmp_path / "m.jsonl", row))["p"].prompt_is_code is is_code
    row["prompt_is_code"] = not is_code
    assert read_problems(written(tmp_path / "m.jsonl", row))["p"].prompt_is_code is not is_code


def test_candidates_given_as_problems_are_named_for_what_they_are(tmp_path):
    path = tmp_path / "samples.jsonl"
    path.write_text('{"task_id": "p", "completion": "    return 1"}\n')
    with pytest.raises(ProblemError, match="these are candidates and no problems") as caught:
        read_problems(path)
    assert "--problems" in caught.value.hint


def test_a_name_that_is_nearly_one_of_ours_is_told_which():
    with pytest.raises(ProblemError) as caught:
        read_problems("humanevall")
    assert caught.value.hint.startswith("did you mean 'humaneval'?")
