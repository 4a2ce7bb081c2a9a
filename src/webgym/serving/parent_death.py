"""Processes that end with the one that started them.

python -I -S parent_death.py PROGRAM ARGUMENTS…      runs a program of others like that
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def die_with_parent(how: signal.Signals = signal.SIGKILL) -> None:
    """Have the kernel end this process when the one that started it ends, however it ends."""
    if sys.platform != "linux":
        return
    parent = os.getppid()
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, how)
    if os.getppid() != parent:  # it ended before we asked
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    die_with_parent(signal.SIGTERM)  # which the program may catch, to take away its files
    os.execvp(sys.argv[1], sys.argv[1:])  # noqa: S606 - no shell is wanted
