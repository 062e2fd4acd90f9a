"""Mode ``stdio``: run a whole program as ``__main__`` on the real streams."""

from __future__ import annotations

import json
import sys
import types
from typing import Any

from anyofk.judging.inside.candidate import described
from anyofk.judging.inside.program import Uncompilable, compiled, seed


def run(job: Any) -> None:
    """Run one program on the standard input that the job came with."""
    order = json.loads(job.payload)
    job.report(json.dumps(_ended(order["program"], order["seed"])).encode("ascii"))


def _ended(program: str, number: int) -> Any:
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    sys.argv[:] = ["program"]
    try:
        code = compiled(program, "program")
        if "random" in program:
            seed(number)
        exec(code, main.__dict__)  # noqa: S102 -- this process exists to run it
        sys.stdout.flush()
    except Uncompilable as error:
        return ["syntax", str(error)[:1000]]
    except SystemExit as error:
        return _left(error)
    except BaseException as error:  # noqa: BLE001 -- whatever a program raises is told
        return _flushed(described(error))
    return ["done"]


def _left(error: SystemExit) -> Any:
    """A program may end by sys.exit: what it wrote still counts, unless the status says failed."""
    done = error.code is None or error.code == 0
    return _flushed(["done"] if done else ["status", str(error.code)[:200]])


def _flushed(told: Any) -> Any:
    try:
        sys.stdout.flush()
    except BaseException as error:  # noqa: BLE001 -- a closed or full stream
        return described(error)
    return told


def warm_up() -> None:
    """Go once the way that every program goes, so that no child pays for first uses."""
    before = sys.modules["__main__"], sys.argv[:]
    for program in ("x = [i for i in range(3)]", "1 / 0", "raise SystemExit", "x ="):
        json.dumps(_ended(program, 1))
    sys.modules["__main__"], sys.argv[:] = before
