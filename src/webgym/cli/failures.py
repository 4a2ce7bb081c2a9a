"""Errors as a person wants to read them: what went wrong and what to do, without a traceback."""

from __future__ import annotations

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
    if isinstance(error, WebGymError):
        return error
    if isinstance(error, BaseExceptionGroup):
        for inner in cast("BaseExceptionGroup[BaseException]", error).exceptions:
            found = _find(inner)
            if found is not None:
                return found
    return None
