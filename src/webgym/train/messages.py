"""Messages to and from a trainer process, and between its ranks: one line of JSON each."""

from __future__ import annotations

import msgspec

from webgym import errors
from webgym.records.base import Record, Variant
from webgym.records.sample import TrainingResult
from webgym.train.recipe import Recipe
from webgym.train.settings import TrainerSettings

LONGEST = 2**20
"""Maximum bytes of a line."""


class UpdateBounds(Record, frozen=True):
    """Upper bounds on the data of an update, as far as known before the first one."""

    rows: int = 0
    """Rows per update; 0: unknown."""
    text: int = 0
    """Tokens per row that are not image tokens."""
    pictures: int = 0
    """Images per row."""
    width: int = 0
    """Of an image, in pixels."""
    height: int = 0
    most: int = 0
    """Cap on the tokens of a row, image tokens included; 0: none."""


class TrainerStart(Record, frozen=True):
    """Configuration of a trainer: the first message to its process."""

    model: str
    """Folder, or name on the Hugging Face Hub."""
    recipe: str
    """`Recipe` as JSON."""
    settings: str
    """`TrainerSettings` as JSON."""
    run: str
    """Folder of the run whose store has the images."""
    checkpoints: str
    """Folder for exact checkpoints; training resumes from the newest, if there is one."""
    keep: int = 2
    deferred: int = 0
    """Further weights that are kept on disk, for evaluations that are made later."""
    expected: UpdateBounds = UpdateBounds()
    modules: tuple[str, ...] = ()
    """Folders in which a loss of one's own is looked up too: those where the run found it."""

    @property
    def parsed(self) -> tuple[Recipe, TrainerSettings]:
        return Recipe.model_validate_json(self.recipe), TrainerSettings.model_validate_json(self.settings)


class StepOrder(Record, frozen=True):
    """Order to train on the batch in a file."""

    batch: str
    version: int
    """Version of the weights that the batch is for."""
    folder: str
    """Where to write the next weights."""


class Join(Record, frozen=True):
    """Configuration of another rank of a trainer: the first message from rank 0 to its process."""

    start: TrainerStart
    rank: int
    port: int
    """Rendezvous port on the loopback interface."""


class Learn(Variant, frozen=True):
    """Order from rank 0 to all ranks: train on a batch."""

    step: StepOrder
    without: tuple[int, ...] = ()
    """Indices of samples to leave out. Rank 0 decides: an image may disappear while ranks look for it, and all must
    train on the same samples."""


class Publish(Variant, frozen=True):
    """Order from rank 0 to all ranks: write the current weights."""

    folder: str
    version: int


Shared = Learn | Publish


class Ready(Variant, frozen=True):
    """The trainer is set up."""

    version: int | None
    """Version of the newest checkpoint; None: there was none."""
    parameters: int
    learning: int
    """Trainable parameters."""
    memory_bytes: int
    """Memory that each process is expected to need."""
    disk_bytes: int
    """Disk that checkpoints and weights are expected to need."""
    seconds: float = 0.0
    """Expected upper bound on the time of an update; 0: unknown."""


class StepReply(Variant, frozen=True, tag="done"):
    """The step is done."""

    trained: TrainingResult


class TrainerFailure(Variant, frozen=True, tag="failed"):
    """The trainer failed with a WebGym error."""

    code: str
    message: str


class RankDeath(Variant, frozen=True, tag="died"):
    """A rank died, and with it everything since the last checkpoint: the trainer may be restarted."""

    message: str


Answer = Ready | StepReply | TrainerFailure | RankDeath

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


def line(message: TrainerStart | StepOrder | Join | Shared | Answer) -> bytes:
    """Encode a message."""
    return msgspec.json.encode(message) + b"\n"


def error_from(failed: TrainerFailure) -> errors.WebGymError:
    """Return the error that a failure stands for."""
    return _ERRORS.get(failed.code, errors.TrainingError)(failed.message)
