"""A trainer with its checkpoints, as run by each rank; all ranks get the same orders."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import msgspec
import torch
from safetensors import SafetensorError

from webgym.algorithms.losses.chosen import loss_of
from webgym.algorithms.registry import look_also_in
from webgym.errors import CheckpointError, ConfigError
from webgym.records.sample import Batch, PolicyVersion, TrainingResult
from webgym.train.checkpoint import Checkpoints
from webgym.train.device import device_of
from webgym.train.estimate import (
    PROCESSOR_SHARE,
    USUAL_SHARE,
    DiskRetention,
    ResourceEstimate,
    Work,
    check,
    device_memory,
    estimate,
)
from webgym.train.images import Bytes
from webgym.train.load import published
from webgym.train.messages import Learn, Publish, Ready, TrainerStart, UpdateBounds
from webgym.train.open import open_trainer, settled
from webgym.train.recipe import Recipe
from webgym.train.report import StepReport, UpdateFigures
from webgym.train.settings import TrainerSettings
from webgym.train.shape import VisionShape
from webgym.train.speed import matrix_speed
from webgym.train.trainer import ModelTrainer


class Learner:
    """A trainer, its checkpoints, and the result of its last step."""

    def __init__(self, start: TrainerStart, fetch: Bytes) -> None:
        recipe, settings = start.parsed
        settings = settled(settings)
        _check_loss(start, recipe)
        self._needs = _estimated(start, recipe, settings)
        self._checkpoints = Checkpoints(Path(start.checkpoints), start.keep)
        self.trainer: ModelTrainer = open_trainer(start.model, recipe, settings, fetch)
        position = self._checkpoints.resume(self.trainer)
        self.last = None if position is None else msgspec.convert(position, TrainingResult)

    @property
    def version(self) -> int | None:
        return None if self.last is None else self.last.policy.version

    @property
    def ready(self) -> Ready:
        needs = self._needs
        return Ready(
            self.version, needs.parameters, needs.learning, needs.memory.total, needs.disk_bytes, needs.seconds
        )

    def learn(self, order: Learn, batch: Batch) -> TrainingResult:
        """Train on a batch, then write weights and checkpoint, in this order: a checkpoint implies its weights."""
        step, kept = order.step, _without(batch, order.without)
        lost = bool(batch.samples) and not kept.samples  # the trainer refuses a batch that was empty to begin with
        report = _nothing_left(batch) if lost else self.trainer.step(kept)
        with _told_if_unwritten(step.version + 1):
            saved = self.trainer.save(Path(step.folder), step.version + 1)
            self.last = _trained(report, saved, len(order.without))
            self._checkpoints.save(self.trainer, msgspec.to_builtins(self.last))
        if torch.cuda.is_available():
            torch.cuda.empty_cache()
        return self.last

    def publish(self, order: Publish) -> None:
        """Write the current weights."""
        with _told_if_unwritten(order.version):
            self.trainer.save(Path(order.folder), order.version)


def _check_loss(start: TrainerStart, recipe: Recipe) -> None:
    """Check that the loss can be imported in this process, before anything large is read.

    Raises:
        ConfigError: It cannot be.
    """
    look_also_in(start.modules)
    try:
        loss_of(recipe.loss)
    except ConfigError as error:
        raise ConfigError(
            f"in the trainer's process, {error}. The run has it, but this process imports its modules anew: put the "
            f"loss into a file of its own, in a folder that Python looks in ({Path.cwd()} is one)"
        ) from None


@contextmanager
def _told_if_unwritten(version: int) -> Generator[None]:
    """Report write errors instead of crashing: a full disk stays full, so a restart would repeat the step in vain.

    Raises:
        CheckpointError: Something cannot be written.
    """
    try:
        yield
    except (OSError, SafetensorError) as error:
        raise CheckpointError(f"the weights of version {version} cannot be written: {error}") from error


def _nothing_left(batch: Batch) -> StepReport:
    """Return an empty report: the next version keeps the same weights, since a retry would not help."""
    return StepReport(batch.version + 1, rows=0, tokens=0, sampled=0, pictures=0, passes=0, seconds=0.0, updates=())


def _without(batch: Batch, left_out: Sequence[int]) -> Batch:
    gone = set(left_out)
    kept = tuple(sample for place, sample in enumerate(batch.samples) if place not in gone)
    return msgspec.structs.replace(batch, samples=kept) if gone else batch


def _estimated(start: TrainerStart, recipe: Recipe, settings: TrainerSettings) -> ResourceEstimate:
    """Estimate what this process needs, before anything large is read.

    Raises:
        DoesNotFit: There is not enough.
    """
    shape, device = published(start.model).shape, device_of(settings)
    work = _work(start.expected, recipe, shape.vision)
    kept = DiskRetention(start.keep, start.deferred)
    needed = partial(estimate, shape, settings, work, processes=settings.processes, kept=kept)
    needs = needed()
    check(needs, room=device_memory(device), folder=Path(start.checkpoints), written=_written(start))
    if not work.rows:
        return needs
    speed = matrix_speed(device, settings.precision)
    share = USUAL_SHARE if device.type == "cuda" else PROCESSOR_SHARE
    return needed(speed=speed, share=share)


def _written(start: TrainerStart) -> int:
    """Return the bytes of checkpoints and weights that a resumed run has already written."""
    folders = (Path(start.checkpoints), Path(start.run) / "policies")
    return sum(path.stat().st_size for folder in folders for path in folder.rglob("*") if path.is_file())


def _work(expected: UpdateBounds, recipe: Recipe, vision: VisionShape) -> Work:
    """Return the work of one update, assuming that screenshots are not resized."""
    patches = expected.pictures * (expected.width // vision.patch) * (expected.height // vision.patch)
    tokens = expected.text + patches // vision.merge**2
    if expected.most and tokens > expected.most:
        patches, tokens = patches * expected.most // tokens, expected.most
    return Work(
        rows=expected.rows,
        tokens=tokens,
        patches=patches,
        epochs=recipe.updates.epochs,
        proximal=recipe.loss.needs_proximal,
        reference=bool(recipe.loss.kl),
        average=bool(recipe.optimizer.average),
    )


def _trained(report: StepReport, policy: PolicyVersion, lacking: int) -> TrainingResult:
    updates = report.updates
    return TrainingResult(
        policy=policy,
        rows=report.rows,
        tokens=report.tokens,
        steps=len(updates),
        lr=updates[-1].lr if updates else 0.0,
        seconds=report.seconds,
        figures=_means(updates) | ({"lacking": float(lacking)} if lacking else {}),
    )


def _means(updates: Sequence[UpdateFigures]) -> dict[str, float]:
    """Average each figure over the updates; for `max_*`, take the maximum."""
    flat = [
        {"loss": update.loss, "grad_norm": update.grad_norm, **msgspec.to_builtins(update.tokens)} for update in updates
    ]
    names = [name for name in (flat[0] if flat else {}) if name != "tokens"]
    return {
        name: max(figures[name] for figures in flat)
        if name.startswith("max_")
        else sum(figures[name] for figures in flat) / len(flat)
        for name in names
    }
