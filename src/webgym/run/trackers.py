"""Experiment trackers, as configured."""

from __future__ import annotations

from webgym.curves.about import RunFacts
from webgym.curves.tensorboard import TensorBoard
from webgym.curves.tracker import Tracker
from webgym.curves.wandb import WandB
from webgym.run.folders import Folders
from webgym.run.train_config import TrainConfig


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
