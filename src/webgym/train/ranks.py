"""The other processes of a trainer, as its first one sees them: started, told what to do, missed when they die."""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import NoReturn

import msgspec

from webgym.errors import WebGymError
from webgym.train.group import HOST, grouped
from webgym.train.messages import LONGEST, Answer, Died, Failed, Join, Ready, Shared, Start, line

logger = logging.getLogger(__name__)

_STOP_SECONDS = 3.0
"""To end by themselves: fewer than whoever started this process gives it."""
_BLAME_SECONDS = 1.0
"""Until those that fail because another died have ended too: the first to be missed may not be the first to die."""


@dataclass(frozen=True, slots=True)
class _Rank:
    number: int
    process: subprocess.Popen[bytes]
    sock: socket.socket
    ready: threading.Event = field(default_factory=threading.Event)

    @property
    def fate(self) -> str:
        code = self.process.poll()
        if code is not None and code < 0:
            return f"rank {self.number} was killed by {signal.Signals(-code).name}"
        return f"rank {self.number} ended" + ("" if code is None else f" with {code}")


class Ranks:
    """Whatever becomes of one of them, this process does not wait for it: it ends, and all of them with it.

    Its main thread may be deep in a collective that will never return, so a thread for each rank watches, and ends the
    process if there is need.

    Args:
        answer: Says something to whoever gives this trainer its orders.
    """

    def __init__(self, answer: Callable[[Answer], None]) -> None:
        self._answer = answer
        self._ranks: list[_Rank] = []
        self._closing = False
        self._first = threading.Lock()
        self._lost = threading.Event()

    def start(self, start: Start, processes: int, port: int) -> None:
        """From the main thread: the kernel takes a process for an orphan when the thread that started it ends."""
        for number in range(1, processes):
            ours, theirs = socket.socketpair()
            with theirs:
                command = [sys.executable, "-m", "webgym.train", str(theirs.fileno()), str(number)]
                process = subprocess.Popen(  # noqa: S603  our own module
                    command, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()]
                )
            rank = _Rank(number, process, ours)
            self._ranks.append(rank)
            _send(rank, Join(start, number, port))
        for rank in self._ranks:
            threading.Thread(target=self._watch, args=(rank,), daemon=True).start()

    def wait_ready(self) -> None:
        """Until all have what they need. One that has not ends this process."""
        for rank in self._ranks:
            rank.ready.wait()

    def tell(self, order: Shared) -> None:
        """Let all do the same. The first process must do it too."""
        for rank in self._ranks:
            _send(rank, order)

    def hang_up(self) -> None:
        """They end when they have done what they were told."""
        self._closing = True
        for rank in self._ranks:
            with suppress(OSError):
                rank.sock.shutdown(socket.SHUT_WR)

    def give_time_to_blame(self) -> None:
        """What failed here may have failed because another process died: then that is what is to be told."""
        if self._lost.wait(_BLAME_SECONDS):
            threading.Event().wait()  # until a thread ends this process, which it is about to do

    def wait(self, seconds: float = _STOP_SECONDS) -> None:
        """Until they have ended, or should have."""
        deadline = time.monotonic() + seconds
        for rank in self._ranks:
            with suppress(subprocess.TimeoutExpired):
                rank.process.wait(max(0.0, deadline - time.monotonic()))

    def kill(self) -> None:
        """Those that are left. Nothing that they hold is worth waiting for."""
        self._closing = True
        for rank in self._ranks:
            rank.process.kill()
        for rank in self._ranks:
            with suppress(subprocess.TimeoutExpired):
                rank.process.wait(_STOP_SECONDS)

    def _watch(self, rank: _Rank) -> None:
        with suppress(OSError), rank.sock.makefile("rb") as said:
            while received := said.readline(LONGEST):
                answer = msgspec.json.decode(received, type=Ready | Failed)
                if isinstance(answer, Ready):
                    rank.ready.set()
                elif not self._closing:
                    self._give_up(Failed(answer.code, f"rank {rank.number}: {answer.message}"))
        if not self._closing:
            self._give_up(None)

    def _give_up(self, failed: Failed | Died | None) -> NoReturn:
        """What a process found out, it says; what became of one that says nothing is seen."""
        self._first.acquire()  # for ever: one is enough
        self._lost.set()
        if failed is None:
            self.wait(_BLAME_SECONDS)
            dead = [rank for rank in self._ranks if rank.process.poll() is not None]
            killed = [rank for rank in dead if (rank.process.returncode or 0) < 0]
            failed = Died(", ".join(rank.fate for rank in killed or dead) or "a rank hung up")
            logger.error("%s: this trainer ends", failed.message)
        # Before the answer: whoever hears it may start the next trainer, which wants their memory.
        self.kill()
        self._answer(failed)
        os._exit(1)


@contextmanager
def ranks_of(start: Start, answer: Callable[[Answer], None]) -> Generator[Ranks]:
    """As many as the settings say, this process being the first; none if it is the only one."""
    _, settings = start.parsed
    ranks = Ranks(answer)
    if settings.processes == 1:
        yield ranks
        return
    with socket.create_server((HOST, 0)) as listening:
        port = listening.getsockname()[1]
        ranks.start(start, settings.processes, port)
        try:
            with grouped(settings, 0, port, listening):
                yield ranks
                ranks.hang_up()
            ranks.wait()
        except WebGymError:
            raise
        except Exception as error:
            ranks.give_time_to_blame()
            answer(Died(f"{type(error).__name__}: {error}"))
            raise
        finally:
            ranks.kill()


def _send(rank: _Rank, message: Join | Shared) -> None:
    # One that cannot hear it is dead, which its thread has seen or will.
    with suppress(OSError):
        rank.sock.sendall(line(message))
