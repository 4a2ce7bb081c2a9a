"""Who else keeps a curve, as configured."""

from __future__ import annotations

from webgym.curves.about import About
from webgym.curves.scribe import Scribe
from webgym.curves.tensorboard import TensorBoard
from webgym.curves.wandb import WandB
from webgym.pipeline.train.config import TrainConfig
from webgym.pipeline.train.folders import Folders


def scribes_of(config: TrainConfig, about: About, folders: Folders) -> tuple[Scribe, ...]:
    """Raises `ConfigError` if one of them is not installed."""
    scribes: list[Scribe] = []
    if config.curves.tensorboard:
        scribes.append(TensorBoard(folders.tensorboard))
    if config.curves.wandb:
        scribes.append(WandB(config.curves.wandb, about))
    return tuple(scribes)
