"""Launches Chromium on behalf of Playwright and hands its CDP pipe over to the worker.

    python -I -S handover.py CHROMIUM ARGUMENTS…      as Playwright starts it: commands on descriptor 3, replies on 4

The descriptors of Playwright's pipe and of Chromium's are sent to the socket named by `WEBGYM_HANDOVER`. From then on
the worker forwards messages between the two and interleaves its own (`switchboard.py`).
"""

from __future__ import annotations

import fcntl
import os
import socket
import sys

PLACE = "WEBGYM_HANDOVER"
COMMANDS, REPLIES = 3, 4
PIPE_BYTES = 1 << 20
"""Large enough to read a screenshot at once."""
_ABOVE_STANDARD = 10
"""Descriptors from here on cannot collide with the two that Chromium uses."""
_DISABLED = "--disable-features="


def with_features_joined(arguments: list[str]) -> list[str]:
    """Merge all `--disable-features` into one: Chromium honours only the last, and Playwright passes its own."""
    lists = [argument.removeprefix(_DISABLED) for argument in arguments if argument.startswith(_DISABLED)]
    others = [argument for argument in arguments if not argument.startswith(_DISABLED)]
    return [*others, _DISABLED + ",".join(lists)] if lists else others


def main() -> None:
    """Run Chromium until it exits."""
    reads, to_chromium = os.pipe()
    from_chromium, writes = os.pipe()
    fcntl.fcntl(from_chromium, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    moved = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, _ABOVE_STANDARD) for end in (reads, writes)]
    files = [(os.POSIX_SPAWN_DUP2, moved[0], COMMANDS), (os.POSIX_SPAWN_DUP2, moved[1], REPLIES)]
    environment = {name: value for name, value in os.environ.items() if name != PLACE}
    command = [sys.argv[1], *with_features_joined(sys.argv[2:])]
    child = os.posix_spawn(command[0], command, environment, file_actions=files)
    ends = [COMMANDS, REPLIES, from_chromium, to_chromium]
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(os.environ[PLACE])
        socket.send_fds(line, [b"."], ends)
    for end in (*ends, reads, writes, *moved):  # otherwise neither side would see EOF when the other closes
        os.close(end)
    _, status = os.waitpid(child, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


if __name__ == "__main__":
    main()
