"""Errors as a person wants to read them: what went wrong and what to do, without a traceback."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from rich.console import Console
from rich.markup import escape

from webgym.errors import WebGymError


def explain(error: BaseException) -> bool:
    """Print an error raised on purpose; False if it was not one."""
    purposeful = _find(error)
    if purposeful is None:
        return False
    console = Console(stderr=True, highlight=False, emoji=False)
    console.print(f"[bold red]error:[/] {escape(str(purposeful))}", soft_wrap=True)
    return True


def _find(error: BaseException) -> WebGymError | None:
    """The first, unless something unplanned happened beside it: that needs its traceback."""
    found = list(_leaves(error))
    planned = [one for one in found if isinstance(one, WebGymError)]
    return planned[0] if len(planned) == len(found) else None


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in cast("BaseExceptionGroup[BaseException]", error).exceptions:
            yield from _leaves(inner)
    else:
        yield error
