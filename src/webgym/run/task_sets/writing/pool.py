"""Concurrent processing of tasks, and the record of those that a model could not handle."""

from __future__ import annotations

import signal
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import TypeVar

import anyio
import anyio.lowlevel

from webgym.records.base import Record
from webgym.run.task_sets.writing.journaled_client import JournaledClient, RequestStop

_T = TypeVar("_T")
MOST_AT_ONCE = 4096


class Reject(Record, frozen=True):
    """A task that a model could not handle; it is left unchanged."""

    task_id: str
    fault: str
    """`unusable`, `refused` or `unanswered`; only the last is worth another run."""
    why: str
    reply: str = ""
    """The last reply; empty for sealed tasks."""


async def for_all(
    client: JournaledClient, items: Iterable[_T], work: Callable[[_T], Awaitable[None]], at_once: int
) -> None:
    """Process every item, `at_once` concurrently, until all are done or the client stops."""
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
        except RequestStop:
            return
        await anyio.lowlevel.checkpoint()  # journaled replies arrive without ever yielding to the event loop


async def _heed_signals(client: JournaledClient) -> None:
    """On the first signal, let requests in flight finish; a second one has its default effect."""
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _ in signals:
            client.stop("interrupted")
            break
