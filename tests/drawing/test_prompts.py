"""Prompts are files; what is in a problem is never read as a place of the template."""

import pytest

from anyofk.drawing import PromptTemplate, Sampling, read_template, seed_of
from anyofk.errors import DataError, UsageError
from anyofk.problems import read_problems
from anyofk.records import Problem


@pytest.mark.parametrize("name", ["chat", "complete"])
def test_the_shipped_templates_ask_every_shipped_problem(name):
    template = read_template(name)
    for problem in read_problems("basics"):
        assert problem.prompt in template.render(problem)


def test_places_in_a_problem_are_left_alone():
    template = PromptTemplate("t", "", "<{prompt}|{entry_point}>", "")
    problem = Problem("p", prompt="{entry_point} {prompt} {x}", entry_point="f")
    assert template.render(problem) == "<{entry_point} {prompt} {x}|f>"


def test_a_completion_template_shows_code_as_it_is():
    problem = Problem("p", prompt="def f():\n", entry_point="f", prompt_is_code=True)
    assert read_template("complete").render(problem) == "def f():\n"


def test_a_text_file_is_one_template_for_all(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("Do: {prompt}", "utf-8")
    assert read_template(str(path)).render(Problem("p", prompt="it")) == "Do: it"


def test_one_byte_more_is_another_template(tmp_path):
    ids = []
    for text in ("{prompt}", "{prompt} "):
        path = tmp_path / "mine.txt"
        path.write_text(text, "utf-8")
        ids.append(read_template(str(path)).facts()["content_id"])
    assert ids[0] != ids[1]


@pytest.mark.parametrize(
    ("name", "content", "error"),
    [
        ("t.txt", "no place", DataError),
        ("t.toml", "code = 1", DataError),
        ("t.toml", "other = '{prompt}'", DataError),
        ("t.toml", "code = '{prompt}'", DataError),
        ("t.toml", "= nonsense", DataError),
        (None, None, UsageError),
    ],
)
def test_a_template_that_asks_nothing_is_refused(tmp_path, name, content, error):
    path = tmp_path / (name or "none")
    if content is not None:
        path.write_text(content, "utf-8")
    with pytest.raises(error):
        read_template(str(path))


@pytest.mark.parametrize(
    "fields",
    [{"temperature": -1}, {"temperature": float("nan")}, {"top_p": 1.5}, {"max_tokens": 0}],
)
def test_sampling_that_means_nothing_is_refused(fields):
    with pytest.raises(UsageError):
        Sampling(**fields)


def test_seeds_are_numbers_that_every_server_takes():
    seeds = {seed_of(0, p, d) for p in ("a", "b") for d in range(100)}
    assert len(seeds) == 200
    assert all(0 <= seed < 2**31 for seed in seeds)
