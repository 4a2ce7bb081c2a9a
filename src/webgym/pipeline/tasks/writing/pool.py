"""Many tasks at once, and what became of those that a model could not help with."""

from __future__ import annotations

import signal
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import TypeVar

import anyio
import anyio.lowlevel

from webgym.pipeline.tasks.writing.journaled_client import JournaledClient, Stopped
from webgym.records.base import Record

_T = TypeVar("_T")
MOST_AT_ONCE = 4096


class Reject(Record, frozen=True):
    """A task that a model was asked about in vain. It is left as it was."""

    task_id: str
    fault: str
    """`unusable`, `refused` or `unanswered`: the last is worth another run."""
    why: str
    reply: str = ""
    """The last one; empty for encrypted tasks."""


async def for_all(
    client: JournaledClient, items: Iterable[_T], work: Callable[[_T], Awaitable[None]], at_once: int
) -> None:
    """Do it for every item, so many at once, until all are done or the client stops."""
    left = iter(items)
    async with anyio.create_task_group() as watch:
        watch.start_soon(_heed_signals, client)
        async with anyio.create_task_group() as group:
            for _ in range(min(at_once, MOST_AT_ONCE)):
                group.start_soon(_one_after_the_other, client, left, work)
        watch.cancel_scope.cancel()


async def _one_after_the_other(
    client: JournaledClient, items: Iterator[_T], work: Callable[[_T], Awaitable[None]]
) -> None:
    for item in items:
        if client.stop_reason:
            return
        try:
            await work(item)
        except Stopped:
            return
        await anyio.lowlevel.checkpoint()  # replies from the journal come without any wait


async def _heed_signals(client: JournaledClient) -> None:
    """The first time: let what is paid for arrive. The second time: as ever."""
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _ in signals:
            client.stop("you stopped it")
            break
