"""Servers on this machine that answer as a script says, also as no server should."""

import asyncio
import json
import threading
from contextlib import contextmanager, suppress


def choice(text="def f(x):\n    return x\n", reason="stop", **message):
    return {"message": {"content": text, **message}, "finish_reason": reason}


def answer(*choices, usage=(10, 5), **rest):
    counted = {"prompt_tokens": usage[0], "completion_tokens": usage[1]} if usage else None
    listed = [{"index": i, **one} for i, one in enumerate(choices)]
    return {"choices": listed, "model": "m", "usage": counted, **rest}


class Page:
    """One answer: a status, headers, a body, and how it is sent."""

    def __init__(self, body, status=200, headers=(), *, cut=None, pause=0.0, drip=0.0):
        self.body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.status, self.headers = status, dict(headers)
        self.cut, self.pause, self.drip = cut, pause, drip

    async def send(self, writer):
        await asyncio.sleep(self.pause)
        heads = {"Content-Length": len(self.body), "Content-Type": "application/json"}
        lines = "".join(f"{k}: {v}\r\n" for k, v in {**heads, **self.headers}.items())
        writer.write(f"HTTP/1.1 {self.status} So\r\n{lines}\r\n".encode())
        if self.drip:
            for i in range(len(self.body)):
                writer.write(self.body[i : i + 1])
                await writer.drain()
                await asyncio.sleep(self.drip)
        writer.write(self.body[: self.cut] if self.cut is not None else self.body)
        await writer.drain()
        return self.cut is None


class Server:
    """A server whose answers are made by ``script(body, number)``; it keeps what it was asked."""

    def __init__(self, script):
        self.script = script
        self.asked, self.heads = [], []
        self.models = Page({"data": [{"id": "m", "created": 1}]})
        self.most = self._inside = 0

    async def serve(self, reader, writer):
        try:
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                while await self._once(reader, writer):
                    pass
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _once(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        size = next(
            (int(h.split(":")[1]) for h in head.lower().splitlines() if "content-length" in h), 0
        )
        body = json.loads(await reader.readexactly(size)) if size else {}
        if head.startswith("GET"):
            return await self.models.send(writer)
        self.heads.append(head)
        self.asked.append(body)
        self._inside += 1
        self.most = max(self.most, self._inside)
        try:
            page = self.script(body, len(self.asked) - 1)
            page = page if isinstance(page, Page) else Page(page)
            return await page.send(writer)
        finally:
            self._inside -= 1


@contextmanager
def serving(script):
    """Serve in a thread of its own; give the server, with its ``url``."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    server = Server(script)
    start = asyncio.start_server(server.serve, "127.0.0.1", 0, backlog=2048)
    listening = asyncio.run_coroutine_threadsafe(start, loop).result()
    server.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/v1"
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(listening.close)
        asyncio.run_coroutine_threadsafe(_end(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _end():
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
