"""Processes that the benchmark starts beside itself, each of which says on standard output where it listens."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

import anyio
import anyio.abc

from webgym.errors import BrowserFault, DeadlineError

END_SECONDS = 20.0


@asynccontextmanager
async def child(command: Sequence[str]) -> AsyncGenerator[anyio.abc.Process]:
    """Asked to end with the block, and made to if it does not."""
    async with await anyio.open_process(command, stderr=None) as process:
        try:
            yield process
        finally:
            if process.returncode is None:
                process.terminate()
            with anyio.move_on_after(END_SECONDS, shield=True):
                await process.wait()


async def announced(process: anyio.abc.Process, seconds: float) -> str:
    """The `host:port` that is the first line of its output."""
    line = b""
    try:
        with anyio.fail_after(seconds):
            while process.stdout and not line.endswith(b"\n"):
                line += await process.stdout.receive()
    except anyio.EndOfStream:
        raise BrowserFault(f"process {process.pid} ended before it listened") from None
    except TimeoutError:
        raise DeadlineError(f"process {process.pid} did not listen within {seconds:g} s") from None
    return line.decode().strip()
