"""Waits that are shielded from cancellation."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio

from webgym.errors import DeadlineError

T = TypeVar("T")


async def uncut(seconds: float, function: Callable[[], Awaitable[T]]) -> T:
    """Await a function to its end, even if the caller is cancelled meanwhile.

    Raises:
        DeadlineError: It takes longer than `seconds`.
    """
    with anyio.CancelScope(shield=True, deadline=anyio.current_time() + seconds):
        return await function()
    raise DeadlineError(f"the browser did not answer in {seconds:.0f} s")
