"""An engine whose processes are killed while they start, as often as a file says; run as a module."""

from __future__ import annotations

import os
import signal
import socket
import sys
from pathlib import Path

from webgym.engine.wire import EngineState, OrderReply, framed

TIMES = "WEBGYM_TEST_DEATHS"
"""Environment variable that names the file with the number of deaths that are left."""

if __name__ == "__main__":
    file = Path(os.environ[TIMES])
    with socket.socket(fileno=int(sys.argv[1])) as sock:
        sock.recv(1, socket.MSG_PEEK)  # its orders are there, and unread
        if left := int(file.read_text()):
            file.write_text(str(left - 1))
            os.kill(os.getpid(), signal.SIGKILL)
        sock.sendall(framed(OrderReply(0, EngineState(1, ""))))
        while sock.recv(2**16):
            pass
