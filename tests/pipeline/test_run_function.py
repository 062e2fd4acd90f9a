"""One call from a model to a stored run."""

import json
import subprocess
import sys

import pytest

import anyofk
from anyofk.errors import UsageError
from anyofk.pipeline import JudgingSettings
from anyofk.records import Problem, Tests

TWICE = Problem(
    "twice",
    prompt="Double it.",
    entry_point="f",
    tests=(Tests(code="assert f(2) == 4\nassert f(5) == 10"),),
    reference="def f(x):\n    return 2 * x\n",
)


@pytest.fixture
def recording(tmp_path):
    path = tmp_path / "replies.jsonl"
    texts = ("return 2 * x", "return x + 2")
    rows = [{"problem": "twice", "reply": f"```\ndef f(x):\n    {text}\n```"} for text in texts]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_one_call_draws_judges_and_gives_the_run(recording, tmp_path):
    options = {"n": 2, "store": tmp_path / "run.db", "settings": JudgingSettings(workers=1)}
    for _ in range(2):  # the second goes on, and finds nothing to do
        with anyofk.run(f"replay:{recording}", [TWICE], **options) as run:
            assert anyofk.evaluate(run, 1)[1].value == 0.5
            assert run.size() == 2


def test_an_argument_that_no_plan_has_is_refused_by_name(recording, tmp_path):
    with pytest.raises(UsageError, match="takes no argument 'temprature'") as caught:
        anyofk.run(f"replay:{recording}", [TWICE], store=tmp_path / "run.db", temprature=1)
    assert "sampling" in caught.value.hint


def test_judging_alone_does_not_load_what_draws():
    code = "import anyofk.pipeline, sys; print(*sys.modules, sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"anyofk.drawing", "asyncio", "httpx"} & set(done.stdout.split())
