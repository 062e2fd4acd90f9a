"""What is done once in a zygote so that its children touch few pages."""

import subprocess
import sys

import pytest

PROGRAM = """
import sys
from anyofk.sandbox.warming import fill_gaps
kept = [bytes(63) for _ in range(20_000)]
del kept[::40]  # gaps in every pool
if sys.argv[1] == "filled":
    fill_gaps()
made = [bytes(63) for _ in range(60)]
print(len({id(value) >> 14 for value in made}))
"""


def pools(how):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, how], capture_output=True, text=True, check=True
    )
    return int(done.stdout)


@pytest.mark.skipif(
    sys.implementation.name != "cpython", reason="another interpreter lays objects out otherwise"
)
def test_what_is_made_after_the_gaps_are_filled_lies_close_together():
    assert pools("filled") <= 3 < pools("as it is")
