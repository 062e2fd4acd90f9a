"""Computing what is expected: the reference alone in a jailed process, on fresh arguments.

No candidate ever shares this process or its objects.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from anyofk.judging.codec import CodecError, Json, decode, dumps, encode
from anyofk.judging.digests import LONG, digest
from anyofk.judging.inside.program import adapted, compiled, module, seed


def run(job: Any) -> None:
    """Call the reference on each list of arguments; write the results on standard output."""
    order = json.loads(job.payload)
    results = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    try:
        data = dumps(["results", _results(order)])
    except BaseException as error:  # noqa: BLE001 -- whatever a reference raises is told
        data = dumps(["failed", f"{type(error).__name__}: {str(error)[:300]}"])
    sys.stdout.flush()
    view = memoryview(data)
    while view:
        view = view[os.write(results, view) :]


def _results(order: Json) -> list[Json]:
    names = module().__dict__
    seed(order["seed"])
    exec(compiled(order["program"]), names)  # noqa: S102 -- this process exists to run it
    adapted(names, [order["entry"]])
    function = names[order["entry"]]
    return [
        _expected(function(*[decode(argument) for argument in arguments]))
        for arguments in order["calls"]
    ]


def _expected(value: Any) -> Json:
    """Write a result, a long one as its digest where that can be."""
    data = encode(value)
    if len(dumps(data)) < LONG:
        return data
    try:
        return {"X": digest(value)}
    except CodecError:
        return data
