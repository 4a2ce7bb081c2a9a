"""Ctrl-C once finishes running attempts; twice cancels them. Before the first attempt it ends the run at once."""

from __future__ import annotations

import signal
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import anyio

from webgym.concurrency import background
from webgym.rollout.pool import Pool

_NOTHING_YET = "stopping before the first attempt: what was started is being ended"


class Interrupt:
    """Counts how often the user asked to stop, and does so."""

    def __init__(self, say: Callable[[str], None], at_once: str) -> None:
        self._say = say
        self._at_once = at_once
        self._pool: Pool | None = None
        self.scope = anyio.CancelScope()
        """What ends the run at once."""
        self.times = 0

    @property
    def asked(self) -> bool:
        return self.times > 0

    def drain(self, pool: Pool) -> None:
        """From now on, let the running attempts of this pool finish, rather than ending the run at once."""
        self._pool = pool

    def ask(self) -> None:
        """Stop, as on another Ctrl-C."""
        self.times += 1
        match self._pool, self.times:
            case None, 1:
                self._say(self._at_once)
                self.scope.cancel()
            case None, _:
                pass
            case pool, 1:
                pool.close()
                self._say(f"finishing {pool.running} running attempts; Ctrl-C again stops at once")
            case pool, _:
                pool.close()
                pool.cancel()


@asynccontextmanager
async def interruptible(say: Callable[[str], None], at_once: str = _NOTHING_YET) -> AsyncGenerator[Interrupt]:
    """Stop on SIGINT or SIGTERM; only in the main thread. A block without a pool to drain is left at once.

    `at_once` is what is said then.
    """
    interrupt = Interrupt(say, at_once)

    async def listen() -> None:
        with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async for _ in signals:
                interrupt.ask()

    async with background() as tasks:
        if threading.current_thread() is threading.main_thread():
            tasks.start_soon(listen)
        with interrupt.scope:
            yield interrupt
