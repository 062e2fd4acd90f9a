"""Command: any program that reads questions and writes replies, as JSON Lines."""

from __future__ import annotations

import asyncio
import json
import shlex
from contextlib import suppress
from itertools import count
from typing import Any, Final

from anyofk.drawing.openai_reading import read_answer
from anyofk.drawing.provider import Abilities, Came, ProviderOptions, Question, Trouble
from anyofk.errors import ProviderError, UsageError

_LONGEST_LINE: Final = 64 << 20


class CommandProvider:
    """Ask a program: ``command:PROGRAM ARGUMENTS``, one for the whole session.

    It reads a line for each question, ``{"id", "problem", "prompt", "system", "n", "seed",
    "temperature", ...}``, and writes a line for each, in any order: the same ``id`` with
    ``choices`` and perhaps ``usage`` as OpenAI's servers have them, or with ``error``.
    """

    def __init__(self, options: ProviderOptions) -> None:
        self._options = options
        self._words = shlex.split(options.model)
        if not self._words:
            raise UsageError("no program stands behind 'command:'", hint="command:./ask.py --fast")
        self.abilities = Abilities(most=options.choices, seeds=True, completions=True)
        self._numbers = count()
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None

    async def open(self) -> dict[str, Any]:
        """Start the program."""
        await self._running()
        return {"command": self._words}

    async def _running(self) -> asyncio.subprocess.Process:
        """Give the program, started again where it has ended."""
        if self._process is not None and self._process.returncode is None:
            return self._process
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._words,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=_LONGEST_LINE,
            )
        except OSError as error:
            raise ProviderError(
                f"{self._words[0]!r} does not start: {(error.strerror or str(error)).lower()}",
                hint="command:PROGRAM names a program of yours",
            ) from error
        self._reading = asyncio.create_task(self._read(self._process))
        return self._process

    async def ask(self, question: Question) -> Came:
        """Send a question, and wait for the line with its id."""
        number = next(self._numbers)
        answer = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            await self._send(number, question)
            data = await answer
        finally:
            self._waiting.pop(number, None)
        return read_answer(data, len(question.draws), self._options.sampling.token_limit)

    async def _send(self, number: int, question: Question) -> None:
        line = {
            "id": number,
            "problem": question.problem,
            "prompt": question.prompt,
            "system": question.system,
            **({"turns": question.turns} if question.turns else {}),
            "n": len(question.draws),
            "seed": question.seed,
            **self._options.sampling.fields(),
        }
        process = await self._running()
        try:
            if process.stdin is not None:
                process.stdin.write(json.dumps(line).encode() + b"\n")
                await process.stdin.drain()
        except OSError as error:
            raise Trouble("the program reads no more") from error

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        """Hand out the program's lines until it ends."""
        why = "the program has ended"
        try:
            while process.stdout is not None and (line := await process.stdout.readline()):
                self._hand_out(line)
        except ValueError:
            why = f"the program wrote a line of more than {_LONGEST_LINE >> 20} MiB"
            process.kill()
        await process.wait()
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(Trouble(f"{why} (exit code {process.returncode})"))

    def _hand_out(self, line: bytes) -> None:
        data: Any = None
        with suppress(ValueError, RecursionError):
            data = json.loads(line)
        number = data.get("id") if isinstance(data, dict) else None
        # what answers no question of ours is the program's own talk
        answer = self._waiting.get(number) if type(number) is int else None
        if answer is not None and not answer.done():
            answer.set_result(data)

    async def close(self) -> None:
        """Close the program's input, and end it if that does not."""
        if self._process is None or self._process.returncode is not None:
            return
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            async with asyncio.timeout(2):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
