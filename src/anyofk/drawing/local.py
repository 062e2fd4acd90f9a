"""Local: a GGUF model in this process, through xllamacpp, without a key or a network."""

from __future__ import annotations

import asyncio
import os
import secrets
from dataclasses import replace
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from anyofk.drawing.models import fetchable_models, model_path
from anyofk.drawing.openai_server import KEY_VARIABLE, ServerProvider
from anyofk.drawing.provider import Abilities, Came, ProviderOptions, Question
from anyofk.errors import ProviderError
from anyofk.fetching import file_digest

_SLOTS: Final = 4
_CONTEXT: Final = 2048
"""Tokens of prompt and reply that each slot holds, beside the reply's own limit."""


class LocalProvider:
    """Run a model here: ``local:smollm2``, or ``local:PATH`` of a GGUF file.

    The runtime serves it on the loopback device of this machine, and is asked like any other
    server; the model uses all cores but one, for threads that wait for each other are slow.
    """

    def __init__(self, options: ProviderOptions) -> None:
        self._path = _model(options.model)
        self._options = options
        self._slots = min(_SLOTS, options.concurrency)
        self._server: Any = None
        self._asked: ServerProvider | None = None
        self.abilities = Abilities(most=1, seeds=True, logprobs=True, completions=True)

    async def open(self) -> dict[str, Any]:
        """Load the model, and name it by its content."""
        runtime = _runtime()
        key = secrets.token_hex()  # other users of this machine are not to use the model
        digest, self._server = await asyncio.gather(
            asyncio.to_thread(file_digest, self._path),
            asyncio.to_thread(runtime.Server, self._settings(runtime, key)),
        )
        options = replace(
            self._options,
            server=f"{self._server.listening_address.rstrip('/')}/v1",
            choices=1,
            environment={KEY_VARIABLE: key},
            key_variable=KEY_VARIABLE,
        )
        self._asked = ServerProvider(options)
        await self._asked.open()
        return {"sha256": digest, "runtime": f"xllamacpp {version('xllamacpp')}"}

    def _settings(self, runtime: Any, key: str) -> Any:
        settings = runtime.CommonParams()
        settings.model.path = str(self._path)
        settings.n_parallel = self._slots
        settings.n_ctx = self._slots * (_CONTEXT + self._options.sampling.token_limit)
        settings.cpuparams.n_threads = max(1, (os.cpu_count() or 1) - 1)
        settings.hostnames = ["127.0.0.1"]
        settings.port = 0
        settings.api_keys = [key]
        settings.verbosity = 0
        return settings

    async def ask(self, question: Question) -> Came:
        """Ask once."""
        if self._asked is None:
            raise ProviderError("the local model is asked before it is open")
        return await self._asked.ask(question)

    async def close(self) -> None:
        """Let go of the model."""
        if self._asked is not None:
            await self._asked.close()
        self._server = None


def _model(name: str) -> Path:
    if name in fetchable_models():
        path = model_path(name)
        hint = f"fetch it with: anyofk models get {name}"
    else:
        path = Path(name)
        hint = f"give the path of a GGUF file, or one of: {', '.join(fetchable_models())}"
    if not path.is_file():
        raise ProviderError(f"the model {name!r} is not here", hint=hint)
    return path


def _runtime() -> Any:
    try:
        return import_module("xllamacpp")
    except ImportError as error:
        raise ProviderError(
            "a local model needs the package xllamacpp", hint="pip install 'anyofk[local]'"
        ) from error
