"""What the package shows, and what showing it costs."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import anyofk

ROOT = Path(__file__).resolve().parents[1]
HEAVY = ("torch", "jax", "ray", "pydantic", "httpx", "transformers", "rich", "scipy", "numpy")


def modules_after(statement):
    code = f"{statement}\nimport sys\nprint(*sorted(sys.modules), sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_the_public_names_are_sorted_and_all_load():
    assert anyofk.__all__ == sorted(anyofk.__all__)
    assert set(anyofk.__all__) == set(anyofk._HOMES)
    for name in anyofk.__all__:
        assert getattr(anyofk, name) is getattr(import_module(anyofk._HOMES[name]), name)


def test_no_public_name_is_a_module_of_the_package_once_everything_is_loaded():
    code = (
        "import anyofk, pkgutil, importlib\n"
        "for m in pkgutil.iter_modules(anyofk.__path__):\n"
        "    m.name == '__main__' or importlib.import_module(f'anyofk.{m.name}')\n"
        "print(*(n for n in anyofk.__all__ if type(getattr(anyofk, n)).__name__ == 'module'))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_an_unknown_public_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = anyofk.no_such_name


def test_every_public_name_is_documented():
    undocumented = [n for n in anyofk.__all__ if not (getattr(anyofk, n).__doc__ or "").strip()]
    assert undocumented == []


def test_importing_the_package_loads_nothing_heavy():
    assert not modules_after("import anyofk") & set(HEAVY)


def test_the_pins_name_no_address_and_carry_hashes():
    lines = (ROOT / "requirements.txt").read_text("utf-8").splitlines()
    assert not [line for line in lines if "://" in line or line.startswith(("--index", "--find"))]
    pins = [line for line in lines if "==" in line]
    hashes = [line for line in lines if "--hash=sha256:" in line]
    assert len(pins) <= len(hashes)
