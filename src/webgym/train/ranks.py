"""The other ranks of a trainer, as rank 0 sees them: start them, send orders, notice when one dies."""

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
from webgym.train.messages import LONGEST, Answer, Join, RankDeath, Ready, Shared, TrainerFailure, TrainerStart, line

logger = logging.getLogger(__name__)

_STOP_SECONDS = 3.0
"""Time for ranks to exit by themselves: less than this process is given by its parent."""
_BLAME_SECONDS = 1.0
"""Time for ranks that fail because another died to exit too: the first one noticed may not be the first to die."""


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
    """The other ranks. If one fails or dies, this process exits, and all of them with it.

    The main thread may be blocked in a collective that never returns, so a thread per rank watches it and exits the
    process if necessary.

    Args:
        answer: Sends an answer to whoever controls this trainer.
    """

    def __init__(self, answer: Callable[[Answer], None]) -> None:
        self._answer = answer
        self._ranks: list[_Rank] = []
        self._closing = False
        self._first = threading.Lock()
        self._lost = threading.Event()

    def start(self, start: TrainerStart, processes: int, port: int) -> None:
        """Start the ranks, from the main thread: to the kernel, a parent has died when the thread that forked exits."""
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
        """Wait until all ranks are ready. One that fails ends this process."""
        for rank in self._ranks:
            rank.ready.wait()

    def tell(self, order: Shared) -> None:
        """Send an order to all other ranks. Rank 0 must carry it out too."""
        for rank in self._ranks:
            _send(rank, order)

    def hang_up(self) -> None:
        """Stop sending: ranks exit once they have carried out their orders."""
        self._closing = True
        for rank in self._ranks:
            with suppress(OSError):
                rank.sock.shutdown(socket.SHUT_WR)

    def give_time_to_blame(self) -> None:
        """Wait in case a failure here was caused by the death of another rank: then that is what to report."""
        if self._lost.wait(_BLAME_SECONDS):
            threading.Event().wait()  # until a watching thread exits this process, which it is about to do

    def wait(self, seconds: float = _STOP_SECONDS) -> None:
        """Wait until the ranks have exited, at most this long."""
        deadline = time.monotonic() + seconds
        for rank in self._ranks:
            with suppress(subprocess.TimeoutExpired):
                rank.process.wait(max(0.0, deadline - time.monotonic()))

    def kill(self) -> None:
        """Kill the ranks that are left. Nothing they hold is worth waiting for."""
        self._closing = True
        for rank in self._ranks:
            rank.process.kill()
        for rank in self._ranks:
            with suppress(subprocess.TimeoutExpired):
                rank.process.wait(_STOP_SECONDS)

    def _watch(self, rank: _Rank) -> None:
        with suppress(OSError), rank.sock.makefile("rb") as said:
            while received := said.readline(LONGEST):
                answer = msgspec.json.decode(received, type=Ready | TrainerFailure)
                if isinstance(answer, Ready):
                    rank.ready.set()
                elif not self._closing:
                    self._give_up(TrainerFailure(answer.code, f"rank {rank.number}: {answer.message}"))
        if not self._closing:
            self._give_up(None)

    def _give_up(self, failed: TrainerFailure | RankDeath | None) -> NoReturn:
        """Report a failure and exit; None: a rank ended without a message, so look up how."""
        self._first.acquire()  # never released: one report is enough
        self._lost.set()
        if failed is None:
            self.wait(_BLAME_SECONDS)
            dead = [rank for rank in self._ranks if rank.process.poll() is not None]
            killed = [rank for rank in dead if (rank.process.returncode or 0) < 0]
            failed = RankDeath(", ".join(rank.fate for rank in killed or dead) or "a rank hung up")
            logger.error("%s: this trainer ends", failed.message)
        # Before the answer: whoever gets it may start the next trainer, which needs their memory.
        self.kill()
        self._answer(failed)
        os._exit(1)


@contextmanager
def ranks_of(start: TrainerStart, answer: Callable[[Answer], None]) -> Generator[Ranks]:
    """Start as many ranks as the settings say, this process being rank 0; none if it is the only one."""
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
            answer(RankDeath(f"{type(error).__name__}: {error}"))
            raise
        finally:
            ranks.kill()


def _send(rank: _Rank, message: Join | Shared) -> None:
    # A rank that cannot receive is dead, which its watching thread has noticed or will.
    with suppress(OSError):
        rank.sock.sendall(line(message))
