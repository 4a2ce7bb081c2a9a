"""A child Python process connected by a socket pair."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import anyio
import anyio.abc

_STOP_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class ChildProcess:
    """A running `python -m MODULE FD`, and the streams connected to it."""

    process: anyio.abc.Process
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def was_killed(self) -> bool:
        """Return whether a child that has hung up was ended by a signal rather than by itself."""
        with anyio.move_on_after(_STOP_SECONDS):
            return await self.process.wait() < 0
        return False


@asynccontextmanager
async def child_process(
    module: str, limit: int, *, environment: Mapping[str, str] | None = None, stop_seconds: float = _STOP_SECONDS
) -> AsyncGenerator[ChildProcess]:
    """Start a child; on exit, close its connection and kill it if it does not stop. `limit`: maximum line in bytes."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    with theirs:
        # In a session of its own: Ctrl-C in the terminal must reach only the parent, which may want to finish work.
        process = await anyio.open_process(
            [sys.executable, "-m", module, str(theirs.fileno())],
            stdin=None,
            stdout=None,
            stderr=None,
            env=environment,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
    reader, writer = await asyncio.open_connection(sock=ours, limit=limit)
    try:
        yield ChildProcess(process, reader, writer)
    finally:
        writer.close()
        await _stopped(process, stop_seconds)


async def _stopped(process: anyio.abc.Process, seconds: float) -> None:
    with anyio.move_on_after(seconds, shield=True):
        await process.wait()
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
        with anyio.move_on_after(seconds, shield=True):
            await process.wait()
