"""Conformance checks for `Trainer`. Each check opens its own trainers in temporary folders."""

from __future__ import annotations

import hashlib
import math
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from webgym.errors import StoreError, TrainingError
from webgym.records.sample import Batch, Sample, TrainingResult
from webgym.stages import Trainer
from webgym.testing.conformance.checking import bounded, can_be_stored, refused

_SECONDS = 600.0
OpenTrainer = Callable[[Path], AbstractAsyncContextManager[Trainer]]
"""Opens a trainer that keeps its state in this folder, and resumes from it when opened there again."""


@dataclass(frozen=True, slots=True)
class TrainerExample:
    """How to exercise an implementation."""

    samples: Sequence[Sample]
    """Samples to train on."""
    write: Callable[[Path, Batch], None]
    """Writes a batch in the format that the trainer reads; runs use `webgym.train.batch_file.write_batch`."""
    learns: bool = True
    """Whether each step changes its weights."""
    without_rate: OpenTrainer | None = None
    """Opens a trainer with a learning rate of 0; None skips the check."""


TrainerCheck = Callable[[OpenTrainer, TrainerExample], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class _Desk:
    """Runs steps on one trainer."""

    trainer: Trainer
    example: TrainerExample
    folder: Path

    def weights(self, version: int) -> Path:
        return self.folder / f"weights-{version}"

    async def step(
        self, version: int, samples: Sequence[Sample] | None = None, of: int | None = None
    ) -> TrainingResult:
        """Train on a batch for this version; `of`: the version that the batch itself declares."""
        path = self.folder / f"batch-{version}.msgpack"
        chosen = self.example.samples if samples is None else samples
        # Mark all tokens as sampled from this version: staleness is not what is checked.
        fresh = [
            msgspec.structs.replace(sample, versions=version.to_bytes(4, "little") * (len(sample.sampled) // 4))
            for sample in chosen
        ]
        self.example.write(path, Batch(tuple(fresh), version if of is None else of))
        return await self.trainer.step(path, version, self.weights(version + 1))


async def trainers_follow_the_protocol(opened: OpenTrainer, example: TrainerExample) -> None:
    """A step writes the weights of the next version to the given folder, and returns finite figures."""
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Path(folder)) as trainer:
            assert isinstance(trainer, Trainer), f"{trainer!r} has no method `step`"
            desk = _Desk(trainer, example, Path(folder))
            trained = await desk.step(0)
            assert isinstance(trained, TrainingResult), f"`step` gave {trained!r} and not a TrainingResult"
            assert trained.policy.version == 1, f"the version after 0 must be 1, not {trained.policy.version}"
            assert Path(trained.policy.path) == desk.weights(1), (
                f"the reported folder of the weights is {trained.policy.path}"
            )
            assert _content(desk.weights(1)), "the folder of the weights is empty"
            assert 0 <= trained.rows <= len(example.samples), f"{trained.rows} rows of {len(example.samples)} counted"
            odd = {name: figure for name, figure in trained.figures.items() if not math.isfinite(figure)}
            assert not odd, f"figures are not finite: {odd}"
            can_be_stored("what came of a step", trained)


async def every_step_gives_the_next_version(opened: OpenTrainer, example: TrainerExample) -> None:
    """Each step returns the next version and, if the trainer learns, different weights."""
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Path(folder)) as trainer:
            desk = _Desk(trainer, example, Path(folder))
            versions = [(await desk.step(version)).policy.version for version in range(2)]
            assert versions == [1, 2], f"two steps gave the versions {versions}"
            same = _content(desk.weights(1)) == _content(desk.weights(2))
            assert same != example.learns, "a step changed nothing" if same else "a step changed the weights"


async def asked_again_it_does_not_learn_twice(opened: OpenTrainer, example: TrainerExample) -> None:
    """A repeated step, as after a crash of the caller, returns the same result and writes the same weights."""
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Path(folder)) as trainer:
            desk = _Desk(trainer, example, Path(folder))
            first = await desk.step(0)
            before = _content(desk.weights(1))
            again = await desk.step(0)
            assert again.policy == first.policy, f"a repeated step gave {again.policy}, the first one {first.policy}"
            assert _content(desk.weights(1)) == before, "a repeated step trained twice"


async def it_goes_on_where_it_was(opened: OpenTrainer, example: TrainerExample) -> None:
    """Closing and reopening it between steps gives the same weights as running through."""
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
        async with opened(Path(one)) as trainer:
            whole = _Desk(trainer, example, Path(one))
            for version in range(2):
                await whole.step(version)
        async with opened(Path(other)) as trainer:
            await _Desk(trainer, example, Path(other)).step(0)
        async with opened(Path(other)) as trainer:
            again = _Desk(trainer, example, Path(other))
            await again.step(1)
        assert _content(whole.weights(2)) == _content(again.weights(2)), (
            "closing and reopening it between two steps gives different weights"
        )


async def what_it_cannot_learn_from_is_refused(opened: OpenTrainer, example: TrainerExample) -> None:
    """An empty, mismatched, damaged or missing batch is refused, and the weights stay unchanged."""
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Path(folder)) as trainer:
            desk = _Desk(trainer, example, Path(folder))
            with refused("an empty batch", TrainingError):
                await desk.step(0, samples=())
            with refused("a batch that was written for version 5, and given for version 0,", TrainingError):
                await desk.step(0, of=5)
            torn = Path(folder) / "torn.msgpack"
            torn.write_bytes(b"\x92")
            for path in (torn, Path(folder) / "nowhere.msgpack"):
                with refused(f"a batch that cannot be read ({path.name})", TrainingError, StoreError):
                    await trainer.step(path, 0, desk.weights(1))
            trained = await desk.step(0)
            assert trained.policy.version == 1, f"the version after a refused batch is {trained.policy.version}, not 1"


async def without_a_learning_rate_nothing_changes(opened: OpenTrainer, example: TrainerExample) -> None:
    """With a learning rate of 0, two steps give the same weights."""
    del opened
    if example.without_rate is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        async with example.without_rate(Path(folder)) as trainer:
            desk = _Desk(trainer, example, Path(folder))
            for version in range(2):
                await desk.step(version)
            same = _content(desk.weights(1)) == _content(desk.weights(2))
            assert same, "with a learning rate of 0, a step changed the weights"


def _content(folder: Path) -> dict[str, str]:
    """Return the hash of every file by relative path."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


TRAINER_CHECKS: tuple[TrainerCheck, ...] = bounded(
    trainers_follow_the_protocol,
    every_step_gives_the_next_version,
    asked_again_it_does_not_learn_twice,
    it_goes_on_where_it_was,
    what_it_cannot_learn_from_is_refused,
    without_a_learning_rate_nothing_changes,
    seconds=_SECONDS,
)
