"""Replay: the recorded replies of a model, in its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from anyofk.drawing.provider import Abilities, Came, ProviderOptions, Question, Trouble, Usage
from anyofk.drawing.recording import Recording, open_recording


class ReplayProvider:
    """Give recorded replies: ``replay:PATH`` of a stored run or a file of JSON Lines."""

    abilities = Abilities(most=1, seeds=False, completions=True)

    def __init__(self, options: ProviderOptions) -> None:
        self._path = Path(options.model)
        self._recording: Recording | None = None

    async def open(self) -> dict[str, Any]:
        """Open the recording; name it by its content, and say how it was drawn."""
        recording = self._recording = open_recording(self._path)
        how = {"settings": recording.settings, "drawing": recording.drawing}
        return {"recording": recording.identity, "recorded": how}

    async def ask(self, question: Question) -> Came:
        """Give the replies of these very draws."""
        found = []
        for draw in question.draws:
            reply = self._recording and self._recording.reply(question.problem, draw)
            if not reply:
                raise Trouble(f"the recording has no draw {draw} of it", again=False)
            found.append(reply)
        tokens = [reply.tokens for reply in found if reply.tokens is not None]
        return Came(tuple(found), Usage(None, sum(tokens) if tokens else None))

    async def close(self) -> None:
        """Close the recording."""
        if self._recording is not None:
            self._recording.close()
