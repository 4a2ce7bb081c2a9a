"""Ctrl-C once finishes running attempts; twice cancels them."""

from __future__ import annotations

import signal
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import anyio

from webgym.concurrency import background
from webgym.rollout.pool import Pool


class Interrupt:
    """Counts how often the user asked to stop."""

    def __init__(self) -> None:
        self.times = 0

    @property
    def asked(self) -> bool:
        return self.times > 0


@asynccontextmanager
async def interruptible(pool: Pool, say: Callable[[str], None]) -> AsyncGenerator[Interrupt]:
    """Drain the pool on the first SIGINT or SIGTERM and cancel it on the second; only in the main thread."""
    interrupt = Interrupt()

    async def listen() -> None:
        with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async for _ in signals:
                interrupt.times += 1
                pool.close()
                if interrupt.times == 1:
                    say(f"finishing {pool.running} running attempts; Ctrl-C again stops at once")
                else:
                    pool.cancel()

    async with background() as tasks:
        if threading.current_thread() is threading.main_thread():
            tasks.start_soon(listen)
        yield interrupt
