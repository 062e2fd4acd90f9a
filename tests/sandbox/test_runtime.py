"""Which files an interpreter is given, and which are hidden."""

import os
import sys
import venv
from pathlib import Path

import pytest
from zygotes import start

from anyofk.errors import SandboxError
from anyofk.sandbox import packages, runtime
from anyofk.sandbox.packages import package_paths


def make_distribution(place, name, modules, requires=()):
    """Lay out an installed distribution."""
    for module in modules:
        (place / module).mkdir()
        (place / module / "__init__.py").write_text(f"NAME = {module!r}")
    info = place / f"{name.replace('-', '_').replace('.', '_')}-1.0.dist-info"
    info.mkdir()
    lines = [f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0"]
    lines += [f"Requires-Dist: {requirement}" for requirement in requires]
    (info / "METADATA").write_text("\n".join(lines))
    (info / "top_level.txt").write_text("\n".join(modules))


@pytest.fixture
def site(tmp_path, monkeypatch):
    make_distribution(tmp_path, "Big-Thing", ["bigthing"], ["small_part>=2", "other; extra == 'x'"])
    make_distribution(tmp_path, "small.part", ["smallpart", "smallmore"], ["absent"])
    make_distribution(tmp_path, "other", ["other"])
    (tmp_path / "bigthing.libs").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    packages._distributions.cache_clear()
    yield tmp_path
    packages._distributions.cache_clear()


def test_a_package_comes_with_its_libraries_and_what_it_requires(site):
    found = package_paths(("bigthing",))
    assert set(found) == {"bigthing", "bigthing.libs", "smallpart", "smallmore"}
    assert found["bigthing"] == str(site / "bigthing")


def test_a_named_package_that_is_not_installed_is_refused_with_what_to_do():
    with pytest.raises(SandboxError, match="'no_such_thing'") as refused:
        package_paths(("no_such_thing",))
    assert "pip install no_such_thing" in refused.value.hint


@pytest.mark.usefixtures("site")
def test_a_package_with_requirements_runs_in_the_sandbox():
    runner = start("jail", packages=("bigthing",))
    program = "import bigthing, smallpart; print(bigthing.NAME, smallpart.NAME)"
    assert runner.says(program) == "bigthing smallpart\n"
    program = "try: import other\nexcept ImportError: print('hidden')"
    assert runner.says(program) == "hidden\n"
    runner.zygote.close()


def test_the_masks_cover_every_site_packages_of_this_interpreter():
    masks = set(runtime.masks())
    own = Path(os.__file__).resolve().parent / "site-packages"
    if own.is_dir():
        assert str(own) in masks


def test_no_tree_lies_within_another():
    trees = [tree for tree in runtime.trees() if not os.path.islink(tree)]
    assert not [(a, b) for a in trees for b in trees if a != b and b.startswith(a + "/")]


def test_what_is_readable_without_mounts_leaves_the_masks_out():
    whole, listed = runtime.unmasked()
    for mask in runtime.masks():
        assert not any(mask == path or mask.startswith(path + "/") for path in whole)
        assert mask not in listed


def test_the_interpreter_of_a_virtual_environment_is_the_one_below_it(tmp_path):
    """The sandbox starts that one, so that nothing installed in the environment is seen."""
    venv.create(tmp_path / "env", symlinks=True, with_pip=False)
    inside = tmp_path / "env" / "bin" / "python"
    assert inside.resolve() == Path(sys._base_executable).resolve()
    assert runtime.interpreter() == str(Path(sys._base_executable).resolve())
