"""Child processes of the benchmark, each of which prints the address it listens on to standard output."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

import anyio
import anyio.abc

from webgym.errors import BrowserFault, DeadlineError

END_SECONDS = 20.0
"""How long a child that was asked to end may take."""


@asynccontextmanager
async def child(command: Sequence[str]) -> AsyncGenerator[anyio.abc.Process]:
    """Run a child process for the duration of the block; terminate it on exit, and kill it if it does not end."""
    async with await anyio.open_process(command, stderr=None) as process:
        try:
            yield process
        finally:
            if process.returncode is None:
                process.terminate()
            with anyio.move_on_after(END_SECONDS, shield=True):
                await process.wait()
            if process.returncode is None:
                process.kill()


async def announced(process: anyio.abc.Process, seconds: float) -> str:
    """Return the `host:port` that the process prints as its first line of output."""
    line = b""
    try:
        with anyio.fail_after(seconds):
            while process.stdout and not line.endswith(b"\n"):
                line += await process.stdout.receive()
    except anyio.EndOfStream:
        raise BrowserFault(f"process {process.pid} exited before it opened its port") from None
    except TimeoutError:
        raise DeadlineError(f"process {process.pid} did not open its port within {seconds:g} s") from None
    return line.decode().strip()
