"""Distributes work over a number of workers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream

T = TypeVar("T")


async def spread(items: Sequence[T], workers: int, work: Callable[[T], Awaitable[None]]) -> None:
    """Process every item, with this many concurrent workers."""
    send, receive = anyio.create_memory_object_stream[T](len(items))

    async def take(queue: MemoryObjectReceiveStream[T]) -> None:
        async with queue:
            async for item in queue:
                await work(item)

    async with anyio.create_task_group() as tasks, receive:
        async with send:
            for item in items:
                send.send_nowait(item)
        for _ in range(workers):
            tasks.start_soon(take, receive.clone())
