"""What drawing costs, and when to stop for it."""

from __future__ import annotations

from dataclasses import dataclass, field

from anyofk.errors import UsageError
from anyofk.records import Request

_CHARACTERS = 3
"""Characters a token at least, where a server does not count the tokens of a prompt."""


@dataclass(frozen=True)
class Price:
    """Money for a million tokens.

    Examples
    --------
    >>> call = Request("p", 4, 4, prompt_tokens=500, completion_tokens=2000)
    >>> Price(2.0, 8.0).of(call)
    0.017
    """

    prompt: float
    completion: float

    def __post_init__(self) -> None:
        if not (self.prompt >= 0 and self.completion >= 0):
            raise UsageError(f"prices must not be negative: {self.prompt}, {self.completion}")

    def of(self, request: Request) -> float:
        """Give what a request costs, as far as its tokens are known."""
        tokens = (request.prompt_tokens or 0, request.completion_tokens or 0)
        return (tokens[0] * self.prompt + tokens[1] * self.completion) / 1e6


@dataclass(frozen=True)
class Budget:
    """When to stop: none is no limit.

    Attributes
    ----------
    tokens, cost
        Of the whole run, what was drawn before included.
    seconds
        Of this session.
    price
        What tokens cost.
    """

    tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None
    price: Price | None = None

    def __post_init__(self) -> None:
        if self.cost is not None and self.price is None:
            raise UsageError(
                "a limit of cost needs a price", hint="give --price IN,OUT for a million tokens"
            )


@dataclass
class Meter:
    """What was spent so far.

    Attributes
    ----------
    tokens, cost
        So far; a request that told no tokens counts with the most that it can have taken, so
        that a silent server cannot run over a budget.
    """

    budget: Budget
    tokens: int = 0
    cost: float = 0.0
    began: float = field(default=0.0)

    def add(self, request: Request, *, prompt: str, token_limit: int) -> None:
        """Count a request."""
        sent = request.tries
        most = Request(
            request.problem,
            request.asked,
            prompt_tokens=_known(request.prompt_tokens, sent * len(prompt) // _CHARACTERS),
            completion_tokens=_known(request.completion_tokens, request.came * token_limit),
        )
        self.tokens += (most.prompt_tokens or 0) + (most.completion_tokens or 0)
        self.cost += self.budget.price.of(most) if self.budget.price else 0.0

    def spent(self, now: float) -> str:
        """Say which limit is reached, or nothing."""
        budget = self.budget
        if budget.tokens is not None and self.tokens >= budget.tokens:
            return f"{self.tokens} of {budget.tokens} tokens are spent"
        if budget.cost is not None and self.cost >= budget.cost:
            return f"{self.cost:.4f} of {budget.cost:g} is spent"
        if budget.seconds is not None and now - self.began >= budget.seconds:
            return f"{budget.seconds:g} s are over"
        return ""


def _known(count: int | None, most: int) -> int:
    return most if count is None else count
