"""`python -m webgym.engine FD`: an engine process, controlled over the socket FD."""

from __future__ import annotations

import logging
import os
import socket
import sys

from webgym.serving.parent_death import die_with_parent


def main() -> None:
    """Serve until the other end is closed."""
    die_with_parent()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s engine %(levelname)s %(message)s")
    # Browsers share these cores: spinning OpenMP threads would starve them, and each other. OpenMP reads this when
    # torch is imported, hence the late import.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    from webgym.engine.server import EngineServer  # noqa: PLC0415

    with socket.socket(fileno=int(sys.argv[1])) as sock:
        sock.setblocking(True)
        EngineServer(sock).run()


if __name__ == "__main__":
    main()
