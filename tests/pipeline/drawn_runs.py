"""Models and judges of a test's own, for runs that are drawn."""

from anyofk.drawing import Abilities, Came, Choice, Sampling, Trouble, Usage
from anyofk.pipeline import DrawingPlan, DrawnRun, JudgingSettings, problem_set
from anyofk.records import Outcome, Problem, Tests, Verdict

LEAST = JudgingSettings(level="none", allow_weak="none")


def problem(name, **fields):
    tests = (Tests(code="assert f(2) == 4"),)
    return Problem(name, prompt=f"Double {name}.", entry_point="f", tests=tests, **fields)


PROBLEMS = problem_set([problem("a"), problem("b"), problem("c")])


class Model:
    """A model that says ``text(problem, draw)``, or raises it; it keeps what it was asked."""

    def __init__(self, text=None, *, most=1, served=None):
        self.text = text or (lambda problem, draw: f"```python\ndef f(x):\n    return {draw}\n```")
        self.abilities = Abilities(most=most)
        self.served = served or {"id": "m"}
        self.asked = []

    async def open(self):
        return self.served

    async def ask(self, question):
        self.asked.extend((question.problem, draw) for draw in question.draws)
        said = [self.text(question.problem, draw) for draw in question.draws]
        for one in said:
            if isinstance(one, Exception):
                raise one
        choices = tuple(one if isinstance(one, Choice) else Choice(one, "stop") for one in said)
        return Came(choices, Usage(10, 5 * len(choices)), "m")

    async def close(self):
        pass


class Judge:
    """A judge that lets a program pass if it returns an even number; it keeps what it judged."""

    def __init__(self, outcome=None):
        self.outcome = outcome or (
            lambda one: Outcome.PASSED if one.text.strip()[-1:] in "02468" else Outcome.WRONG_ANSWER
        )
        self.judged = []

    def __call__(self, pairs):
        for pair in pairs:
            if pair is not None:
                _, candidate = pair
                self.judged.append((candidate.problem, candidate.draw))
                yield Verdict(
                    candidate.problem, candidate.draw, self.outcome(candidate), cpu_s=0.25
                )


def plan(n=4, **options):
    return DrawingPlan(**{"model": "test:m", "n": n, "tries": 1, **options})


def run(path, whom=None, judge=None, problems=PROBLEMS, **options):
    """Do a run to its end; give the verdicts and the run's end."""
    fields = {
        name: options.pop(name) for name in ("fresh", "extend", "judge_each") if name in options
    }
    settings = options.pop("settings", LEAST)
    with DrawnRun(
        path,
        problems,
        options.pop("plan", None) or plan(**options),
        settings,
        provider=whom or Model(),
        judge=judge or Judge(),
        **fields,
    ) as work:
        return list(work), work.ended


def unavailable(*_):
    return Trouble("HTTP 503", again=False)


GREEDY = Sampling(temperature=0)
