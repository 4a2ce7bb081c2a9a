"""What a trainer in a process of its own is told, and what it says: one line of JSON each."""

from __future__ import annotations

import msgspec

from webgym import errors
from webgym.records.base import Record, Variant
from webgym.records.sample import Trained
from webgym.train.recipe import Recipe
from webgym.train.settings import TrainerSettings

LONGEST = 2**20
"""Bytes of a line."""


class Expected(Record, frozen=True):
    """What an update will learn from, at most, as far as that is known before the first one."""

    rows: int = 0
    """0: not known."""
    text: int = 0
    """Tokens of a row that are not of pictures."""
    pictures: int = 0
    """In a row."""
    width: int = 0
    """Pixels of a picture."""
    height: int = 0
    most: int = 0
    """Tokens in a row, whatever the others come to; 0: any number."""


class Start(Record, frozen=True):
    """Which trainer to be."""

    model: str
    """Folder or name on the hub."""
    recipe: str
    """As JSON, like the settings."""
    settings: str
    run: str
    """Folder of the run whose store has the pictures."""
    checkpoints: str
    """Folder for exact checkpoints, gone on from if there are any."""
    keep: int = 2
    expected: Expected = Expected()

    @property
    def parsed(self) -> tuple[Recipe, TrainerSettings]:
        return Recipe.model_validate_json(self.recipe), TrainerSettings.model_validate_json(self.settings)


class Step(Record, frozen=True):
    """Learn from the batch in a file."""

    batch: str
    version: int
    """Of the weights it was written for."""
    folder: str
    """Where the next ones go."""


class Join(Record, frozen=True):
    """Be one more process of a trainer: what its first process tells each of the others before anything else."""

    start: Start
    rank: int
    port: int
    """Of the loopback interface, where they meet."""


class Learn(Variant, frozen=True):
    """What all processes of a trainer do at the same time, as its first one decided."""

    step: Step
    without: tuple[int, ...] = ()
    """Samples of the batch that are left out, by their place in it: whether a picture is gone may change while
    processes look, and they must learn from the same."""


class Publish(Variant, frozen=True):
    """Likewise: write the weights as they are."""

    folder: str
    version: int


Shared = Learn | Publish


class Ready(Variant, frozen=True):
    """It is set up."""

    version: int | None
    """Of the newest checkpoint; None: there was none."""
    parameters: int
    learning: int
    """Parameters that move."""
    memory_bytes: int
    """That each of its processes is expected to need."""
    disk_bytes: int
    """Likewise, for checkpoints and weights."""
    seconds: float = 0.0
    """That an update is expected to take at most; 0: not known."""


class Done(Variant, frozen=True):
    """It has learned."""

    trained: Trained


class Failed(Variant, frozen=True):
    """It has not."""

    code: str
    message: str


class Died(Variant, frozen=True):
    """One of its processes is lost, and with it all that was not written: it may be started again."""

    message: str


Answer = Ready | Done | Failed | Died

_ERRORS: dict[str, type[errors.WebGymError]] = {
    kind.code: kind
    for kind in (
        errors.CheckpointError,
        errors.ConfigError,
        errors.DoesNotFit,
        errors.LossNotFinite,
        errors.ModelError,
        errors.SampleError,
        errors.StoreError,
        errors.TokenizerMismatch,
    )
}


def line(message: Start | Step | Join | Shared | Answer) -> bytes:
    """A message as it travels."""
    return msgspec.json.encode(message) + b"\n"


def error_from(failed: Failed) -> errors.WebGymError:
    """The error that a failure stands for."""
    return _ERRORS.get(failed.code, errors.TrainingError)(failed.message)
