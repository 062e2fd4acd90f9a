"""The corpus against the jail: nothing hostile passes, everything honest does.

Hostile programs run nowhere but in a jail that has just passed its self-test.
"""

import dataclasses
import functools
import os
import random

import pytest

from anyofk.errors import SandboxError
from anyofk.judging import Calibrations, judge_all
from anyofk.records import Outcome
from anyofk.sandbox import Zygote, ZygoteSpec
from anyofk.testing import check_sandbox, honest_corpus, hostile_corpus, unprotected

pytestmark = pytest.mark.hostile

LEVEL = "jail"
SEED = int(os.environ.get("ANYOFK_CORPUS_SEED", "0"))


@pytest.fixture(scope="module", autouse=True)
def jail():
    """Skip where no jail can be had; the reason says why."""
    try:
        with Zygote.start(ZygoteSpec(level=LEVEL)) as zygote:
            assert all(zygote.hello.held.values()), zygote.hello.held
    except SandboxError as fault:
        pytest.skip(f"no {LEVEL} can be had on this machine: {fault.message}")


@pytest.mark.timeout(600)
def test_no_attack_passes_or_breaks_and_every_honest_program_passes(tmp_path, capsys):
    judge = functools.partial(judge_all, level=LEVEL, calibrations=Calibrations(tmp_path))
    check_sandbox(judge, level=LEVEL, seed=SEED)
    with capsys.disabled():
        hostile, honest = len(hostile_corpus()), len(honest_corpus())
        print(  # noqa: T201 - a line for people and for CI
            f"\nhostile corpus: run at level {LEVEL} ({hostile} hostile, {honest} honest)"
        )


def proved_by(*proofs):
    return [program for program in hostile_corpus() if program.proof in proofs]


def test_a_harness_that_believes_exit_code_or_output_is_fooled_by_what_claims_so():
    with unprotected.start(LEVEL) as zygote:
        unproved = [p.id for p in proved_by("joined", "printed") if not is_fooled(zygote, p)]
    assert unproved == []


def is_fooled(zygote, program):
    return unprotected.fooled(zygote, program)


def test_the_harness_that_can_be_fooled_still_tells_right_from_wrong():
    program = proved_by("joined")[0]
    right = dataclasses.replace(program.candidate, text=program.problem.reference)
    wrong = dataclasses.replace(program.candidate, text="def span(low, high):\n    return -1\n")
    with unprotected.start(LEVEL) as zygote:
        told = [
            is_fooled(zygote, dataclasses.replace(program, candidate=c)) for c in (right, wrong)
        ]
    assert told == [True, False]


def test_one_process_for_candidate_and_test_is_fooled_by_what_claims_so(tmp_path):
    programs = {p.candidate.draw: p for p in proved_by("inprocess")}
    pairs = [
        (dataclasses.replace(p.problem, mode="inprocess"), p.candidate) for p in programs.values()
    ]
    random.Random(SEED).shuffle(pairs)  # noqa: S311 - an order, no secret
    verdicts = judge_all(
        pairs, level=LEVEL, allow_inprocess=True, calibrations=Calibrations(tmp_path)
    )
    unproved = [programs[v.draw].id for v in verdicts if v.outcome is not Outcome.PASSED]
    assert unproved == []
