"""The verb run, as a user runs it: from a model to a table, killed and gone on with."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from installed import SCRIPT, write_lines

from anyofk.store import Run

sys.path.append(str(Path(__file__).resolve().parents[1] / "drawing"))
from servers import Page, answer, choice, serving

pytestmark = pytest.mark.usefixtures("_sandbox")
STEPS = {"two": 2, "three": 3, "four": 4}


def reply(name, draw):
    step = STEPS[name] + draw % 2  # every second is wrong
    return f"Sure!\n```python\ndef f(x):\n    return x + {step}  # {draw}\n```\n"


@pytest.fixture
def recording(files):
    rows = [{"problem": p, "draw": d, "reply": reply(p, d)} for p in STEPS for d in range(4)]
    write_lines(files / "replies.jsonl", rows)
    return "replay:replies.jsonl"


def script(body, number):
    """A model that knows the problems by their prompts, and is unwell now and then."""
    if number % 7 == 3:
        return Page(b"", 500)
    name = next(name for name in STEPS if name in body["messages"][-1]["content"])
    return Page(answer(choice(reply(name, body["seed"]))), pause=0.05)


@pytest.fixture
def asked(files):
    """A problem set whose prompts name their problems."""
    lines = [json.loads(line) for line in (files / "set.jsonl").read_text("utf-8").splitlines()]
    write_lines(files / "set.jsonl", [{**row, "prompt": f"Add {row['id']}."} for row in lines])
    return files


def test_one_command_leads_from_a_model_to_estimates_and_costs(anyofk, recording):
    done = anyofk("run", "--model", recording, "--problems", "set.jsonl", "-n", "4", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["run"] == "replies-set"
    assert {p: (c["n"], c["c"]) for p, c in found["problems"].items()} == dict.fromkeys(
        STEPS, (4, 2)
    )
    assert [found["estimates"][k]["value"] for k in ("1", "2", "4")] == [
        0.5,
        pytest.approx(5 / 6),
        1,
    ]
    assert found["costs"]["candidates"] == 12


def test_the_table_shows_estimates_outcomes_and_costs(anyofk, recording):
    done = anyofk(
        *("run", "--model", recording, "--problems", "set.jsonl", "-n", "4", "--price", "1,2")
    )
    assert done.returncode == 0, done.stderr
    for word in ("pass@1", "pass@4", "wrong_answer", "per pass", "to the first pass", "money"):
        assert word in done.stdout


def test_the_same_command_again_draws_nothing_and_says_the_same(anyofk, recording):
    command = ("run", "--model", recording, "--problems", "set.jsonl", "-n", "4", "--json")
    first, second = anyofk(*command), anyofk(*command)
    assert (second.returncode, second.stdout) == (0, first.stdout)
    shown = anyofk("runs", "show", "replies-set", "-k", "1,2,4", "--json")
    assert json.loads(shown.stdout) == json.loads(first.stdout)
    assert "12 were drawn and 12 judged before" in second.stderr


def test_missing_draws_end_with_bounds_and_exit_code_5(anyofk, recording):
    done = anyofk("run", "--model", recording, "--problems", "set.jsonl", "-n", "6", "--json")
    assert done.returncode == 5
    found = json.loads(done.stdout)["estimates"]["1"]
    assert (found["value"], found["bounds"]) == (None, [1 / 3, pytest.approx(2 / 3)])
    assert "6 draws of 3 problems are missing" in done.stderr


def test_a_file_of_options_is_read_and_flags_go_before_it(anyofk, files, recording):
    text = (
        f'model = "{recording}"\nproblems = "set.jsonl"\nn = 2\nk = [1, 2]\n[where]\nid = "two"\n'
    )
    (files / "run.toml").write_text(text, "utf-8")
    done = anyofk("run", "--config", "run.toml", "-n", "4", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert {p: c["n"] for p, c in found["problems"].items()} == {"two": 4}
    assert list(found["estimates"]) == ["1", "2"]
    (files / "run.toml").write_text("tempreature = 1\n", "utf-8")
    done = anyofk("run", "--config", "run.toml")
    assert done.returncode == 2
    assert "no option is called 'tempreature'" in done.stderr


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (("-k", "10"), "pass@10 needs at least 10 draws of each problem, and n is 4"),
        (("-k", "2", "--temperature", "0"), "not independent (temperature 0)"),
        (("--max-cost", "1"), "a limit of cost needs a price"),
        (("--where", "tier=easy"), "no problem of 'set' has tier=easy"),
        (("--where", "tier"), "'tier' is not NAME=VALUE"),
        (("--price", "1"), "'1' is not IN,OUT"),
        (("--prompt", "none"), "no prompt template called 'none'"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_drawn(anyofk, files, recording, extra, message):
    done = anyofk("run", "--model", recording, "--problems", "set.jsonl", "-n", "4", *extra)
    assert done.returncode == 2
    assert message in done.stderr
    assert not (files / "runs").exists()


def test_a_stored_run_can_be_replayed_by_its_name(anyofk, recording):
    anyofk("run", "--model", recording, "--problems", "set.jsonl", "-n", "4", "--name", "first")
    done = anyofk(
        *("run", "--model", "replay:first", "--problems", "set.jsonl", "-n", "4", "--json"),
        *("--name", "second"),
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["problems"]["two"]["c"] == 2
    compared = anyofk("compare", "first", "second", "--json")
    assert compared.returncode == 0, compared.stderr


@pytest.mark.usefixtures("asked")
def test_runs_of_different_prompts_or_temperatures_are_unlike_and_say_so_shortly(anyofk):
    command = ("run", "--model", "openai:m", "--problems", "set.jsonl", "-n", "1", "--server")
    with serving(script) as server:
        anyofk(*command, server.url, "--name", "a")
        anyofk(*command, server.url, "--name", "b", "--temperature", "0.5")
        anyofk(*command, server.url, "--name", "c", "--prompt", "complete")
    warmer, other = anyofk("compare", "a", "b"), anyofk("compare", "a", "c")
    assert (warmer.returncode, other.returncode) == (2, 2)
    assert "--despite temperature\n" in warmer.stderr
    assert "--despite prompt\n" in other.stderr
    replayed = ("--model", "replay:b", "--problems", "set.jsonl", "-n", "1", "--name", "d")
    assert anyofk("run", *replayed, "--time-limit", "2").returncode == 0
    judged_again = anyofk("compare", "b", "d")
    assert "--despite time_limit\n" in judged_again.stderr


@pytest.mark.usefixtures("files")
def test_a_server_that_is_not_there_is_exit_code_4(anyofk):
    done = anyofk(
        *("run", "--model", "openai:m", "--problems", "set.jsonl"),
        *("--server", "http://127.0.0.1:9/v1"),
    )
    assert done.returncode == 4
    assert "does not serve us" in done.stderr


@pytest.mark.usefixtures("files")
def test_a_model_without_an_address_is_a_usage_error(anyofk):
    done = anyofk("run", "--model", "openai:m", "--problems", "set.jsonl")
    assert done.returncode == 2
    assert "OPENAI_BASE_URL" in done.stderr


def test_the_models_that_can_be_fetched_are_listed(anyofk):
    done = anyofk("models", "list", "--json")
    assert [one["name"] for one in json.loads(done.stdout)["models"]] == ["smollm2"]
    assert "smollm2" in anyofk("models", "list").stdout


def test_a_key_stands_in_no_file_and_no_word(anyofk, asked):
    key = "sk-do-not-tell"
    with serving(script) as server:
        done = anyofk(
            *("run", "--model", "openai:m", "--problems", "set.jsonl", "-n", "2", "--debug"),
            *("--server", server.url),
            env={"OPENAI_API_KEY": key},
        )
    assert done.returncode == 0, done.stderr
    assert key in server.heads[0]
    assert key not in done.stdout + done.stderr
    assert not [p for p in (asked / "runs").iterdir() if key.encode() in p.read_bytes()]


@pytest.mark.parametrize("kills", [5, pytest.param(20, marks=pytest.mark.deep)])
def test_a_run_killed_again_and_again_has_every_draw_once(asked, kills):
    """Each kill comes at a moment of its own; what had come is never asked for again."""
    moments = random.Random(5)  # noqa: S311 - moments, no secret
    command = [SCRIPT, "run", "--model", "openai:m", "--problems", "set.jsonl", "-n", "40"]
    with serving(script) as server:
        command += ["--server", server.url, "--concurrency", "2", "--name", "killed"]
        for _ in range(kills):
            process = subprocess.Popen(
                command, cwd=asked, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            time.sleep(moments.uniform(0.8, 2.2))
            process.send_signal(signal.SIGKILL)
            process.wait()
        done = subprocess.run(command, cwd=asked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with Run(asked / "runs" / "killed.db") as run:
        assert [(c.n, c.broken) for c in run.counts()] == [(40, 0)] * 3
        ((came, tokens),) = run.query("SELECT sum(came), sum(completion_tokens) FROM requests")
        ((replies,),) = run.query("SELECT count(*) FROM replies")
    assert (came, replies, tokens) == (120, 120, 120 * 5)
    answered = sum(number % 7 != 3 for number in range(len(server.asked)))
    assert answered <= 120 + 2 * (kills + 1)  # only what was under way at a kill is asked for again


def test_an_interrupted_run_says_that_it_goes_on(asked):
    command = [SCRIPT, "run", "--model", "openai:m", "--problems", "set.jsonl", "-n", "50"]
    with serving(script) as server:
        command += ["--server", server.url, "--concurrency", "2"]
        process = subprocess.Popen(
            command, cwd=asked, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        while len(server.asked) < 6:
            time.sleep(0.05)
        os.kill(process.pid, signal.SIGINT)
        _, words = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "the same command goes on" in words


@pytest.mark.usefixtures("asked")
def test_draws_without_chance_are_shown_as_greedy_accuracy(anyofk):
    with serving(script) as server:
        command = ("run", "--model", "openai:m", "--problems", "set.jsonl", "-n", "1")
        greedy = ("--temperature", "0", "--name", "greedy", "--server", server.url)
        done = anyofk(*command, *greedy)
    assert done.returncode == 0, done.stderr
    assert "greedy accuracy" in done.stdout
    assert "pass@1 " not in done.stdout


@pytest.mark.usefixtures("asked")
def test_a_model_that_never_answers_is_exit_code_4_and_a_spent_budget_5(anyofk):
    command = ("run", "--model", "openai:m", "--problems", "set.jsonl", "-n", "4")
    with serving(lambda *_: Page({"error": {"message": "no such model"}}, 404)) as server:
        done = anyofk(*command, "--server", server.url)
    assert done.returncode == 4
    assert "nothing was drawn: the model gives no answers: HTTP 404: no such model" in done.stderr
    with serving(script) as server:
        done = anyofk(*command, "--server", server.url, "--max-tokens-total", "20")
        assert done.returncode == 5
        assert "tokens are spent" in done.stderr
        assert anyofk(*command, "--server", server.url).returncode == 0


def test_a_replay_has_the_settings_of_its_recording_and_not_those_of_the_flags(anyofk, files):
    settings = {"temperature": 0, "model": "m"}
    rows = [
        {"problem": p, "draw": d, "reply": reply(p, d), "settings": settings}
        for p in STEPS
        for d in range(2)
    ]
    write_lines(files / "replies.jsonl", rows)
    command = ("run", "--model", "replay:replies.jsonl", "--problems", "set.jsonl", "-n", "2")
    done = anyofk(*command, "--temperature", "0.9", "-k", "2", "--json")
    found = json.loads(done.stdout)
    assert found["deterministic"] is True
    assert found["estimates"]["2"]["reason"] == "identical_draws"
    with Run(files / "runs" / "replies-set.db") as run:
        assert run.manifest.content["candidates"]["settings"] == settings
    rows[-1]["settings"] = {"temperature": 1}
    write_lines(files / "replies.jsonl", rows)
    done = anyofk(*command)
    assert done.returncode == 3
    assert "drawn in different ways" in done.stderr


def test_rounds_of_repair_are_shown_with_their_intervals(anyofk, files):
    row = {
        "id": "twice",
        "entry_point": "f",
        "prompt": "Double it.",
        "reference": "def f(x):\n    return 2 * x\n",
        "public": "assert f(5) == 10",
        "hidden": "assert f(7) == 14",
    }
    write_lines(files / "twice.jsonl", [row])

    def learns(body, _):
        text = "x + 1" if len(body["messages"]) < 4 else "2 * x"
        return answer(choice(f"```python\ndef f(x):\n    return {text}\n```"))

    command = (
        "run",
        "--model",
        "openai:m",
        "--problems",
        "twice.jsonl",
        "-n",
        "2",
        "--rounds",
        "2",
    )
    with serving(learns) as server:
        done = anyofk(*command, "--server", server.url, "--json")
        table = anyofk(*command, "--server", server.url)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["single"], list(found["estimates"])) == ("success in 2 rounds", ["1"])
    assert [found["rounds"][r]["value"] for r in ("1", "2")] == [0.0, 1.0]
    assert len(server.asked) == 4
    assert "wrong answer" in server.asked[-1]["messages"][-1]["content"]
    for words in ("success in 2 rounds", "success within"):
        assert words in table.stdout


@pytest.fixture
def drawn(anyofk, asked):
    """A function that runs the verb against a server, and gives the result and what was asked."""
    assert (asked / "set.jsonl").is_file()

    def draw(*options, script=script):
        with serving(script) as server:
            command = ("run", "--model", "openai:m", "--server", server.url, "-n", "2", "--json")
            done = anyofk(*command, "--problems", "set.jsonl", *options)
        return done, server.asked

    return draw


def test_another_revision_of_the_model_is_another_run(drawn):
    assert drawn("--revision", "first")[0].returncode == 0
    done, bodies = drawn("--revision", "second")
    assert (done.returncode, bodies) == (2, [])
    assert "revision: first, now second" in done.stderr


def test_a_key_that_is_named_and_not_there_is_missed_before_anything_is_drawn(drawn):
    done, bodies = drawn("--key-variable", "NO_SUCH_KEY")
    assert (done.returncode, bodies) == (2, [])
    assert "'NO_SUCH_KEY' is not set" in done.stderr


@pytest.mark.parametrize(
    ("options", "field", "value"),
    [
        (("--top-p", "0.5"), "top_p", 0.5),
        (("--stop", "END"), "stop", ["END"]),
        (("--param", "frequency_penalty=0.25"), "frequency_penalty", 0.25),
    ],
)
def test_an_option_of_sampling_reaches_the_server(drawn, options, field, value):
    done, bodies = drawn(*options)
    assert done.returncode == 0, done.stderr
    assert {json.dumps(body[field]) for body in bodies} == {json.dumps(value)}


def test_seeds_follow_the_seed_of_the_run_and_can_be_left_out(drawn):
    seeds = [
        sorted(body["seed"] for body in drawn("--seed", number, "--name", number)[1])
        for number in ("1", "2")
    ]
    assert seeds[0] != seeds[1]
    unseeded = lambda body, _: Page(answer(choice(reply("two", len(body["messages"])))))  # noqa: E731 - a script
    done, bodies = drawn("--no-seed", script=unseeded)
    assert done.returncode == 0, done.stderr
    assert not [body for body in bodies if "seed" in body]


def test_several_choices_are_asked_for_in_one_request(drawn):
    def both(body, _):
        name = next(name for name in STEPS if name in body["messages"][-1]["content"])
        return Page(answer(*(choice(reply(name, i)) for i in range(body["n"]))))

    done, bodies = drawn("--choices", "2", script=both)
    assert done.returncode == 0, done.stderr
    assert [body["n"] for body in bodies] == [2, 2, 2]


def test_a_model_of_completions_is_given_the_prompt_itself(drawn):
    def goes_on(body, _):
        step = next(step for name, step in STEPS.items() if name in body["prompt"])
        text = f"def f(x):\n    return x + {step}\n"
        return Page({"choices": [{"index": 0, "text": text, "finish_reason": "stop"}]})

    done, bodies = drawn("--completions", "--prompt", "complete", script=goes_on)
    assert done.returncode == 0, done.stderr
    assert not [body for body in bodies if "messages" in body]
    assert {c["c"] for c in json.loads(done.stdout)["problems"].values()} == {2}


def test_only_so_many_problems_are_drawn_for(drawn):
    done, _ = drawn("--limit", "1")
    assert len(json.loads(done.stdout)["problems"]) == 1


def test_a_stored_run_grows_when_it_is_told_to(anyofk, recording):
    command = ("run", "--model", recording, "--problems", "set.jsonl", "--json")
    assert anyofk(*command, "-n", "2").returncode == 0
    refused, done = anyofk(*command, "-n", "4"), anyofk(*command, "-n", "4", "--extend")
    assert refused.returncode == 2
    assert {c["n"] for c in json.loads(done.stdout)["problems"].values()} == {4}


def test_equal_programs_have_equal_verdicts_judged_once_or_each(anyofk, files):
    rows = [{"problem": p, "draw": d, "reply": reply(p, 0)} for p in STEPS for d in range(2)]
    write_lines(files / "replies.jsonl", rows)
    command = ("run", "--model", "replay:replies.jsonl", "--problems", "set.jsonl", "-n", "2")
    once = anyofk(*command, "--json", "--name", "once")
    each = anyofk(*command, "--json", "--name", "each", "--judge-each")
    problems = [json.loads(done.stdout)["problems"] for done in (once, each)]
    assert problems[0] == problems[1]


@pytest.mark.parametrize("limit", [("--tries", "1"), ("--timeout", "0.2", "--tries", "1")])
def test_a_draw_that_is_given_up_is_missing_and_not_wrong(drawn, limit):
    done, _ = drawn(*limit, script=lambda *_: Page(b"", 500, pause=0.4))
    assert done.returncode == 5, done.stderr
    assert json.loads(done.stdout)["estimates"]["1"]["value"] is None


def test_drawing_stops_when_its_time_is_over(drawn):
    done, bodies = drawn("--max-time", "0")
    assert (done.returncode, bodies) == (5, [])
