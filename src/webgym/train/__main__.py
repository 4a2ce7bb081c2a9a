"""`python -m webgym.train FD`: a trainer for whoever holds the other end of a socket pair.

With a rank behind it, one more process of such a trainer, whose first process holds the other end.
"""

from __future__ import annotations

import logging
import os
import socket
import sys

from webgym.serving.parent_death import die_with_parent


def main() -> None:
    """Train until the other end is closed."""
    die_with_parent()
    rank = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    name = f"trainer rank {rank}" if rank else "trainer"
    # Libraries have less to say than we do: theirs would end up between the lines of a person's terminal.
    logging.basicConfig(level=logging.WARNING, format=f"%(asctime)s {name} %(levelname)s %(message)s")
    logging.getLogger("webgym").setLevel(logging.INFO)
    # Threads that spin while they wait for each other starve whoever else needs the cores. Read by OpenMP when torch is
    # imported, which is why that comes last.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    from webgym.train.rank import serve_rank  # noqa: PLC0415
    from webgym.train.serve import serve  # noqa: PLC0415

    with socket.socket(fileno=int(sys.argv[1])) as sock:
        sock.setblocking(True)
        (serve_rank if rank else serve)(sock)


if __name__ == "__main__":
    main()
