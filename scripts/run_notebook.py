"""Run the code cells of a notebook in their order, with plain Python; no notebook package.

python scripts/run_notebook.py NOTEBOOK          run it, and store what it shows
python scripts/run_notebook.py NOTEBOOK --check  run it, and fail if it shows anything else

A cell whose metadata has the tag "varies" may show other digits elsewhere, as random numbers do
under another numpy and logarithms on another machine; its assertions must hold all the same.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any


def main() -> int:
    """Run the notebook; give 1 if --check finds that it shows something else."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notebook", type=Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    notebook = json.loads(arguments.notebook.read_text(encoding="utf-8"))
    other = list(_run(notebook["cells"], check=arguments.check))
    for number, shown in other:
        print(f"cell {number} now shows:\n{shown}")
    if not arguments.check:
        text = json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"
        arguments.notebook.write_text(text, encoding="utf-8")
    return 1 if other else 0


def _run(cells: list[dict[str, Any]], *, check: bool) -> Any:
    """Run the cells; yield those that show something else than before."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, cell in enumerate((c for c in cells if c["cell_type"] == "code"), start=1):
        outputs = _outputs(f"cell {number}", "".join(cell["source"]), names, number)
        varies = "varies" in cell["metadata"].get("tags", [])
        if check and outputs != cell["outputs"] and not varies:
            yield number, json.dumps(outputs, ensure_ascii=False, indent=1)
        if not check:
            cell["outputs"], cell["execution_count"] = outputs, number


def _outputs(name: str, source: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """Run one cell: what it prints, then the value of its last line if that is an expression."""
    tree = ast.parse(source, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, name, "exec"), names)  # noqa: S102 - our own notebook
        if last is not None:
            value = eval(compile(ast.Expression(last.value), name, "eval"), names)  # noqa: S307 - as above
    found: list[dict[str, Any]] = []
    if printed.getvalue():
        text = _lines(printed.getvalue())
        found.append({"name": "stdout", "output_type": "stream", "text": text})
    if value is not None:
        found.append(
            {
                "data": _shown(value),
                "execution_count": number,
                "metadata": {},
                "output_type": "execute_result",
            }
        )
    return found


def _shown(value: Any) -> dict[str, list[str]]:
    data = {"text/plain": _lines(repr(value))}
    if hasattr(value, "_repr_html_"):
        data["text/html"] = _lines(value._repr_html_())
    return data


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


if __name__ == "__main__":
    sys.exit(main())
