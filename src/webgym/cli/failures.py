"""User-facing error messages: what went wrong and what to do, without a traceback."""

from __future__ import annotations

import errno

from rich.console import Console
from rich.markup import escape

from webgym.concurrency import leaves
from webgym.errors import WebGymError

_OF_THE_MACHINE = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT}
"""File errors caused by the machine, which the user can fix."""


def explain(error: BaseException) -> bool:
    """Print an expected error in one line: one of WebGym's own, or a file that cannot be used.

    Returns False, and prints nothing, for any other error.
    """
    told = _told(error)
    if told is None:
        return False
    console = Console(stderr=True, highlight=False, emoji=False)
    console.print(f"[bold red]error:[/] {escape(told)}", soft_wrap=True)
    return True


def _told(error: BaseException) -> str | None:
    """Return the message of the first error; None if any is unexpected and needs its traceback."""
    told = [_line(one) for one in leaves(error)]
    return None if None in told else told[0]


def _line(error: BaseException) -> str | None:
    match error:
        case WebGymError():
            return str(error)
        case OSError() if error.errno in _OF_THE_MACHINE and error.filename:
            return f"cannot use {error.filename}: {error.strerror}"
        case _:
            return None
