"""The cases, and the verdicts of the probes, which run together in one sandboxed process."""

import importlib.util
import runpy
from pathlib import Path

import pytest

from anyofk.extraction import extract

HERE = Path(__file__).resolve().parent


def _probing():
    spec = importlib.util.spec_from_file_location("extraction_probing", HERE / "probing.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def own_cases():
    for path in sorted((HERE / "cases").glob("*.py")):
        for case in runpy.run_path(str(path))["CASES"]:
            yield f"{path.stem}: {case['name']}", case


def extracted(case):
    return extract(
        case["reply"],
        mode=case.get("mode", "function"),
        entry_point=case.get("entry", "f"),
        prompt=case.get("prompt", ""),
        finish_reason=case.get("finish", "stop"),
    )


def pytest_generate_tests(metafunc):
    if "own_case" in metafunc.fixturenames:
        cases = dict(own_cases())
        metafunc.parametrize("own_case", list(cases.values()), ids=list(cases))


@pytest.fixture(scope="session")
def all_own_cases():
    """Every own case with its name, in order."""
    return list(own_cases())


@pytest.fixture(scope="session")
def probe():
    """Run programs with their probes in namespaces of their own: one verdict each."""
    probing = _probing()
    if not probing.available():
        pytest.skip("this machine allows no namespaces for the probes")
    return probing.run_all


@pytest.fixture(scope="session")
def probe_verdicts(probe):
    """The verdict of each own case that has a probe, by name."""
    cases = {name: case for name, case in own_cases() if "probe" in case or "stdin" in case}
    jobs = [
        {
            "program": extracted(case).code or "raise SystemExit('no program')",
            "probe": case.get("probe", ""),
            "stdin": case.get("stdin"),
            "stdout": case.get("stdout", ""),
        }
        for case in cases.values()
    ]
    return dict(zip(cases, probe(jobs), strict=True))


@pytest.fixture
def read():
    """Extract by a case's fields."""
    return extracted
