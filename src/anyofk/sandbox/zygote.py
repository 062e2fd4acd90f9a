"""The inside of a zygote: enter the level, warm up, say hello, serve.

Started as ``python -P -s -S -B`` by `anyofk.sandbox.client`; not for import elsewhere.
"""

from __future__ import annotations

import fcntl
import gc
import importlib
import json
import os
import resource
import signal
import socket
import sys
import traceback
from typing import TYPE_CHECKING, Any, Final

from anyofk.sandbox import child, probes, warming, wire
from anyofk.sandbox.cells import CELLS
from anyofk.sandbox.child import Streams
from anyofk.sandbox.forking import Nest
from anyofk.sandbox.serving import Server
from anyofk.sandbox.template import Template
from anyofk.sandbox.watching import Control

if TYPE_CHECKING:
    from collections.abc import Callable

    from anyofk.sandbox.cells import Cell

_HIGH_FD: Final = 10  # below are the numbers that a child's descriptors get
_STACK: Final = 64 << 20
_ENVIRONMENT: Final = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONUTF8": "1",
}


def _open_high(descriptor: int) -> int:
    """Move a descriptor out of the way of those that a child gets."""
    high = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _HIGH_FD)
    os.close(descriptor)
    return high


def _load(name: str) -> Callable[[Any], None]:
    """Import a body by its name."""
    module, _, function = name.partition(":")
    body: Callable[[Any], None] = getattr(importlib.import_module(module), function)
    return body


def _load_all(names: list[str], sources: list[str]) -> list[Callable[[Any], None]]:
    """Import the bodies, then let nothing more come from where they lie.

    That may be a site-packages directory, with whatever else is installed there.
    """
    sys.path += [source for source in sources if source not in sys.path]
    bodies = [_load(name) for name in names]
    sys.path[:] = [path for path in sys.path if path not in sources]
    sys.path_importer_cache.clear()
    importlib.invalidate_caches()
    return bodies


def _limit_itself() -> None:
    """Set the limits that every child inherits."""
    for name in ("CORE", "MEMLOCK", "MSGQUEUE", "RTPRIO"):
        resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (0, 0))
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    stack = _STACK if hard == resource.RLIM_INFINITY else min(_STACK, hard)
    resource.setrlimit(resource.RLIMIT_STACK, (stack, stack))
    for number in (signal.SIGINT, signal.SIGXFSZ):
        # A handler would make process 1 killable from inside; SIGXFSZ must kill a program.
        signal.signal(number, signal.SIG_DFL)


def _set_environment(cell: Cell) -> None:
    """Give programs an environment of their own, the same everywhere."""
    places = {"HOME": cell.home, "TMPDIR": cell.home, "PYTHONPATH": cell.packages}
    os.environ.clear()
    os.environ.update(_ENVIRONMENT | places)
    sys.path.append(cell.packages)


def _make_streams() -> Streams:
    """Make the memory files that are every child's standard streams."""
    return Streams(*(os.memfd_create(name, os.MFD_CLOEXEC) for name in ("in", "out", "err")))


def _listen(sock: socket.socket) -> dict[str, Any]:
    """Hear from the parent what to be."""
    size = wire.LENGTH.unpack(wire.receive_exactly(sock, wire.LENGTH.size))[0]
    spec: dict[str, Any] = json.loads(wire.receive_exactly(sock, size))
    return spec


def _start(sock: socket.socket) -> Server:
    """Do all that is done once."""
    spec = _listen(sock)
    parent = os.pidfd_open(spec["parent"])
    if os.getppid() != spec["parent"]:
        raise EOFError  # it is gone already, and its number another one's
    bodies = _load_all(spec["bodies"], spec["sources"])
    _limit_itself()
    cell: Cell = CELLS[spec["level"]](spec, parent)
    _set_environment(cell)
    warming.preload(spec["preload"])
    warming.warm(bodies)
    child.rehearse()
    _freeze()
    inbox = wire.Inbox(sock)
    control = Control(inbox, sock.fileno(), parent)
    nest = Nest(cell, Template(cell, bodies + probes.BODIES, _make_streams()))
    held = probes.Examination(nest, control, len(bodies)).hold(spec["level"])
    _say(sock, {"level": spec["level"], "held": held} | _facts(cell))
    sock.settimeout(0)
    return Server(sock, inbox, control, nest)


def _freeze() -> None:
    """Leave what is there to the collector no more, so that no child touches it for that."""
    gc.collect()
    warming.fill_gaps()
    gc.freeze()
    gc.disable()


def _facts(cell: Cell) -> dict[str, Any]:
    """What a parent may want to know besides."""
    facts = {"user": os.geteuid(), "processes": cell.processes}
    return {"python": sys.version.split()[0], "facts": facts}


def _say(sock: socket.socket, words: dict[str, Any]) -> None:
    """Send the first frame: hello, or why not."""
    data = json.dumps(words).encode()
    sock.sendall(wire.LENGTH.pack(len(data)) + data)


def main(descriptor: int) -> None:
    """Be a zygote until the parent closes the socket."""
    sock = socket.socket(fileno=_open_high(descriptor))
    while os.open("/dev/null", os.O_RDWR | os.O_CLOEXEC) < _HIGH_FD - 1:
        pass  # every number that a child's descriptor gets is taken from now on
    try:
        server = _start(sock)
    except Exception as fault:  # noqa: BLE001 - the parent must hear of it, whatever it is
        _say(sock, {"fault": str(fault), "trace": traceback.format_exc()})
        os._exit(1)
    try:
        server.serve()
    except EOFError:
        server.leave()
    except BaseException:  # noqa: BLE001 - our own fault: the log must have it
        traceback.print_exc()
    finally:
        os._exit(0)
