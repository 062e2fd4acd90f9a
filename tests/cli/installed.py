"""The installed command, and small files for it to work on."""

import json
import sys
from pathlib import Path

SCRIPT = Path(sys.executable).with_name("anyofk")

PROBLEMS = [
    {
        "id": name,
        "entry_point": "f",
        "reference": f"def f(x):\n    return x + {step}\n",
        "hidden": f"assert f(1) == {1 + step}\nassert f(5) == {5 + step}",
        "cluster": "even" if step % 2 == 0 else "odd",
    }
    for name, step in (("two", 2), ("three", 3), ("four", 4))
]
KINDS = {
    "passed": "def f(x):\n    return x + {step}\n",
    "wrong_answer": "def f(x):\n    return x\n",
    "exception": "def f(x):\n    return x['a']\n",
    "syntax_error": "def f(x)\n    return x\n",
    "missing_entry_point": "def g(x):\n    return x\n",
    "no_code": "",
    "timeout": "def f(x):\n    while True:\n        pass\n",
}


QUICK = tuple(kind for kind in KINDS if kind != "timeout")


def samples(kinds=QUICK, names=("two", "three", "four")):
    """Make lines of candidates, one of each kind for each problem."""
    steps = {"two": 2, "three": 3, "four": 4}
    return [
        {"task_id": name, "solution": KINDS[kind].replace("{step}", str(steps[name]))}
        for name in names
        for kind in kinds
    ]


def write_lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path
