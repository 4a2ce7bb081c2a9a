"""Task groups that raise a lone error unwrapped, so that callers can catch it by its class."""

from __future__ import annotations

import traceback
from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import NoReturn, cast

import anyio
import anyio.abc


@asynccontextmanager
async def background() -> AsyncGenerator[anyio.abc.TaskGroup]:
    """Provide a task group whose tasks are cancelled when the block ends.

    An exception from the block is raised unchanged. An exception from a task cancels the block and is raised instead:
    unwrapped if it is the only one, otherwise in an exception group.
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
    # Raised outside the handler: inside, the group would become the context of an error that it contains.
    if failed is not None:
        _raise(failed, mine)


@contextmanager
def ungrouped() -> Generator[None]:
    """Unwrap exception groups: raise only the first error, where all have the same cause."""
    try:
        yield
    except ExceptionGroup as group:
        raise next(leaves(group)) from group


def _raise(failed: BaseExceptionGroup[BaseException], mine: BaseException | None) -> NoReturn:
    """Raise the block's own error if it came first, otherwise the tasks' errors."""
    first, *others = failed.exceptions
    if first is mine:
        for other in others:
            first.add_note("A task beside it failed as it ended:\n" + "".join(traceback.format_exception(other)))
        _raise_again(first)
    errors = list(leaves(failed))
    _raise_again(errors[0] if len(errors) == 1 else failed)


def _raise_again(error: BaseException) -> NoReturn:
    context = error.__context__
    try:
        raise error
    finally:
        error.__context__ = context  # `raise` replaces it with the exception being handled here
        del error, context  # break the reference cycle between the traceback's frame and the error


def leaves(error: BaseException) -> Iterator[BaseException]:
    """Return the errors in a possibly nested exception group, or the error itself."""
    if isinstance(error, BaseExceptionGroup):
        for inner in cast("BaseExceptionGroup[BaseException]", error).exceptions:
            yield from leaves(inner)
    else:
        yield error
