"""Judging what a program wrote by the problem's own checker, in a jail of its own."""

from __future__ import annotations

import json
from typing import Any


def judge(job: Any) -> None:
    """Run ``check(stdin, stdout, expected)`` and report what it says."""
    order = json.loads(job.payload)
    names: dict[str, Any] = {"__name__": "checker"}
    try:
        exec(compile(order["checker"], "<checker>", "exec", dont_inherit=True), names)  # noqa: S102 -- the problem's own code
        right = names["check"](order["stdin"], order["stdout"], order["expected"])
    except Exception as error:  # noqa: BLE001 -- a checker that stops does not accept
        told = ["stopped", f"{type(error).__name__}: {str(error)[:300]}"]
    else:
        told = ["right" if right is True or right == 1 else "wrong", ""]
    job.report(json.dumps(told).encode("ascii"))
