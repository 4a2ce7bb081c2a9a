"""The model that a training run begins with."""

from __future__ import annotations

from pathlib import Path

from webgym.pipeline.runs.models import find_policy
from webgym.pipeline.runs.prompt_room import check_room
from webgym.pipeline.train.config import TrainConfig
from webgym.pipeline.train.folders import Folders

RANDOM_NANO = "random-nano"


def check_model(config: TrainConfig) -> None:
    """Whether there is a model to begin with, before there is a run. Blocks.

    Raises:
        ConfigError: None is named, or it has no room for a single page.
        ModelError: There is no such model.
    """
    if not _is_made(config):
        check_room(config, find_policy(config.policy.model))


def model_folder(config: TrainConfig, folders: Folders) -> Path:
    """Its folder; fetched, or made, if it is not there yet. Blocks.

    Raises:
        ConfigError: None is named.
        ModelError: There is no such model.
    """
    if _is_made(config):
        # Brings torch along, which nothing else here needs.
        from webgym.nano.folder import write_folder  # noqa: PLC0415
        from webgym.nano.model import new_model  # noqa: PLC0415

        if not (folders.first_policy / "model.safetensors").is_file():
            write_folder(folders.first_policy, new_model(seed=config.seed))
        return folders.first_policy
    return find_policy(config.policy.model)


def _is_made(config: TrainConfig) -> bool:
    return config.policy.model == RANDOM_NANO or config.control == "random-weights"
