"""Write the recorded replies of `anyofk demo` out of a stored run of the model that is named there.

python scripts/demo_replies.py RUN.db > src/anyofk/problems/demo/replies.jsonl
"""

from __future__ import annotations

import json
import sys

from anyofk.store import Run

REPLIES = (
    "SELECT problem, draw, CAST(replies.text AS TEXT), finish_reason, seed, tokens "
    "FROM replies JOIN problems USING (position) ORDER BY position, draw"
)


def main() -> None:
    """Print one line for each reply, with how it was drawn."""
    with Run(sys.argv[1]) as run:
        candidates = run.manifest.content["candidates"]["settings"]
        served = run.manifest.content["drawing"]["served"]
        drawn = {**candidates, "model_sha256": served["sha256"], "runtime": served["runtime"]}
        settings = {**drawn, "date": run.created[:10]}
        for problem, draw, reply, reason, seed, tokens in run.query(REPLIES):
            line = {"problem": problem, "draw": draw, "reply": reply, "finish_reason": reason}
            own = {"seed": seed, "tokens": tokens, "settings": settings}
            print(json.dumps({**line, **own}, ensure_ascii=True))


if __name__ == "__main__":
    main()
