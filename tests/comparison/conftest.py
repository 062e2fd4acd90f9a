import json
import warnings
from dataclasses import dataclass, field

import pytest

from anyofk import Counts
from anyofk.comparison import compare, compare_all
from anyofk.records import Manifest


@dataclass
class Recorded:
    """What answers like a stored run: counts and a manifest."""

    name: str
    rows: dict
    content: dict = field(default_factory=dict)

    def counts(self):
        return [Counts(problem, n, c) for problem, (n, c) in self.rows.items()]

    @property
    def manifest(self):
        return Manifest(self.content)


@pytest.fixture
def recorded():
    """Make a run from its counts and the settings that differ from the usual."""

    def make(name, rows, *, ids=None, candidates=None, judging=None, **content):
        settings = {"model": name, "temperature": 0.8, "max_tokens": 512}
        base = {
            "candidates": {
                "digest": f"sha256:{name}",
                "settings": {**settings, **(candidates or {})},
                "deterministic": (candidates or {}).get("temperature") == 0,
            },
            "judging": {"level": "jail", "time_limit": 3.0, "memory_mb": 1024, **(judging or {})},
            "packages": {"numpy": "2.0.0"},
            "problems": {
                "name": "set",
                "ids": ids or {problem: f"id-{problem}" for problem in rows},
            },
        }
        return Recorded(name, rows, {**base, **content})

    return make


@pytest.fixture
def quietly():
    """Call compare or compare_all without warnings, which other tests look at."""

    def call(*arguments, of=compare, **options):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            return of(*arguments, **options)

    def several(*arguments, **options):
        return call(*arguments, of=compare_all, **options)

    call.several = several
    return call


@pytest.fixture(scope="session")
def cases(shared):
    lines = (shared / "cases" / "cases_shared.jsonl").read_text(encoding="utf-8").splitlines()
    return {case["id"]: case for case in map(json.loads, lines)}


@pytest.fixture(scope="session")
def published(shared):
    """Real counts of two models on 1060 prompts, 128 draws each."""
    text = (shared / "golden" / "published_counts.json").read_text(encoding="utf-8")
    data = json.loads(text)
    n = int(data["n"])
    base, trained = (
        {problem: (n, c) for problem, c in zip(data["id"], data[key], strict=True)}
        for key in ("c_base", "c_rl")
    )
    return base, trained, data
