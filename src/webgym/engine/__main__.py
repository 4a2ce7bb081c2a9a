"""`python -m webgym.engine FD`: an engine that serves whoever holds the other end of a socket pair."""

from __future__ import annotations

import logging
import socket
import sys

from webgym.serving.parentage import die_with_parent


def main() -> None:
    """Serve until the other end is closed."""
    die_with_parent()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s engine %(levelname)s %(message)s")
    # Only now: importing torch takes seconds, and the parent may be gone by then.
    from webgym.engine.server import Server  # noqa: PLC0415

    with socket.socket(fileno=int(sys.argv[1])) as sock:
        sock.setblocking(True)
        Server(sock).run()


if __name__ == "__main__":
    main()
