"""Experiment trackers, as configured."""

from __future__ import annotations

from webgym.curves.about import RunFacts
from webgym.curves.tensorboard import TensorBoard
from webgym.curves.tracker import Tracker
from webgym.curves.wandb import WandB
from webgym.run.training.config import TrainConfig
from webgym.run.training.folders import Folders


def trackers_of(config: TrainConfig, about: RunFacts, folders: Folders) -> tuple[Tracker, ...]:
    """Return the configured trackers.

    Raises:
        ConfigError: One of them is not installed.
    """
    trackers: list[Tracker] = []
    if config.curves.tensorboard:
        trackers.append(TensorBoard(folders.tensorboard))
    if config.curves.wandb:
        trackers.append(WandB(config.curves.wandb, about))
    return tuple(trackers)
