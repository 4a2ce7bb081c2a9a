"""`python -m webgym.train FD [RANK]`: a trainer process, controlled over the socket FD.

A RANK above 0 makes it one of the other ranks of a trainer, controlled by rank 0.
"""

from __future__ import annotations

import logging
import os
import socket
import sys

from webgym.serving.parent_death import die_with_parent


def main() -> None:
    """Serve until the other end is closed."""
    die_with_parent()
    rank = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    name = f"trainer rank {rank}" if rank else "trainer"
    # Only warnings from libraries: they would end up between the lines of a user's terminal.
    logging.basicConfig(level=logging.WARNING, format=f"%(asctime)s {name} %(levelname)s %(message)s")
    logging.getLogger("webgym").setLevel(logging.INFO)
    # Spinning OpenMP threads starve other users of the cores. OpenMP reads this when torch is imported, hence the late
    # imports.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    from webgym.train.rank import serve_rank  # noqa: PLC0415
    from webgym.train.serve import serve  # noqa: PLC0415

    with socket.socket(fileno=int(sys.argv[1])) as sock:
        sock.setblocking(True)
        (serve_rank if rank else serve)(sock)


if __name__ == "__main__":
    main()
