"""The trainer's process: carries out orders until the other end of its socket is closed."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from webgym.errors import TrainingError, WebGymError
from webgym.records.sample import Batch, TrainingResult
from webgym.store.read import Run, open_run
from webgym.train.batch_file import read_batch
from webgym.train.checkpoint_files import folder_digest
from webgym.train.device import check_devices
from webgym.train.learner import Learner
from webgym.train.messages import (
    LONGEST,
    Answer,
    Learn,
    Publish,
    StepOrder,
    StepReply,
    TrainerFailure,
    TrainerStart,
    line,
)
from webgym.train.ranks import Ranks, ranks_of

logger = logging.getLogger(__name__)


def serve(sock: socket.socket) -> None:
    """Serve until the other end is closed."""

    def answer(message: Answer) -> None:
        try:
            sock.sendall(line(message))
        except OSError:
            logger.info("could not send %s: the other side closed the connection", type(message).__name__)

    with sock.makefile("rb") as orders:
        first = orders.readline(LONGEST)
        if not first:
            return
        start = msgspec.json.decode(first, type=TrainerStart)
        try:
            check_devices(start.parsed[1])
            with open_run(Path(start.run)) as run, ranks_of(start, answer) as ranks:
                learner = Learner(start, run.blob)
                runner = StepRunner(learner, run, ranks)
                ranks.wait_ready()
                answer(learner.ready)
                for order in _lines(orders):
                    answer(StepReply(runner.step(msgspec.json.decode(order, type=StepOrder))))
        except WebGymError as error:
            # Some updates on the batch may have been made: only the checkpoint is unchanged.
            answer(TrainerFailure(error.code, str(error)))


def _lines(orders: BinaryIO) -> Iterator[bytes]:
    while order := orders.readline(LONGEST):
        yield order


class StepRunner:
    """Decides what an order requires, and has all ranks do it."""

    def __init__(self, learner: Learner, run: Run, ranks: Ranks) -> None:
        self._learner = learner
        self._run = run
        self._ranks = ranks

    def step(self, step: StepOrder) -> TrainingResult:
        """Train unless the checkpoint is already past this step, and rewrite missing weights: safe to repeat."""
        last = self._learner.last
        if last is None or last.policy.version != step.version + 1:
            last = self._learn(step)
        folder = Path(step.folder)
        if not folder.is_dir() or folder_digest(folder) != last.policy.digest:
            order = Publish(step.folder, last.policy.version)
            self._ranks.tell(order)
            self._learner.publish(order)
        return last

    def _learn(self, step: StepOrder) -> TrainingResult:
        batch, version = read_batch(Path(step.batch)), self._learner.version or 0
        if batch.version != step.version or version != step.version:
            raise TrainingError(
                f"{step.batch} is for version {batch.version}, but version {step.version} was requested and "
                f"the trainer is at {version}: the run's folder was changed in the meantime"
            )
        order = Learn(step, self._lacking(batch))
        self._ranks.tell(order)
        return self._learner.learn(order, batch)

    def _lacking(self, batch: Batch) -> tuple[int, ...]:
        """Return the indices of samples whose images are gone: they are left out rather than failing the run."""
        gone = self._run.lacking(address for sample in batch.samples for address in sample.pictures)
        lacking = tuple(place for place, sample in enumerate(batch.samples) if not gone.isdisjoint(sample.pictures))
        if lacking:
            logger.warning("%d samples are left out: their pictures are gone", len(lacking))
        return lacking
