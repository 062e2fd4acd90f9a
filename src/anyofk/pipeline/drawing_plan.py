"""What is to be drawn, from whom and how, and what of it is frozen in the manifest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from anyofk import plugins
from anyofk.drawing import (
    SEED_POLICY,
    Budget,
    Patience,
    PromptTemplate,
    Provider,
    ProviderOptions,
    Question,
    Sampling,
    Terms,
    dependence,
    read_template,
)
from anyofk.errors import TooFewDrawsError, UsageError
from anyofk.pipeline.extracting import Extractor
from anyofk.problems import ProblemSet
from anyofk.records import Manifest, to_plain


@dataclass(frozen=True)
class DrawingPlan:
    """What is to be drawn, from whom and how.

    Attributes
    ----------
    model
        ``provider:name``, such as ``openai:my-model`` or ``local:smollm2``.
    n
        Draws of each problem.
    sampling, prompt, revision
        How the model is asked; ``revision`` is what you know of the model and its server does
        not tell.
    seed
        Of the run; none draws without seeds.
    choices
        The most replies a request, where the provider lets one choose.
    completions
        Whether the model goes on with a text, and does not chat.
    rounds
        The most answers of one conversation: above 1, the model sees what its program did on
        the public tests, and repairs it.
    extractor
        How programs are taken out of replies.
    server, key_variable, concurrency, timeout, tries, budget
        How it is reached; none of these can move a number.
    """

    model: str
    n: int = 10
    sampling: Sampling = field(default_factory=Sampling)
    prompt: PromptTemplate = field(default_factory=lambda: read_template("chat"))
    revision: str = ""
    seed: int | None = 0
    choices: int = 1
    completions: bool = False
    rounds: int = 1
    extractor: Extractor = field(default_factory=Extractor)
    server: str | None = None
    key_variable: str | None = None
    concurrency: int = 8
    timeout: float = 600.0
    tries: int = 6
    budget: Budget = field(default_factory=Budget)

    def __post_init__(self) -> None:
        if ":" not in self.model:
            raise UsageError(
                f"{self.model!r} is no model",
                hint="write provider:name; providers: " + ", ".join(plugins.names("providers")),
            )
        if self.rounds > 1 and (self.completions or self.choices > 1):
            raise UsageError("rounds of repair need a chat, and one choice at a time")
        least = {"n": self.n, "choices": self.choices, "tries": self.tries, "rounds": self.rounds}
        for name, value in {**least, "concurrency": self.concurrency}.items():
            if value < 1:
                raise UsageError(f"{name} must be at least 1, not {value}")

    def check_attempts(self, ks: tuple[int, ...]) -> None:
        """Refuse k that these draws could not answer, before anything is drawn.

        Raises
        ------
        TooFewDrawsError
            k is larger than n, or larger than 1 where draws are not independent.
        """
        most = max(ks, default=1)
        if most > self.n:
            raise TooFewDrawsError(
                f"pass@{most} needs at least {most} draws of each problem, and n is {self.n}",
                hint=f"draw with -n {most}, or ask for k <= {self.n}; nothing was drawn",
                k=most,
                n=self.n,
            )
        if most > 1 and self.rounds > 1:
            raise TooFewDrawsError(
                f"pass@{most} of conversations of up to {self.rounds} rounds: it counts draws "
                "without feedback",
                hint="ask for k = 1, which is the success within the rounds; nothing was drawn",
                k=most,
            )
        if most > 1 and self.sampling.dependence:
            raise TooFewDrawsError(
                f"pass@{most} of draws that are not independent ({self.sampling.dependence})",
                hint="draw with a temperature above 0, or ask for k = 1; nothing was drawn",
                k=most,
            )

    def provider(self, environment: dict[str, str]) -> Provider:
        """Make the provider; the environment is where a key may come from."""
        name, _, rest = self.model.partition(":")
        options = ProviderOptions(
            model=rest,
            sampling=self.sampling,
            completions=self.completions,
            choices=self.choices,
            server=self.server,
            key_variable=self.key_variable,
            concurrency=self.concurrency,
            timeout=self.timeout,
            environment=environment,
        )
        make: Callable[[ProviderOptions], Provider] = plugins.load("providers", name)
        return make(options)

    def terms(self) -> Terms:
        """Say on which terms is drawn."""
        return Terms(
            concurrency=self.concurrency,
            patience=Patience(self.tries, self.timeout * self.rounds),
            budget=self.budget,
            seed=self.seed,
            token_limit=self.sampling.token_limit * self.rounds,
        )

    def questions(
        self, missing: Iterator[tuple[str, tuple[int, ...]]], problems: ProblemSet
    ) -> Iterator[Question]:
        """Ask for the draws that are missing."""
        for problem, draws in missing:
            prompt = self.prompt.render(problems[problem])
            yield Question(problem, draws, prompt, self.prompt.system)

    def manifest(self, served: dict[str, Any], *, block: int) -> Manifest:
        """Freeze everything that can move a number, beside problems and judging.

        ``served`` is what the provider says of itself, ``block`` how many replies one request
        asks for: with one seed a request, that moves draws.
        """
        recorded = served.get("recorded")
        settings = self._settings() if recorded is None else recorded["settings"]
        rounds = self.rounds if recorded is None else recorded["drawing"].get("rounds", 1)
        # feedback makes a conversation of a draw: what counts draws must not count it
        reason = f"{rounds} rounds of repair" if rounds > 1 else dependence(settings)
        candidates = {
            "extraction": self.extractor.version,
            "settings": to_plain(settings),
            "deterministic": bool(reason),
            "dependence": reason,
        }
        how = self._how(block) if recorded is None else recorded["drawing"]
        facts = {name: value for name, value in served.items() if name != "recorded"}
        drawing = {**how, "n": self.n, "served": to_plain({**how.get("served", {}), **facts})}
        return Manifest({"candidates": candidates, "drawing": drawing})

    def _settings(self) -> dict[str, Any]:
        provider, _, model = self.model.partition(":")
        whose = {"model": model, "provider": provider, "revision": self.revision}
        return {**self.sampling.fields(), **whose}

    def _how(self, block: int) -> dict[str, Any]:
        """Say how a model is asked; a recording is not asked, and has its own settings."""
        return {
            "block": block,
            "seed": self.seed,
            "seeds": "none" if self.seed is None else SEED_POLICY,
            "prompt": self.prompt.facts(),
            "completions": self.completions,
            "rounds": self.rounds,
        }
