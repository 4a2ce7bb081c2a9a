"""Training runs: the interface through which the viewer learns about their evaluations and groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from webgym.records.curve import Rate
from webgym.store.rows import Row


@dataclass(frozen=True, slots=True)
class EvaluationRun:
    """An evaluation of a training run: a run of its own."""

    iteration: int
    folder: Path
    success: Rate | None
    """Over graded attempts, on websites that training never uses; None until it has finished."""


@dataclass(frozen=True, slots=True)
class Training:
    """What a training run is about, besides its attempts."""

    evaluations: Sequence[EvaluationRun] = ()
    """In order."""
    estimator: str = ""
    """How advantages are estimated from the rewards of a group; empty if attempts are not compared in groups."""
    curriculum: bool = False
    """Whether tasks were chosen by how often they were solved, so that success on them says little about progress."""
    shuffled: bool = False
    """Whether rewards were permuted among the attempts of a group before learning, as a control."""


@dataclass(frozen=True, slots=True)
class TrainingGroup:
    """Attempts at the same task that were compared with each other."""

    name: str
    iteration: int | None = None
    """The iteration it belongs to; None until an asynchronous run settles it."""
    version: int | None = None
    """Version of the weights that learned from it, or would have."""
    fate: str = "open"
    """`kept` if it was learned from, the reason if it was not, or `open` until that is known."""
    advantages: Mapping[str, float] = field(default_factory=dict[str, float])
    """Advantage of each attempt that was learned from, by its id."""


class Trainings(Protocol):
    """What is known about training runs. Methods block."""

    def training(self, run: Path, /) -> Training:
        """Describe a training run.

        Raises:
            StoreError: Its files cannot be read.
        """
        ...

    def groups(self, run: Path, rows: Sequence[Row], /) -> Sequence[TrainingGroup]:
        """Return the groups of these attempts, in the order in which they began; none if every attempt is alone.

        Raises:
            StoreError: Its files cannot be read.
        """
        ...


class NoTrainings:
    """Nothing is known about training runs."""

    def training(self, _run: Path, /) -> Training:
        return Training()

    def groups(self, _run: Path, _rows: Sequence[Row], /) -> Sequence[TrainingGroup]:
        return ()
