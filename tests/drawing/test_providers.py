"""The other providers: recordings, programs, and the local model where it is here."""

import gzip
import json
import sys
from importlib.util import find_spec

import pytest
from asked import drawn, questions, replies, server_provider
from servers import answer, choice, serving

from anyofk import plugins
from anyofk.drawing import (
    Abilities,
    Came,
    Choice,
    ProviderOptions,
    Sampling,
    Usage,
    fetch_model,
    model_path,
)
from anyofk.drawing.command import CommandProvider
from anyofk.drawing.local import LocalProvider
from anyofk.drawing.openai_server import ServerProvider
from anyofk.drawing.provider import Provider
from anyofk.drawing.replay import ReplayProvider
from anyofk.errors import DataError, ProviderError, UnavailableError, UsageError
from anyofk.testing import check_provider

ECHO = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    text = f"{asked['prompt']} {asked['seed']} {asked['temperature']}"
    choices = [{"message": {"content": text}, "finish_reason": "stop"}] * asked["n"]
    print("not json, just talk", flush=True)
    print(json.dumps({"id": asked["id"], "choices": choices}), flush=True)
"""
ENDS = "import sys; sys.stdin.readline(); sys.exit(3)"
KINDS = {
    "command": CommandProvider,
    "local": LocalProvider,
    "openai": ServerProvider,
    "replay": ReplayProvider,
}


def program(tmp_path, source):
    path = tmp_path / "model.py"
    path.write_text(source, "utf-8")
    return CommandProvider(ProviderOptions(f"{sys.executable} {path}"))


def recorded(tmp_path, name="replies.jsonl", number=3):
    rows = [{"task_id": "a", "completion": f"r{i}", "tokens": 7} for i in range(number)]
    text = "".join(json.dumps(row) + "\n" for row in rows).encode()
    path = tmp_path / name
    path.write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    return path


def test_the_built_in_providers_come_through_the_same_door_as_others():
    assert {name: plugins.load("providers", name) for name in KINDS} == KINDS


def test_each_provider_fits_the_protocol(tmp_path):
    options = ProviderOptions("true", server="http://host/v1")
    assert isinstance(ServerProvider(options), Provider)
    assert isinstance(CommandProvider(options), Provider)
    assert isinstance(ReplayProvider(options), Provider)
    (tmp_path / "m.gguf").touch()
    assert isinstance(LocalProvider(ProviderOptions(str(tmp_path / "m.gguf"))), Provider)


def test_the_built_in_providers_keep_the_contract(tmp_path):
    path = recorded(tmp_path)
    check_provider(lambda: ReplayProvider(ProviderOptions(str(path))), problem="a")
    check_provider(lambda: program(tmp_path, ECHO))
    script = lambda body, _: answer(*[choice()] * body.get("n", 1))  # noqa: E731
    with serving(script) as server:
        check_provider(lambda: server_provider(server, choices=3))


def test_a_provider_that_does_not_keep_the_contract_is_told_all_of_it():
    class Bad:
        abilities = Abilities(most=2)
        said = iter(range(9))

        async def open(self):
            return {"id": next(self.said)}

        async def ask(self, question):
            choices = (Choice("x", ""),) * (len(question.draws) + 1)
            return Came(choices, Usage(-1, None))

        async def close(self):
            pass

    with pytest.raises(AssertionError) as caught:
        check_provider(Bad)
    for words in ("2 replies came where 1", "no reason for its end", "tokens is -1", "each time"):
        assert words in str(caught.value)


@pytest.mark.parametrize("name", ["replies.jsonl", "replies.jsonl.gz"])
def test_a_recording_gives_its_replies_by_problem_and_draw(tmp_path, name):
    provider = ReplayProvider(ProviderOptions(str(recorded(tmp_path, name))))
    events, reason = drawn(provider, questions(3))
    assert reason == ""
    assert replies(events) == {("a", draw): f"r{draw}" for draw in range(3)}
    assert [r.tokens for e in events for r in e.replies] == [7] * 3


def test_what_a_recording_does_not_have_is_missing(tmp_path):
    provider = ReplayProvider(ProviderOptions(str(recorded(tmp_path, number=1))))
    events, _ = drawn(provider, questions(2))
    assert set(replies(events)) == {("a", 0)}
    assert [e.missing for e in events if e.missing] == [(1,)]


def test_recordings_of_other_content_have_other_names(tmp_path):
    from anyofk.drawing.recording import open_recording  # noqa: PLC0415 - for this test alone

    names = []
    for number in (2, 3):
        recording = open_recording(recorded(tmp_path, number=number))
        names.append(recording.identity)
        recording.close()
    assert names[0] != names[1]


@pytest.mark.parametrize("content", ["", "{}\n", "[1]\n", "no json\n"])
def test_a_file_that_is_no_recording_is_refused(tmp_path, content):
    path = tmp_path / "replies.jsonl"
    path.write_text(content, "utf-8")
    with pytest.raises(DataError):
        drawn(ReplayProvider(ProviderOptions(str(path))), questions(1))
    with pytest.raises(DataError, match="cannot be read"):
        drawn(ReplayProvider(ProviderOptions(str(tmp_path / "none"))), questions(1))


def test_a_program_is_asked_line_by_line(tmp_path):
    events, reason = drawn(program(tmp_path, ECHO), questions(3, ("a", "b")))
    found = replies(events)
    assert reason == ""
    assert len(found) == len(set(found.values())) == 6  # each has a seed of its own
    assert found["b", 0].startswith("Solve b.")
    assert found["b", 0].endswith("0.8")


def test_a_program_that_ends_is_started_again_and_then_given_up(tmp_path):
    events, reason = drawn(program(tmp_path, ENDS), questions(9), tries=2, concurrency=1)
    assert "the program has ended (exit code 3)" in reason
    assert replies(events) == {}


def test_a_program_that_is_not_there_is_a_clear_error():
    with pytest.raises(ProviderError, match="'/no/such' does not start"):
        drawn(CommandProvider(ProviderOptions("/no/such")), questions(1))
    with pytest.raises(UsageError):
        CommandProvider(ProviderOptions(""))


def test_a_model_that_is_not_here_says_how_to_get_it(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with pytest.raises(ProviderError, match="not here") as caught:
        LocalProvider(ProviderOptions("smollm2"))
    assert caught.value.hint == "fetch it with: anyofk models get smollm2"
    with pytest.raises(UnavailableError, match="no model called"):
        fetch_model("gpt")


def test_a_completion_is_asked_with_its_prompt_alone():
    def script(body, _):
        return {"choices": [{"text": body["prompt"] + "!", "finish_reason": "stop"}]}

    with serving(script) as server:
        options = ProviderOptions("m", server=server.url, completions=True)
        events, _ = drawn(ServerProvider(options), questions(1))
    assert replies(events) == {("a", 0): "Solve a.!"}


def test_every_sampling_field_reaches_the_server_and_null_leaves_one_out():
    extra = {"top_k": 7, "max_tokens": None, "max_completion_tokens": 50}
    sampling = Sampling(0.5, 0.9, 99, ("END",), extra)
    with serving(lambda *_: answer(choice())) as server:
        drawn(ServerProvider(ProviderOptions("m", sampling, server=server.url)), questions(1))
    (body,) = server.asked
    assert {name: body[name] for name in body if name not in {"messages", "seed", "model"}} == {
        "temperature": 0.5,
        "top_p": 0.9,
        "stop": ["END"],
        "top_k": 7,
        "max_completion_tokens": 50,
    }


def test_seeds_are_the_draws_own_and_the_same_again():
    seeds = []
    for _ in range(2):
        with serving(lambda *_: answer(choice())) as server:
            drawn(ServerProvider(ProviderOptions("m", server=server.url)), questions(5, ("a", "b")))
        seeds.append(sorted(body["seed"] for body in server.asked))
    assert seeds[0] == seeds[1]
    assert len(set(seeds[0])) == 10


def test_without_a_seed_none_is_sent():
    with serving(lambda *_: answer(choice())) as server:
        provider = ServerProvider(ProviderOptions("m", server=server.url))
        events, _ = drawn(provider, questions(1), seed=None)
    assert "seed" not in server.asked[0]
    assert events[0].replies[0].seed is None


@pytest.mark.deep
@pytest.mark.skipif(
    find_spec("xllamacpp") is None or not model_path("smollm2").is_file(),
    reason="the local model is not here: pip install 'anyofk[local]', anyofk models get smollm2",
)
def test_the_local_model_answers_and_repeats_itself_by_seed():
    sampling = Sampling(max_tokens=16)
    found = []
    for _ in range(2):
        provider = LocalProvider(ProviderOptions("smollm2", sampling, concurrency=2))
        events, reason = drawn(provider, questions(2), timeout=120, concurrency=2)
        assert reason == ""
        found.append(replies(events))
    assert found[0] == found[1]
    assert len(found[0]) == 2
