"""The field cases about drawing, of those that are beside a checkout."""

import json

import pytest
from asked import drawn, questions, replies, server_provider
from servers import Page, answer, choice, serving

from anyofk.drawing import Price
from anyofk.records import Request
from anyofk.store.draw_writer import DrawWriter


@pytest.fixture(scope="module")
def cases(shared):
    lines = (shared / "cases" / "cases_shared.jsonl").read_text("utf-8").splitlines()
    found = {case["id"]: case for case in map(json.loads, lines) if case["kind"] == "generate"}
    assert len(found) == 5
    return found


def test_fewer_choices_than_asked_for(cases):
    case = cases["S-generate-01"]
    with serving(lambda *_: case["input"]["response"]) as server:
        n = case["input"]["request"]["n"]
        drawn(server_provider(server, choices=n), questions(n, block=n))
    counted = [body.get("n", 1) for body in server.asked]
    assert counted[0] - counted[1] == case["right"]["samples"]
    assert counted[1] == case["right"]["ask_again"]


def test_cut_by_the_token_limit_while_reasoning(cases):
    case = cases["S-generate-02"]
    with serving(lambda *_: case["input"]["response"]) as server:
        provider = server_provider(server)
        events, _ = drawn(provider, questions(1))
    (reply,) = events[0].replies
    assert (reply.text, reply.finish_reason, reply.reasoning) == ("", "length", "We need...")


def test_all_tries_failed(cases):
    case = cases["S-generate-03"]
    statuses = case["input"]["attempts"]
    with serving(lambda _, number: Page({}, statuses[number])) as server:
        tries = case["input"]["max_attempts"]
        events, _ = drawn(server_provider(server), questions(1), tries=tries)
    assert (len(server.asked), replies(events), events[0].missing) == (4, {}, (0,))


def test_resume_asks_for_exactly_the_missing_draws(cases, tmp_path):
    from anyofk.records import Candidate, Manifest, Problem  # noqa: PLC0415 - for this test alone

    case = cases["S-generate-04"]["input"]
    problems = [Problem(name) for name in case["tasks"]]
    with DrawWriter(tmp_path / "run.db") as writer:
        have = [Candidate(problem, draw, "x") for problem, draw in case["have"]]
        writer.begin(Manifest(), Manifest(), problems, have)
        asked = [(p, d) for p, draws in writer.missing(case["n"]) for d in draws]
    assert sorted(asked) == [tuple(place) for place in cases["S-generate-04"]["right"]["ask"]]


def test_failed_tries_whose_usage_is_known_are_paid(cases):
    case = cases["S-generate-05"]
    price = Price(*case["input"]["price_per_million"].values())
    first, lost = case["input"]["calls"]
    failed = answer(
        *[choice("x", None)] * 4, usage=(lost["prompt_tokens"], lost["completion_tokens"])
    )
    good = answer(
        *[choice("x = 1")] * 4, usage=(first["prompt_tokens"], first["completion_tokens"])
    )
    with serving(lambda _, number: good if number else failed) as server:
        events, _ = drawn(server_provider(server, choices=4), questions(4, block=4))
    assert price.of(events[0].request) == pytest.approx(case["right"]["cost"])
    assert isinstance(events[0].request, Request)
