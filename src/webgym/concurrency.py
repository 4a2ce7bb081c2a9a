"""Task groups whose errors come out as they are, so that whoever wrote the block can catch them by their names."""

from __future__ import annotations

import traceback
from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import NoReturn, cast

import anyio
import anyio.abc


@asynccontextmanager
async def background() -> AsyncGenerator[anyio.abc.TaskGroup]:
    """Tasks that run beside the block, and are cancelled when it ends.

    What the block raises comes out as it is. What a task raises ends the block and comes out instead: as it is if
    nothing else went wrong, else in a group.
    """
    mine: BaseException | None = None
    failed: BaseExceptionGroup[BaseException] | None = None
    try:
        async with anyio.create_task_group() as tasks:
            try:
                yield tasks
            except anyio.get_cancelled_exc_class():
                raise
            except BaseException as error:
                mine = error
                raise
            tasks.cancel_scope.cancel()
    except BaseExceptionGroup as group:
        failed = group
    # Outside of the handler: there, the group would become the context of an error that it contains.
    if failed is not None:
        _raise(failed, mine)


@contextmanager
def ungrouped() -> Generator[None]:
    """Raise the first of several errors of a task group by itself: the others have the same cause."""
    try:
        yield
    except ExceptionGroup as group:
        raise next(_leaves(group)) from group


def _raise(failed: BaseExceptionGroup[BaseException], mine: BaseException | None) -> NoReturn:
    """The block's own error, unless it only followed from a task's; else the tasks'."""
    first, *others = failed.exceptions
    if first is mine:
        for other in others:
            first.add_note("A task beside it failed as it ended:\n" + "".join(traceback.format_exception(other)))
        _raise_again(first)
    leaves = list(_leaves(failed))
    _raise_again(leaves[0] if len(leaves) == 1 else failed)


def _raise_again(error: BaseException) -> NoReturn:
    context = error.__context__
    try:
        raise error
    finally:
        error.__context__ = context  # `raise` puts whatever is handled here in its place
        del error, context  # else the traceback would keep this frame, and the frame the error


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in cast("BaseExceptionGroup[BaseException]", error).exceptions:
            yield from _leaves(inner)
    else:
        yield error
