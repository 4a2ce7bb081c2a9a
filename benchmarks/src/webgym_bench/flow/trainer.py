"""`python -m webgym_bench.flow.trainer FD`: a stand-in for the trainer, with simulated latency.

It reads the batch and its pictures as the real trainer does. Only training is replaced by a wait.
"""

from __future__ import annotations

import socket
import sys
import threading
import time
from pathlib import Path
from typing import BinaryIO

import msgspec

from webgym.records.sample import PolicyVersion, TrainingResult
from webgym.serving.parent_death import die_with_parent
from webgym.store.read import Run, open_run
from webgym.train.batch_file import read_batch
from webgym.train.messages import LONGEST, Answer, Ready, StepOrder, StepReply, TrainerStart, line
from webgym_bench.flow.checkpoint import Pace, read, write

_NEVER = threading.Event()


def serve(sock: socket.socket, orders: BinaryIO) -> None:
    """Train until the parent closes the connection."""
    first = orders.readline(LONGEST)
    if not first:
        return
    start = msgspec.json.decode(first, type=TrainerStart)
    pace = read(Path(start.model))
    with open_run(Path(start.run)) as run:
        _send(sock, Ready(None, 0, 0, 0, 0))
        while order := orders.readline(LONGEST):
            _send(sock, StepReply(_step(msgspec.json.decode(order, type=StepOrder), pace, run)))


def _step(step: StepOrder, pace: Pace, run: Run) -> TrainingResult:
    began = time.monotonic()
    batch = read_batch(Path(step.batch))
    pictures = {address for sample in batch.samples for address in sample.pictures}
    size = sum(len(run.blob(address)) for address in pictures)
    trajectories = len({sample.attempt_id for sample in batch.samples})
    # Reading counts towards the cost of a trajectory, so wait only for the rest.
    _NEVER.wait(max(0.0, pace.train * trajectories - (time.monotonic() - began)))
    folder = Path(step.folder)
    write(folder, pace)
    return TrainingResult(
        policy=PolicyVersion(step.version + 1, str(folder)),
        rows=len(batch.samples),
        tokens=sum((len(sample.prompt) + len(sample.sampled)) // 4 for sample in batch.samples),
        steps=1,
        lr=0.0,
        seconds=time.monotonic() - began,
        figures={
            "trajectories": float(trajectories),
            "batch_bytes": float(Path(step.batch).stat().st_size),
            "picture_bytes": float(size),
            "pictures": float(len(pictures)),
        },
    )


def _send(sock: socket.socket, answer: Answer) -> None:
    sock.sendall(line(answer))


def main() -> None:
    """Train until the parent closes the connection."""
    die_with_parent()
    with socket.socket(fileno=int(sys.argv[1])) as sock:
        sock.setblocking(True)
        with sock.makefile("rb") as orders:
            serve(sock, orders)


if __name__ == "__main__":
    main()
