"""Any server that speaks the OpenAI protocol: vLLM, SGLang, llama.cpp, hosted ones."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from anyofk.drawing.openai_reading import error_text, read_answer
from anyofk.drawing.provider import Abilities, Came, ProviderOptions, Question, Trouble
from anyofk.drawing.waiting import BackOff, retry_after
from anyofk.errors import ProviderError, UsageError

if TYPE_CHECKING:
    import httpx

SERVER_VARIABLE: Final = "OPENAI_BASE_URL"
KEY_VARIABLE: Final = "OPENAI_API_KEY"
_SHARD: Final = 16
"""Connections of one client: with more, httpx spends most of its time on looking for a free one."""
_LARGEST: Final = 64 << 20
_FATAL: Final = frozenset({401, 402, 403, 404, 405, 501})
_AGAIN: Final = frozenset({408, 409, 425, 429})
_BUSY: Final = frozenset({429, 503, 529})
_STABLE: Final = ("id", "root", "owned_by", "parent", "max_model_len", "meta")
_NO_LIST: Final = frozenset({400, 404, 405, 501})
_MODELS_TRIES: Final = 6
_LOCAL: Final = frozenset({"127.0.0.1", "localhost", "::1"})


class ServerProvider:
    """Ask an OpenAI-compatible server over HTTP.

    Parameters
    ----------
    options
        The server's address is ``server``, else in the environment; so is the key, which goes
        into the header of requests and nowhere else.

    Raises
    ------
    UsageError
        No address is given, or it holds a password or a query.
    """

    def __init__(self, options: ProviderOptions) -> None:
        self._options = options
        self._base = _address(options)
        self._key = _key(options, self._base)
        self._free: deque[httpx.AsyncClient] = deque()
        self.abilities = Abilities(
            most=options.choices, seeds=True, logprobs=True, completions=True
        )

    async def open(self) -> dict[str, Any]:
        """Make the clients, and ask which model is served."""
        httpx = _httpx()
        headers = {"Content-Type": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        shards = -(-self._options.concurrency // _SHARD)
        clients = [
            httpx.AsyncClient(
                headers=headers,
                timeout=httpx.Timeout(self._options.timeout, pool=None),
                limits=httpx.Limits(max_connections=_SHARD, max_keepalive_connections=_SHARD),
                # a proxy for the world is none for this machine
                trust_env=urlsplit(self._base).hostname not in _LOCAL,
            )
            for _ in range(shards)
        ]
        self._free.extend(client for _ in range(_SHARD) for client in clients)
        return await self._served()

    async def _served(self) -> dict[str, Any]:
        """Say what the server tells of the model; many tell nothing, which is no fault."""
        data = await self._models()
        listed = data.get("data") if isinstance(data, dict) else None
        models = [each for each in listed or () if isinstance(each, dict)]
        named = [each for each in models if each.get("id") == self._options.model]
        # a server of one model may call it otherwise; of several, none is ours
        ours = named or (models if len(models) == 1 else [{}])
        return {name: ours[0][name] for name in _STABLE if name in ours[0]}

    async def _models(self) -> Any:
        """Ask for the list of models; what a busy server does not say now it may say later."""
        back_off = BackOff()
        for tries in range(1, _MODELS_TRIES + 1):
            try:
                return await self._exchange("GET", f"{self._base}/models", None)
            except Trouble as trouble:
                if trouble.status in _NO_LIST:
                    return None
                there = trouble.status is not None
                if not (there and trouble.again and tries < _MODELS_TRIES):
                    raise self._refused(trouble) from trouble
                await asyncio.sleep(back_off.seconds(tries, trouble.after))
        return None

    def _refused(self, trouble: Trouble) -> ProviderError:
        return ProviderError(
            f"the server at {self._base} does not serve us: {trouble.message}",
            hint="look at its address (--server) and at the key's environment variable",
        )

    async def ask(self, question: Question) -> Came:
        """Ask once."""
        path = "completions" if self._options.completions else "chat/completions"
        asked = len(question.draws)
        try:
            data = await self._exchange(
                "POST", f"{self._base}/{path}", json.dumps(self._body(question)).encode()
            )
        except Trouble as trouble:
            trouble.shrink = trouble.shrink and asked > 1
            raise
        return read_answer(data, asked, self._options.sampling.token_limit)

    def _body(self, question: Question) -> dict[str, Any]:
        asked = len(question.draws)
        said: dict[str, Any] = {"prompt": question.prompt}
        if not self._options.completions:
            system = [{"role": "system", "content": question.system}] if question.system else []
            messages = [*system, {"role": "user", "content": question.prompt}]
            for reply, told in question.turns:
                messages.append({"role": "assistant", "content": reply})
                messages.append({"role": "user", "content": told})
            said = {"messages": messages}
        return {
            "model": self._options.model,
            **said,
            **({"n": asked} if asked > 1 else {}),
            **({} if question.seed is None else {"seed": question.seed}),
            **self._options.sampling.fields(),
        }

    async def _exchange(self, method: str, url: str, body: bytes | None) -> Any:
        """Send a request and read its JSON; whatever goes wrong is a `Trouble`."""
        httpx = _httpx()
        client = self._free.popleft()
        try:
            async with client.stream(method, url, content=body) as response:
                content = await _whole(response)
        except httpx.ConnectError as error:
            raise Trouble(f"no connection: {self._without_key(str(error))}") from error
        except (httpx.HTTPError, httpx.StreamError) as error:
            name = type(error).__name__
            raise Trouble(f"{name}: {self._without_key(str(error))}") from error
        finally:
            self._free.append(client)
        if response.status_code != 200:  # noqa: PLR2004 - OK
            raise self._trouble(response, content)
        return _json(content)

    def _trouble(self, response: httpx.Response, content: bytes) -> Trouble:
        status = response.status_code
        said = self._without_key(_said(content))
        out_of_money = status == 429 and "insufficient_quota" in said  # noqa: PLR2004
        return Trouble(
            f"HTTP {status}: {said}" if said else f"HTTP {status}",
            again=status in _AGAIN or status >= 500,  # noqa: PLR2004 - the server's faults
            after=retry_after(response.headers),
            busy=status in _BUSY,
            shrink=status in {400, 413, 422},
            status=status,
            fatal=status in _FATAL or 300 <= status < 400 or out_of_money,  # noqa: PLR2004
        )

    def _without_key(self, text: str) -> str:
        return text.replace(self._key, "***") if self._key else text

    async def close(self) -> None:
        """Close the connections."""
        for client in set(self._free):
            await client.aclose()
        self._free.clear()


async def _whole(response: httpx.Response) -> bytes:
    """Read a body that may be endless."""
    parts, size = [], 0
    async for part in response.aiter_bytes():
        size += len(part)
        if size > _LARGEST:
            raise Trouble(f"the answer is longer than {_LARGEST >> 20} MiB")
        parts.append(part)
    return b"".join(parts)


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise Trouble("the answer is no JSON") from error


def _said(content: bytes) -> str:
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return " ".join(content[:300].decode(errors="replace").split())
    code = data.get("error", {}) if isinstance(data, dict) else {}
    kind = code.get("code") if isinstance(code, dict) else None
    return f"{error_text(data)} ({kind})" if isinstance(kind, str) else error_text(data)


def _address(options: ProviderOptions) -> str:
    given = options.server or options.environment.get(SERVER_VARIABLE) or ""
    if not given:
        raise UsageError(
            "nothing says at which address the server is",
            hint=f"give --server https://host/v1, or set {SERVER_VARIABLE}",
        )
    parts = urlsplit(given)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise UsageError(
            f"{given!r} is no address of a server", hint="it is like http://host:8000/v1"
        )
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError(
            f"the address of the server at {parts.hostname!r} holds more than host and path",
            hint=f"a key belongs into the environment: {KEY_VARIABLE}, or --key-variable NAME",
        )
    return given.rstrip("/")


def _key(options: ProviderOptions, base: str) -> str:
    """Find the key; in the clear it goes to other machines only where it was named."""
    if options.key_variable is None:
        parts = urlsplit(base)
        kept = parts.scheme == "https" or parts.hostname in _LOCAL
        return options.environment.get(KEY_VARIABLE, "") if kept else ""
    key = options.environment.get(options.key_variable, "")
    if not key:
        raise UsageError(f"the environment variable {options.key_variable!r} is not set")
    return key


def _httpx() -> Any:
    try:
        import httpx  # noqa: PLC0415 - only who draws over HTTP pays for it
    except ImportError as error:
        raise ProviderError(
            "drawing over HTTP needs the package httpx", hint="pip install 'anyofk[http]'"
        ) from error
    return httpx
