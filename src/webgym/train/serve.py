"""The trainer's process: does what it is told until nobody is left to tell it."""

from __future__ import annotations

import logging
import socket
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

import msgspec
import torch

from webgym.errors import TrainingError, WebGymError
from webgym.records.sample import Batch, PolicyVersion, Trained
from webgym.store.read import Run, open_run
from webgym.train.batch_file import read_batch
from webgym.train.checkpoint import Checkpoints
from webgym.train.checkpoint_files import folder_digest
from webgym.train.estimate import Estimate, Work, check, device_memory, estimate
from webgym.train.load import published
from webgym.train.open import device_of, open_trainer, settled
from webgym.train.orders import LONGEST, Answer, Done, Failed, Ready, Start, Step, line
from webgym.train.recipe import Recipe
from webgym.train.report import StepReport, UpdateFigures
from webgym.train.settings import TrainerSettings
from webgym.train.trainer import Trainer

logger = logging.getLogger(__name__)


def serve(sock: socket.socket) -> None:
    """Until the other end is closed."""
    with sock.makefile("rb") as orders:
        first = orders.readline(LONGEST)
        if not first:
            return
        start = msgspec.json.decode(first, type=Start)
        try:
            with open_run(Path(start.run)) as run:
                desk = Desk(start, run)
                _send(sock, desk.ready)
                desk.serve(sock, orders)
        except WebGymError as error:
            _send(sock, Failed(error.code, str(error)))


class Desk:
    """A trainer, where its checkpoints are, and which batch it learned from last."""

    def __init__(self, start: Start, run: Run) -> None:
        recipe, settings = start.parsed
        settings = settled(settings)
        self._needs = _estimated(start, recipe, settings)
        self._checkpoints = Checkpoints(Path(start.checkpoints), start.keep)
        self._run = run
        self._trainer: Trainer = open_trainer(start.model, recipe, settings, run.blob)
        position = self._checkpoints.resume(self._trainer)
        self._last = None if position is None else msgspec.convert(position, Trained)

    @property
    def version(self) -> int | None:
        return None if self._last is None else self._last.policy.version

    @property
    def ready(self) -> Ready:
        needs = self._needs
        return Ready(self.version, needs.parameters, needs.learning, needs.memory.total, needs.disk_bytes)

    def serve(self, sock: socket.socket, orders: BinaryIO) -> None:
        while order := orders.readline(LONGEST):
            try:
                answer: Answer = Done(self._step(msgspec.json.decode(order, type=Step)))
            except WebGymError as error:
                # Some of its updates may have been made: only the checkpoint is what it was.
                _send(sock, Failed(error.code, str(error)))
                return
            _send(sock, answer)

    def _step(self, step: Step) -> Trained:
        """Learn, write the checkpoint, then the weights: whatever is cut off can be asked for again."""
        if self._last is None or self._last.policy.version != step.version + 1:
            self._learn(step)
        if self._last is None:
            raise TrainingError("nothing was learned")
        folder = Path(step.folder)
        if not folder.is_dir() or folder_digest(folder) != self._last.policy.digest:
            self._trainer.save(folder, self._last.policy.version)
        return self._last

    def _learn(self, step: Step) -> None:
        batch = read_batch(Path(step.batch))
        if batch.version != step.version or (self.version or 0) != step.version:
            raise TrainingError(
                f"{step.batch} is for version {batch.version}, asked for is {step.version}, and the trainer is at "
                f"{self.version or 0}: the folder of the run was changed meanwhile"
            )
        shown = self._shown(batch)
        report = self._trainer.step(shown)
        saved = self._trainer.save(Path(step.folder), step.version + 1)
        self._last = _trained(report, saved, len(batch.samples) - len(shown.samples))
        self._checkpoints.save(self._trainer, msgspec.to_builtins(self._last))
        if torch.cuda.is_available():
            torch.cuda.empty_cache()

    def _shown(self, batch: Batch) -> Batch:
        """Without samples whose pictures are gone: what cannot be seen again is not learned from, and ends no run."""
        gone = self._run.lacking(address for sample in batch.samples for address in sample.pictures)
        if not gone:
            return batch
        kept = tuple(one for one in batch.samples if gone.isdisjoint(one.pictures))
        logger.warning("%d samples are left out: their pictures are gone", len(batch.samples) - len(kept))
        return msgspec.structs.replace(batch, samples=kept)


def _estimated(start: Start, recipe: Recipe, settings: TrainerSettings) -> Estimate:
    """What it will need, before anything large is read.

    Raises:
        DoesNotFit: There is not enough.
    """
    work = Work(1, settings.tokens, settings.patches, reference=bool(recipe.loss.kl))
    needs = estimate(published(start.model).shape, settings, work, keep=start.keep)
    check(needs, room=device_memory(device_of(settings)), folder=Path(start.checkpoints))
    return needs


def _trained(report: StepReport, policy: PolicyVersion, lacking: int) -> Trained:
    updates = report.updates
    return Trained(
        policy=policy,
        rows=report.rows,
        tokens=report.tokens,
        steps=len(updates),
        lr=updates[-1].lr if updates else 0.0,
        seconds=report.seconds,
        figures=_means(updates) | ({"lacking": float(lacking)} if lacking else {}),
    )


def _means(updates: Sequence[UpdateFigures]) -> dict[str, float]:
    """Of every figure, over the updates; largest values stay the largest."""
    flat = [{"loss": one.loss, "grad_norm": one.grad_norm, **msgspec.to_builtins(one.tokens)} for one in updates]
    names = [name for name in (flat[0] if flat else {}) if name != "tokens"]
    return {
        name: max(one[name] for one in flat) if name.startswith("max_") else sum(one[name] for one in flat) / len(flat)
        for name in names
    }


def _send(sock: socket.socket, answer: Answer) -> None:
    try:
        sock.sendall(line(answer))
    except OSError:
        logger.info("nobody is left to hear of %s", type(answer).__name__)
