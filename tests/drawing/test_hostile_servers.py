"""No fault of a server becomes an answer, and nothing is drawn twice."""

import time

import pytest
from asked import drawn, facts, questions, replies, server_provider
from servers import Page, answer, choice, serving

from anyofk.drawing import Budget, Price, ProviderOptions
from anyofk.drawing.openai_server import ServerProvider
from anyofk.errors import ProviderError, UsageError

GOOD = answer(choice())
FAULTS = {
    "429": Page({"error": {"message": "slow down"}}, 429),
    "429, told to wait": Page({}, 429, {"Retry-After": "0.05"}),
    "429, told nonsense": Page({}, 429, {"Retry-After": "soon"}),
    "500": Page(b"oops", 500),
    "503": Page(b"", 503),
    "cut in the middle": Page(GOOD, cut=40),
    "cut before the body": Page(GOOD, cut=0),
    "no JSON": Page(b"<html>busy</html>"),
    "half of JSON": Page(b'{"choices": [{"mess'),
    "a list": Page([]),
    "an error inside 200": Page({"error": {"message": "overloaded"}}),
    "no choices": Page(answer()),
    "choices of a wrong type": Page({"choices": "none"}),
    "null content, nothing counted": Page(answer(choice(None), usage=None)),
    "empty content, no tokens": Page(answer(choice(""), usage=(10, 0))),
    "unfinished": Page(answer(choice(reason=None))),
    "aborted": Page(answer(choice("def f(", reason="abort"))),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_tried_again_and_leaves_no_trace_in_the_replies(fault):
    with serving(lambda _, number: FAULTS[fault] if number < 3 else GOOD) as server:
        events, reason = drawn(server_provider(server), questions(2))
    assert reason == ""
    assert set(replies(events)) == {("a", 0), ("a", 1)}
    assert {r.finish_reason for e in events for r in e.replies} == {"stop"}
    assert sum(event.request.tries for event in events) == len(server.asked) == 5


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_without_an_end_is_missing_data(fault):
    with serving(lambda *_: FAULTS[fault]) as server:
        events, _ = drawn(server_provider(server), questions(1), tries=2)
    (event,) = events
    assert (event.replies, event.missing, event.request.came) == ((), (0,), 0)
    assert event.request.error
    assert len(server.asked) == 2


def test_after_some_questions_in_vain_the_rest_is_not_asked():
    with serving(lambda *_: Page(b"", 500)) as server:
        events, reason = drawn(server_provider(server), questions(50), tries=2, concurrency=1)
    assert "no answers: HTTP 500" in reason
    assert len(events) == 3


def test_a_slow_drip_is_ended_by_the_clock():
    slow = Page(GOOD, drip=0.05)
    with serving(lambda _, number: slow if number == 0 else GOOD) as server:
        began = time.monotonic()
        events, _ = drawn(server_provider(server), questions(1), timeout=0.4)
    assert replies(events)
    assert time.monotonic() - began < 5
    assert len(server.asked) == 2


def test_the_wait_that_a_server_asks_for_is_kept_by_all():
    times = []

    def script(_, number):
        times.append(time.monotonic())
        return Page({}, 429, {"Retry-After": "0.6"}) if number == 0 else GOOD

    with serving(script) as server:
        drawn(server_provider(server), questions(3), concurrency=1)
    assert times[1] - times[0] >= 0.6


def test_fewer_choices_are_counted_and_the_rest_is_asked_with_other_seeds():
    with serving(lambda _, number: answer(choice(f"n{number}"))) as server:
        provider = server_provider(server, choices=5)
        events, _ = drawn(provider, questions(5, block=5))
    (event,) = events
    assert replies(events) == {("a", draw): f"n{draw}" for draw in range(5)}
    assert [body.get("n", 1) for body in server.asked] == [5, 4, 3, 2, 1]
    assert len({body["seed"] for body in server.asked}) == 5
    assert event.request.completion_tokens == 25


def test_more_choices_than_asked_for_are_not_used():
    with serving(lambda *_: answer(choice("a"), choice("b"))) as server:
        events, _ = drawn(server_provider(server), questions(1))
    assert list(replies(events).values()) == ["a"]


def test_a_server_that_refuses_many_at_a_time_is_asked_for_fewer():
    def script(body, number):
        n = body.get("n", 1)
        if n > 2:
            return Page({"error": {"message": "1 <= n <= 2"}}, 400)
        return answer(*[choice(f"{number}.{i}") for i in range(n)])

    with serving(script) as server:
        events, _ = drawn(server_provider(server, choices=8), questions(8, block=8))
    assert len(set(replies(events).values())) == 8
    assert [body.get("n", 1) for body in server.asked] == [8, 4, 2, 2, 2, 2]


def test_usage_of_one_choice_alone_is_seen():
    long = choice("x = 1\n" * 40)
    with serving(lambda *_: answer(long, long, long, long, usage=(10, 60))) as server:
        events, _ = drawn(server_provider(server, choices=4), questions(4, block=4))
    assert events[0].request.completion_tokens == 240


@pytest.mark.parametrize("usage", [(-1, -5), ("many", None), (10, 10**9), (True, False)])
def test_usage_that_cannot_be_true_is_not_counted(usage):
    with serving(lambda *_: answer(choice(), usage=usage)) as server:
        events, _ = drawn(server_provider(server), questions(1))
    assert events[0].request.completion_tokens is None


def test_a_reply_of_nothing_that_took_tokens_is_the_models_own():
    with serving(lambda *_: answer(choice(""), usage=(10, 1))) as server:
        events, _ = drawn(server_provider(server), questions(1))
    assert replies(events) == {("a", 0): ""}


def test_reasoning_is_kept_apart():
    thought = choice("42", reasoning_content="six times seven")
    with serving(lambda *_: answer(thought)) as server:
        events, _ = drawn(server_provider(server), questions(1))
    (reply,) = events[0].replies
    assert (reply.text, reply.reasoning) == ("42", "six times seven")


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_refusal_for_good_ends_drawing_at_once(status):
    with serving(lambda *_: Page({"error": "no"}, status)) as server:
        events, reason = drawn(server_provider(server), questions(20), concurrency=1)
    assert (len(server.asked), len(events)) == (1, 1)
    assert f"HTTP {status}" in reason


def test_one_bad_question_does_not_end_the_others():
    def script(body, _):
        long = "Solve a." in body["messages"][-1]["content"]
        return Page({"error": {"message": "too long"}}, 400) if long else GOOD

    with serving(script) as server:
        events, reason = drawn(server_provider(server), questions(2, ("b", "a")), concurrency=1)
    assert reason == ""
    assert set(replies(events)) == {("b", 0), ("b", 1)}
    assert {m for e in events for m in e.missing} == {0, 1}


def test_a_server_that_is_not_there_is_a_clear_error():
    with serving(lambda *_: GOOD) as server:
        pass
    with pytest.raises(ProviderError, match="does not serve us: no connection"):
        drawn(server_provider(server), questions(1))


def test_the_key_is_sent_and_stands_nowhere_else():
    key = "sk-very-secret"
    echo = Page({"error": {"message": f"bad key {key}"}}, 500)
    with serving(lambda *_: echo) as server:
        provider = server_provider(server, environment={"OPENAI_API_KEY": key})
        events, reason = drawn(provider, questions(1), tries=1)
    assert f"authorization: bearer {key}" in server.heads[0].lower()
    assert "bad key ***" in events[0].request.error
    assert key not in repr(events) + reason


@pytest.mark.parametrize(
    ("url", "variable", "sent"),
    [
        ("https://host/v1", None, True),
        ("http://localhost:1/v1", None, True),
        ("http://host/v1", None, False),
        ("http://host/v1", "OPENAI_API_KEY", True),
    ],
)
def test_a_key_goes_in_the_clear_to_another_machine_only_where_it_is_named(url, variable, sent):
    options = ProviderOptions(
        "m", server=url, key_variable=variable, environment={"OPENAI_API_KEY": "k"}
    )
    assert bool(ServerProvider(options)._key) is sent


def test_no_key_in_the_environment_sends_none_and_a_named_one_must_be_there():
    with serving(lambda *_: GOOD) as server:
        drawn(server_provider(server), questions(1))
        assert "authorization" not in server.heads[0].lower()
        with pytest.raises(UsageError, match="'MY_KEY' is not set"):
            server_provider(server, key_variable="MY_KEY")


@pytest.mark.parametrize(
    "url", ["http://me:secret@host/v1", "http://host/v1?api-key=secret", "host:80", "ftp://host/"]
)
def test_an_address_with_a_secret_or_no_host_is_refused_without_saying_it(url):
    class Somewhere:
        pass

    Somewhere.url = url
    with pytest.raises(UsageError) as caught:
        server_provider(Somewhere)
    assert "secret" not in f"{caught.value} {caught.value.hint}"


def test_a_busy_server_is_asked_by_fewer():
    def script(_, number):
        return Page(GOOD, pause=0.02) if number > 12 else Page({}, 429)

    with serving(script) as server:
        drawn(server_provider(server, concurrency=64), questions(60), concurrency=64, tries=20)
    late = server.asked[40:]
    assert late
    assert server.most <= 16


def test_a_budget_of_tokens_stops_between_requests():
    with serving(lambda *_: GOOD) as server:
        events, reason = drawn(
            server_provider(server), questions(20), concurrency=1, budget=Budget(tokens=40)
        )
    assert len(events) == 3  # 15 tokens each
    assert reason == "45 of 40 tokens are spent"


def test_a_silent_server_cannot_run_over_a_budget():
    silent = answer(choice(), usage=None)
    budget = Budget(cost=1.0, price=Price(0.0, 1e6 / 1024))
    with serving(lambda *_: silent) as server:
        events, reason = drawn(server_provider(server), questions(20), concurrency=1, budget=budget)
    assert len(events) == 1
    assert "is spent" in reason


def test_a_budget_of_time_stops():
    with serving(lambda *_: Page(GOOD, pause=0.1)) as server:
        events, reason = drawn(
            server_provider(server), questions(99), concurrency=1, budget=Budget(seconds=0.3)
        )
    assert 1 <= len(events) <= 5
    assert "s are over" in reason


def test_a_budget_of_time_does_not_wait_for_a_server_that_wants_longer():
    wait = Page({}, 429, {"Retry-After": "500"})
    with serving(lambda *_: wait) as server:
        began = time.monotonic()
        events, reason = drawn(
            server_provider(server), questions(9), concurrency=2, budget=Budget(seconds=0.3)
        )
    assert time.monotonic() - began < 10
    assert replies(events) == {}
    assert reason == "" or "over" in reason


def test_a_list_of_models_that_comes_late_is_waited_for():
    class Late(Page):
        sent = 0

        async def send(self, writer):
            self.status = 503 if Late.sent == 0 else 200
            Late.sent += 1
            return await super().send(writer)

    listed = {"data": [{"id": "x"}, {"id": "m", "owned_by": "me", "created": time.time()}]}
    with serving(lambda *_: GOOD) as server:
        server.models = Late(listed)
        assert facts(server_provider(server)) == {"id": "m", "owned_by": "me"}


def test_a_list_without_our_model_says_nothing_of_it():
    with serving(lambda *_: GOOD) as server:
        server.models = Page({"data": [{"id": "x"}, {"id": "y"}]})
        assert facts(server_provider(server)) == {}
        server.models = Page({"data": [{"id": "alias"}]})
        assert facts(server_provider(server)) == {"id": "alias"}
        server.models = Page({}, 404)
        assert facts(server_provider(server)) == {}


def test_any_text_that_json_can_hold_comes_through():
    text = "\ud800 \x00 \U0001f600 \r\n" + "9" * 5000
    with serving(lambda *_: answer(choice(text))) as server:
        events, _ = drawn(server_provider(server), questions(1))
    assert replies(events) == {("a", 0): text}
