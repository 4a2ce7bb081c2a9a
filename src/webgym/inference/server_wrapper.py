"""`python -m webgym.inference.server_wrapper FD`: runs a third-party server, and ends all of it with our parent.

Our own servers ask the kernel to kill them when their parent dies. Third-party servers do not, and have child
processes, so this process stands between. It is their subreaper, and when the other end of its socket closes, for
whatever reason, it ends every process below it.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import msgspec

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_GRACE_SECONDS = 3.0
"""Time for the server to exit by itself. The parent waits 5 s before it kills this process."""


class Order(msgspec.Struct, frozen=True):
    """The only message to the wrapper, on one line."""

    command: tuple[str, ...]
    environment: dict[str, str]
    log: str


class ServerExit(msgspec.Struct, frozen=True):
    """The only message from the wrapper: the server's exit code."""

    code: int


def main() -> None:
    """Run the server until it exits or the socket is closed."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    with socket.socket(fileno=int(sys.argv[1])) as sock, sock.makefile("rb") as lines:
        order = msgspec.json.decode(lines.readline(), type=Order)
        Path(order.log).parent.mkdir(parents=True, exist_ok=True)
        with Path(order.log).open("ab", buffering=0) as log:
            server = subprocess.Popen(  # noqa: S603 - what the user configured
                order.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=order.environment,
                start_new_session=True,
                preexec_fn=_end_with_wrapper,  # noqa: PLW1509 - no threads here
            )
        ended = _until_ended(server, sock)
        _end_all(server)
        if ended is not None:
            with contextlib.suppress(OSError):
                sock.sendall(msgspec.json.encode(ServerExit(ended)) + b"\n")


def _until_ended(server: subprocess.Popen[bytes], sock: socket.socket) -> int | None:
    """Return the server's exit code; None if the socket was closed first."""
    while True:
        readable, _, _ = select.select([sock], [], [], 0.2)
        if readable:
            with contextlib.suppress(OSError):
                if sock.recv(64):
                    continue
            return None
        if server.poll() is not None:
            return server.returncode


def _end_all(server: subprocess.Popen[bytes]) -> None:
    """Terminate the server, then kill what is left."""
    if server.poll() is None:
        server.terminate()
    until = time.monotonic() + _GRACE_SECONDS
    while _below(os.getpid()):
        _reap(server)
        if time.monotonic() > until:
            for pid in _below(os.getpid()):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
        select.select([], [], [], 0.05)


def _reap(server: subprocess.Popen[bytes]) -> None:
    server.poll()
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _below(pid: int) -> list[int]:
    """Return the ids of all descendants of a process."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            with contextlib.suppress(OSError, IndexError):
                # The process name may hold anything; after its closing bracket come state and parent.
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
    found: list[int] = []
    waiting = [pid]
    while waiting:
        some = children.get(waiting.pop(), [])
        found += some
        waiting += some
    return found


def _end_with_wrapper() -> None:
    _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(option, value)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    main()
