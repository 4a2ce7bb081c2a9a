"""The other ranks of a trainer: each does what rank 0 does, with its shard of the weights and its part of the rows."""

from __future__ import annotations

import socket
from pathlib import Path

import msgspec

from webgym.errors import WebGymError
from webgym.store.read import open_run
from webgym.train.batch_file import read_batch
from webgym.train.group import grouped
from webgym.train.learner import Learner
from webgym.train.messages import LONGEST, Join, Learn, Publish, Shared, TrainerFailure, line


def serve_rank(sock: socket.socket) -> None:
    """Serve until rank 0 closes the socket."""
    with sock.makefile("rb") as orders:
        first = orders.readline(LONGEST)
        if not first:
            return
        join = msgspec.json.decode(first, type=Join)
        try:
            with grouped(join.start.parsed[1], join.rank, join.port), open_run(Path(join.start.run)) as run:
                learner = Learner(join.start, run.blob)
                sock.sendall(line(learner.ready))
                while order := orders.readline(LONGEST):
                    _do(learner, msgspec.json.decode(order, type=Shared))
        except WebGymError as error:
            sock.sendall(line(TrainerFailure(error.code, str(error))))


def _do(learner: Learner, order: Shared) -> None:
    match order:
        case Learn(step=step):
            learner.learn(order, read_batch(Path(step.batch)))
        case Publish():
            learner.publish(order)
