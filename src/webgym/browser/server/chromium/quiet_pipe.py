"""Starts Chromium for Playwright and keeps one command from it: `Network.enable`.

Playwright has every page report each request and response. Nobody here listens, and on pages with many pictures it
costs a seventh of a step's processor time; Playwright has no option for it. So its commands pass through this program,
which turns that one into `Network.disable`. Replies do not: Chromium writes them straight to Playwright.

    python -I -S quiet_pipe.py CHROMIUM ARGUMENTS…      commands on descriptor 3, replies on descriptor 4

Playwright needs those reports while it reads local storage: a parameter that Chromium ignores switches them on.
"""

from __future__ import annotations

import os
import sys
import threading

COMMANDS, REPLIES = 3, 4
CHUNK_BYTES = 1 << 20
ENABLE = b'"method":"Network.enable"'
DISABLE = b'"method":"Network.disable"'
SWITCH = "webgymNetwork"
ON = b'"webgymNetwork":"on"'
OFF = b'"webgymNetwork":"off"'


class Filter:
    """Rewrites commands, whole messages at a time."""

    def __init__(self) -> None:
        self._rest = b""
        self._quiet = True

    def pass_on(self, data: bytes) -> bytes:
        """The messages that are complete, as Chromium is to get them."""
        *messages, self._rest = (self._rest + data).split(b"\0")
        return b"".join(self._rewritten(message) + b"\0" for message in messages)

    def _rewritten(self, message: bytes) -> bytes:
        # Inside a JSON string these quotes would be escaped, so nothing a page says can look like this.
        if ON in message:
            self._quiet = False
        elif OFF in message:
            self._quiet = True
        return message.replace(ENABLE, DISABLE, 1) if self._quiet and ENABLE in message else message


def _end_with(child: int) -> None:
    _, status = os.waitpid(child, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def main() -> None:
    """Run Chromium until it ends, or until whoever sends commands does."""
    read_end, write_end = os.pipe()
    files = [(os.POSIX_SPAWN_DUP2, read_end, COMMANDS)]
    child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=files)
    os.close(read_end)
    os.close(REPLIES)  # or Playwright would not notice that Chromium has ended
    threading.Thread(target=_end_with, args=(child,), daemon=True).start()
    commands = Filter()
    try:
        while data := os.read(COMMANDS, CHUNK_BYTES):
            left = memoryview(commands.pass_on(data))
            while left:
                left = left[os.write(write_end, left) :]
    except OSError:
        pass  # Chromium has closed its end
    os.close(write_end)
    threading.Event().wait()  # until Chromium has ended, too


if __name__ == "__main__":
    main()
