"""The processes of one instance: started, watched until they are ready, and ended with all that they have started."""

from __future__ import annotations

import http.client
import os
import socket
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, closing, suppress
from pathlib import Path

import anyio
import anyio.to_thread
import msgspec
from webgym.errors import ConfigError
from webgym.inference.server_wrapper import Order, ServerExit
from webgym.serving.child_process import ChildProcess, child_process

from webgym_webapp.application import Application, Ready
from webgym_webapp.ports import LOOPBACK

_POLL_SECONDS = 0.05
_PROBE_SECONDS = 5.0
_LONGEST_LINE = 2**16
_TAIL_BYTES, _TAIL_LINES = 8192, 20
_PASSED = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR")
_NOT_BROKEN = 500


class AppProcess:
    """A started application, and whatever it starts itself."""

    def __init__(self, child: ChildProcess, log: Path) -> None:
        self._child = child
        self.log = log

    @property
    def ended(self) -> bool:
        return self._child.process.returncode is not None or self._child.reader.at_eof()

    async def told_end(self) -> str:
        """Return how it ended and the last lines of its log."""
        code = -9
        with suppress(OSError, msgspec.DecodeError), anyio.move_on_after(_PROBE_SECONDS):
            if line := await self._child.reader.readline():
                code = msgspec.json.decode(line, type=ServerExit).code
        return f"it ended with code {code}; {tail(self.log)}"

    async def until_ready(self, port: int, ready: Ready) -> None:
        """Wait until it serves.

        Raises:
            ConfigError: It ends first, or takes too long; quotes its log.
        """
        with anyio.move_on_after(ready.seconds):
            while not self.ended:
                if await self._serves(port, ready):
                    # What answers could be another server on its port, for which it is about to end.
                    await anyio.sleep(_POLL_SECONDS)
                    break
                await anyio.sleep(_POLL_SECONDS)
            if not self.ended:
                return
        if self.ended:
            raise ConfigError(await self.told_end())
        raise ConfigError(f"it was not ready after {ready.seconds:g} s (ready.seconds); {tail(self.log)}")

    async def _serves(self, port: int, ready: Ready) -> bool:
        if ready.log:
            return ready.log in _read(self.log) and await listens(port)
        return await listens(port) and await anyio.to_thread.run_sync(
            _answers, port, ready.path, abandon_on_cancel=True
        )


@asynccontextmanager
async def app_process(application: Application, port: int, folder: Path, log: Path) -> AsyncGenerator[AppProcess]:
    """Start the application; on exit it ends, with every process below it. So it does if this process dies."""
    order = _order(application, port, folder, log)
    # The wrapper adopts orphans, and ends everything below it when this process closes its connection or dies.
    async with child_process("webgym.inference.server_wrapper", _LONGEST_LINE) as child:
        child.writer.write(msgspec.json.encode(order) + b"\n")
        yield AppProcess(child, log)


def _order(application: Application, port: int, folder: Path, log: Path) -> Order:
    log.unlink(missing_ok=True)
    home = folder.with_name(f"{folder.name}-home")
    home.mkdir(exist_ok=True)
    names = placeholders(application, port, folder)
    command = ("env", "-C", str(folder), *(filled(part, names) for part in application.command))
    passed = {name: os.environ[name] for name in (*_PASSED, *application.pass_environment) if name in os.environ}
    own = {name: filled(value, names) for name, value in application.environment.items()}
    return Order(command, {**passed, "HOME": str(home), **own}, str(log))


def placeholders(application: Application, port: int, folder: Path) -> dict[str, str]:
    """Return the placeholders of an instance and what they stand for."""
    return {
        "{port}": str(port),
        "{folder}": str(folder),
        "{base}": f"http://{LOOPBACK}:{port}",
        "{home}": str(Path(application.home).absolute()),
        "{python}": sys.executable,
    }


def filled(text: str, names: dict[str, str]) -> str:
    """Return the text with its placeholders replaced; other braces stay, as in JSON."""
    for name, value in names.items():
        text = text.replace(name, value)
    return text


async def listens(port: int) -> bool:
    """Return whether something accepts connections on this port."""
    return await anyio.to_thread.run_sync(_accepts, port)


def _accepts(port: int) -> bool:
    try:
        with socket.create_connection((LOOPBACK, port), timeout=_PROBE_SECONDS):
            return True
    except TimeoutError:
        return True  # a server that is too busy to accept is still there
    except OSError:
        return False


def tail(log: Path) -> str:
    """Return the last lines of a log, for messages."""
    lines = _read(log, _TAIL_BYTES).splitlines()[-_TAIL_LINES:]
    return "the end of its log:\n" + "\n".join(lines) if lines else "its log is empty"


def _read(log: Path, most: int = 0) -> str:
    try:
        with log.open("rb") as file:
            if most:
                file.seek(max(0, log.stat().st_size - most))
            return file.read().decode(errors="replace")
    except OSError:
        return ""


def _answers(port: int, path: str) -> bool:
    with closing(http.client.HTTPConnection(LOOPBACK, port, timeout=_PROBE_SECONDS)) as connection:
        try:
            connection.request("GET", path)
            return connection.getresponse().status < _NOT_BROKEN
        except (OSError, ValueError, http.client.HTTPException):
            return False
