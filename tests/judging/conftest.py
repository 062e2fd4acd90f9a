"""What the tests of judging share: a sandbox that holds, and namespaces of their own."""

import sys

import pytest

from anyofk.errors import SandboxError
from anyofk.judging.calibrations import Calibrations
from anyofk.judging.levels import checked_level
from anyofk.judging.one import close_bench


@pytest.fixture(scope="session")
def level():
    try:
        found = checked_level(None, None)
    except SandboxError as error:
        pytest.fail(f"no sandbox holds here, so nothing can be judged: {error}")
    return found


@pytest.fixture
def kept(tmp_path):
    return Calibrations(tmp_path / "calibrations")


@pytest.fixture(autouse=True, scope="session")
def _end_of_the_bench():
    yield
    close_bench()


@pytest.fixture
def told(capsys):
    """Say something on the terminal, whatever is captured."""

    def say(words):
        with capsys.disabled():
            sys.stdout.write(f"\n{words}\n")

    return say
