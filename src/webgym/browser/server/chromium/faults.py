"""Errors of the browser one at a time, and waits that nothing cuts short."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from typing import TypeVar, cast

import anyio

from webgym.errors import DeadlineError

T = TypeVar("T")


@contextmanager
def ungrouped() -> Generator[None]:
    """Raise the first of several errors of a task group by itself: the others have the same cause."""
    try:
        yield
    except ExceptionGroup as group:
        raise _first(group) from group


async def uncut(seconds: float, function: Callable[[], Awaitable[T]]) -> T:
    """What the function returns, whether or not the caller is cancelled meanwhile.

    Raises:
        DeadlineError: It takes longer than this.
    """
    with anyio.CancelScope(shield=True, deadline=anyio.current_time() + seconds):
        return await function()
    raise DeadlineError(f"the browser did not answer in {seconds:.0f} s")


def _first(group: ExceptionGroup[Exception]) -> Exception:
    error = group.exceptions[0]
    return _first(cast("ExceptionGroup[Exception]", error)) if isinstance(error, ExceptionGroup) else error
