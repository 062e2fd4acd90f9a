"""Make the synthetic candidates of the demo; see make-demo-candidates.

python scripts/demo_candidates.py [--seed 0] [-n 12]
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from basics_trial import fate, passes
from mutants import mutants

from anyofk.problems import read_problems
from anyofk.records import Problem

HERE = Path(__file__).parent
CANDIDATES = HERE.parent / "src/anyofk/problems/demo/candidates.jsonl"
SECONDS = 1.0
# How often each kind of wrong answer is drawn; "mistake" is one written by hand.
WEIGHTS = {
    "mistake": 36,
    "mutant": 34,
    "misspelt": 7,
    "cut_off": 5,
    "no_colon": 3,
    "prints": 4,
    "wrong_type": 3,
    "renamed": 4,
    "empty": 3,
    "endless": 2,
    "leaves": 2,
}


def main() -> int:
    """Write the file and tell how it is spread."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-n", type=int, default=12)
    arguments = parser.parse_args()
    answers = tomllib.loads((HERE / "demo_answers.toml").read_text())["answers"]
    problems = read_problems("basics")
    lines = []
    for answer in answers:
        problem = problems[answer["problem"]]
        rng = random.Random(f"{arguments.seed}/{problem.id}")  # noqa: S311  # reproducible, no secret
        for draw, text in enumerate(_draws(problem, answer, arguments.n, rng)):
            lines.append(json.dumps(_line(problem, draw, text, rng), ensure_ascii=False))
    CANDIDATES.parent.mkdir(exist_ok=True)
    CANDIDATES.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} candidates for {len(answers)} problems in {CANDIDATES.name}")
    return 0


def _draws(problem: Problem, answer: dict[str, Any], n: int, rng: random.Random) -> list[str]:
    """Choose n answers to one problem, in a random order."""
    rights = [problem.reference or "", *answer["right"]]
    for right in rights:
        _expect(problem, right, passed=True)
    chosen = [rng.choice(rights) for _ in range(answer["solved"])]
    wrongs = _wrongs(problem, answer["wrong"], rng)
    chosen += [next(wrongs) for _ in range(n - len(chosen))]
    rng.shuffle(chosen)
    return [text.strip("\n") + "\n" if text else "" for text in chosen]


def _wrongs(problem: Problem, mistakes: list[str], rng: random.Random) -> Iterator[str]:
    """Yield wrong answers without end; each has been seen to fail."""
    for mistake in mistakes:
        _expect(problem, mistake, passed=False)
    reference = problem.reference or ""
    bad_mutants = [
        m.source for m in mutants(reference) if fate(problem, m.source, SECONDS) == "failed"
    ]
    kinds = [kind for kind in WEIGHTS if mistakes or kind != "mistake"]
    while True:
        kind = rng.choices(kinds, [WEIGHTS[kind] for kind in kinds])[0]
        if kind == "mistake":
            yield rng.choice(mistakes)
        elif kind == "mutant":
            yield rng.choice(bad_mutants)
        else:
            text = SPOILED[kind](reference, rng)
            _expect(problem, text, passed=False)
            yield text


def _expect(problem: Problem, program: str, *, passed: bool) -> None:
    if passes(problem, program, SECONDS) is not passed:
        raise SystemExit(f"an answer to {problem.id} is not as meant: {program!r}")


def _misspelt(program: str, rng: random.Random) -> str:
    """Use a name that nothing defines."""
    tree = ast.parse(program)
    used = [n for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)]
    values = [n for n in used if n.id not in {"str", "int", "float", "bool", "list", "dict"}]
    name = rng.choice(values or used)
    name.id += "s"
    return ast.unparse(tree)


def _cut_off(program: str, rng: random.Random) -> str:
    """Stop in the middle, as at a token limit."""
    whole = program.strip("\n")
    return whole[: -rng.randint(4, len(whole) // 3)]


def _no_colon(program: str, _rng: random.Random) -> str:
    """Forget the first colon at the end of a line, or a bracket."""
    return program.replace(":\n", "\n", 1) if ":\n" in program else program.replace(")", "", 1)


def _wrong_type(program: str, _rng: random.Random) -> str:
    """Give back the answer wrapped into something else."""
    wrap = r"return [\1]" if "-> str:" in program else r"return str(\1)"
    spoiled = re.sub(r"return (.+)", wrap, program)
    return spoiled if spoiled != program else program.replace("print(", "print('answer:', ")


def _prints(program: str, _rng: random.Random) -> str:
    """Print the answer instead of giving it back, or the other way round."""
    spoiled = re.sub(r"return (.+)", r"print(\1)", program)
    return spoiled if spoiled != program else program.replace("print(", "str(")


def _renamed(program: str, _rng: random.Random) -> str:
    """Define the function under another name, or read another name."""
    renamed = re.sub(r"^def (\w+)", r"def solve", program, flags=re.MULTILINE)
    return renamed if renamed != program else program.replace("print(", "write(")


def _endless(program: str, _rng: random.Random) -> str:
    """Wait for something that does not happen."""
    loop = "waiting = 0\n{0}while waiting < 1:\n{0}    waiting = waiting * 2\n{0}"
    spoiled = re.sub(
        r"\):\n    |\) -> .*:\n    ", lambda m: m[0] + loop.format("    "), program, count=1
    )
    return spoiled if spoiled != program else loop.format("") + program.lstrip("\n")


def _leaves(program: str, _rng: random.Random) -> str:
    """Leave the process instead of answering."""
    spoiled = re.sub(r"return .+", "raise SystemExit(0)", program)
    return spoiled if spoiled != program else "raise SystemExit(0)\n" + program


SPOILED: dict[str, Callable[[str, random.Random], str]] = {
    "misspelt": _misspelt,
    "cut_off": _cut_off,
    "no_colon": _no_colon,
    "prints": _prints,
    "wrong_type": _wrong_type,
    "renamed": _renamed,
    "empty": lambda _program, _rng: "",
    "endless": _endless,
    "leaves": _leaves,
}


def _line(problem: Problem, draw: int, text: str, rng: random.Random) -> dict[str, Any]:
    """Write one candidate: the whole program, or what continues the prompt."""
    head, _, body = text.partition("\n")
    continues = problem.prompt_is_code and re.match(rf"def {problem.entry_point}\(.*\).*:$", head)
    whole = {"program": text}
    part = {"completion": body}
    content = part if continues and rng.getrandbits(1) else whole
    return {"problem": problem.id, "draw": draw, **content, "settings": {"source": "synthetic"}}


if __name__ == "__main__":
    sys.exit(main())
