"""What a training run works with, once it is open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from webgym.records.sample import PolicyVersion
from webgym.records.task import Task
from webgym.run.curve_log import CurveLog
from webgym.run.folders import Folders
from webgym.run.progress import ProgressListener
from webgym.run.sampler import Sampler
from webgym.run.shown import AttemptArchive
from webgym.run.train_config import TrainConfig
from webgym.run.trainer import Prepare
from webgym.run.training_attempts import TrainingAttempts
from webgym.stages import Trainer
from webgym.store.read import Run
from webgym.store.write import RunWriter
from webgym.telemetry.events import EventBus

if TYPE_CHECKING:
    from webgym.run.task_sets.health_recorder import HealthRecorder


@dataclass(frozen=True, slots=True)
class TrainingResources:
    """A training run that is ready to start or resume."""

    config: TrainConfig
    folders: Folders
    tasks: Sequence[Task]
    tests: Sequence[Task]
    curve: CurveLog
    writer: RunWriter
    store: Run
    model: Path
    """Folder of the initial model."""
    trainer: Trainer
    prepare: Prepare
    """Waits until the trainer is ready."""
    policy: PolicyVersion
    """Weights that the next iteration samples from."""
    sampler: Sampler
    shown: AttemptArchive
    attempts: TrainingAttempts
    """What attempts are made with."""
    health_recorder: HealthRecorder | None
    """Writes the health database of the training tasks."""
    events: EventBus
    is_left: bool
    """Whether iterations are left to run now."""
    progress: ProgressListener
