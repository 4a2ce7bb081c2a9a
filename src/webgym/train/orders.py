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


class Ready(Variant, frozen=True):
    """It is set up."""

    version: int | None
    """Of the newest checkpoint; None: there was none."""
    parameters: int
    learning: int
    """Parameters that move."""
    memory_bytes: int
    """That it is expected to need."""
    disk_bytes: int
    """Likewise, for checkpoints and weights."""


class Done(Variant, frozen=True):
    """It has learned."""

    trained: Trained


class Failed(Variant, frozen=True):
    """It has not."""

    code: str
    message: str


Answer = Ready | Done | Failed

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


def line(message: Start | Step | Answer) -> bytes:
    """A message as it travels."""
    return msgspec.json.encode(message) + b"\n"


def error_from(failed: Failed) -> errors.WebGymError:
    """The error that a failure stands for."""
    return _ERRORS.get(failed.code, errors.TrainingError)(failed.message)
