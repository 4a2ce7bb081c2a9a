"""The process of one run of a study: pinned to its CPU cores, and interrupted if the study dies.

python -m webgym.study.child CORES ARGUMENTS…      CORES: 0,1,2; or empty for any
"""

from __future__ import annotations

import os
import signal
import sys

from webgym.serving.parent_death import die_with_parent


def main() -> None:
    """Pin this process to its cores and exec `webgym ARGUMENTS…`."""
    cores, *arguments = sys.argv[1:]
    if cores:
        os.sched_setaffinity(0, {int(core) for core in cores.split(",")})
    die_with_parent(signal.SIGINT)  # finished work is kept, as after Ctrl-C
    os.execv(sys.executable, [sys.executable, "-m", "webgym", *arguments])  # noqa: S606 - no shell is wanted


if __name__ == "__main__":
    main()
