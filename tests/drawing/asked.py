"""Asking a provider from a test: all questions, to the end."""

import queue

from anyofk.drawing import (
    Budget,
    Drawing,
    Ended,
    Patience,
    ProviderOptions,
    Question,
    Sampling,
    Terms,
)
from anyofk.drawing.openai_server import ServerProvider
from anyofk.drawing.waiting import BackOff

QUICK = BackOff(first=0.01)


def questions(n, problems=("a",), block=1):
    for first in range(0, n, block):
        for problem in problems:
            draws = tuple(range(first, min(n, first + block)))
            yield Question(problem, draws, f"Solve {problem}.")


def server_provider(server, **options):
    return ServerProvider(
        ProviderOptions(**{"model": "m", "server": server.url, "timeout": 5.0, **options})
    )


def drawn(provider, asked, *, tries=4, timeout=5.0, concurrency=4, budget=None, seed=0):
    """Ask, and give what became of each question, with how it ended."""
    terms = Terms(
        concurrency=concurrency,
        patience=Patience(tries, timeout, QUICK),
        budget=budget or Budget(),
        seed=seed,
        token_limit=Sampling().max_tokens,
    )
    drawing, found = Drawing(provider, terms), queue.SimpleQueue()
    try:
        drawing.open()
        drawing.start(iter(asked), found.put)
        events = []
        while not (events and isinstance(events[-1], Ended)):
            events.append(found.get(timeout=60))
            drawing.took()
    finally:
        drawing.close()
    if events[-1].error:
        raise events[-1].error
    return events[:-1], events[-1].reason


def replies(events):
    return {(r.problem, r.draw): r.text for event in events for r in event.replies}


def facts(provider):
    """Give what a provider says of itself."""
    drawing = Drawing(provider, Terms())
    try:
        return drawing.open()
    finally:
        drawing.close()
