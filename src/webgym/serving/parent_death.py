"""Ties the lifetime of a process to that of its parent.

python -I -S parent_death.py PROGRAM ARGUMENTS…      runs any program this way
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def die_with_parent(how: signal.Signals = signal.SIGKILL) -> None:
    """Have the kernel signal this process when its parent ends, however it ends. Linux only."""
    if sys.platform != "linux":
        return
    parent = os.getppid()
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, how)
    if os.getppid() != parent:  # the parent ended before prctl
        os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    die_with_parent(signal.SIGTERM)  # which the program may catch to clean up
    os.execvp(sys.argv[1], sys.argv[1:])  # noqa: S606 - no shell is wanted
