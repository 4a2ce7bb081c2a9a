"""How commands fail: what went wrong and what to do, without a traceback, and the exit code that says of which kind."""

from __future__ import annotations

import enum
import errno
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape

from webgym import errors
from webgym.concurrency import leaves

if TYPE_CHECKING:
    from webgym.run.summary import Summary

_OF_THE_MACHINE = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT}
"""File errors caused by the machine, which the user can fix."""


class ExitCode(enum.IntEnum):
    """What a command ends with; docs/troubleshooting.md has the table for users."""

    FAULT = 1
    """A fault of ours, with a traceback; or a question that was answered with no."""
    USAGE = 2
    """The command line is not understood. Typer's own."""
    CONFIGURATION = 3
    """What was asked for cannot work: a setting, a name, a file. Trying again gives the same."""
    INFRASTRUCTURE = 4
    """Something that the command needs failed: a fleet, a model server, a process, a disk. Trying again may succeed."""
    FAILURES = 5
    """It ran to its end, and the result is a failure: attempts without a result, a check that found faults."""
    INTERRUPTED = 130


_INFRASTRUCTURE = (
    errors.BrowserFault,
    errors.CapacityError,
    errors.DeadlineError,
    errors.JudgeUnavailable,
    errors.PolicyUnavailable,
    errors.SessionError,
    errors.TransportError,
)
_BASES = (errors.JudgeError, errors.PolicyError, errors.TrainingError, errors.WebGymError)
"""Errors without a more specific class: something did not answer as it should, and nobody knows more."""
_MANY = 0.05
"""Share of attempts without a reward that is a failure of the run; a warning tells from the same share on."""


def explain(error: BaseException) -> ExitCode | None:
    """Print an expected error in one line: one of WebGym's own, or a file that cannot be used. Return its exit code.

    Returns None, and prints nothing, for any other error.
    """
    found = [_line(leave) for leave in leaves(error)]
    told = [one for one in found if one is not None]
    if len(told) < len(found):
        return None
    line, code = told[0]
    console = Console(stderr=True, highlight=False, emoji=False)
    console.print(f"[bold red]error:[/] {escape(line)}", soft_wrap=True)
    return code


def _line(error: BaseException) -> tuple[str, ExitCode] | None:
    """Return message and exit code of an expected error; None for an unexpected one, which needs its traceback."""
    match error:
        case errors.WebGymError():
            return str(error), _code(error)
        case OSError() if error.errno in _OF_THE_MACHINE and error.filename:
            return f"cannot use {error.filename}: {error.strerror}", ExitCode.INFRASTRUCTURE
        case _:
            return None


def _code(error: errors.WebGymError) -> ExitCode:
    match error:
        case errors.StoreError() | errors.CheckpointError() if isinstance(error.__cause__, OSError):
            return ExitCode.INFRASTRUCTURE
        case _ if isinstance(error, _INFRASTRUCTURE) or type(error) in _BASES:
            return ExitCode.INFRASTRUCTURE
        case _:
            return ExitCode.CONFIGURATION


def code_of_run(summary: Summary, *, complete: bool, interrupted: bool, judged: bool = True) -> ExitCode | None:
    """Return the exit code of a run that ended with this summary; None if it went well.

    Attempts that a website blocked are no failure of the run, nor are those that nobody was to judge.
    """
    if interrupted and not complete:
        return ExitCode.INTERRUPTED
    over = sum(summary.outcomes.values())
    lost = summary.outcomes["infrastructure"] + (summary.outcomes["judge_unknown"] if judged else 0)
    graded = summary.success_over_graded.attempts
    nothing = judged and not graded
    return ExitCode.FAILURES if not complete or not over or nothing or lost > _MANY * over else None
