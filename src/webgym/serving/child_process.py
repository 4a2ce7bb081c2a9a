"""A process of our own at the other end of a socket pair, for as long as a block lasts."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import anyio
import anyio.abc

_STOP_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class ChildProcess:
    """A module that runs as `python -m MODULE FD`, and the way to talk to it."""

    process: anyio.abc.Process
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter


@asynccontextmanager
async def child_process(module: str, limit: int) -> AsyncGenerator[ChildProcess]:
    """Start it; hang up in the end, and kill it if it does not take the hint. `limit`: bytes of a line to read."""
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    with theirs:
        # A session of its own: a Control-C in the terminal is for the program, which may want to finish something.
        process = await anyio.open_process(
            [sys.executable, "-m", module, str(theirs.fileno())],
            stdin=None,
            stdout=None,
            stderr=None,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
    reader, writer = await asyncio.open_connection(sock=ours, limit=limit)
    try:
        yield ChildProcess(process, reader, writer)
    finally:
        writer.close()
        await _stopped(process)


async def _stopped(process: anyio.abc.Process) -> None:
    with anyio.move_on_after(_STOP_SECONDS, shield=True):
        await process.wait()
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGKILL)
        with anyio.move_on_after(_STOP_SECONDS, shield=True):
            await process.wait()
