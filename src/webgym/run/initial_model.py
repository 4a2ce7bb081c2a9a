"""The model that a training run starts from, and the weights that it goes on with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webgym.errors import ConfigError
from webgym.records.curve import Iteration
from webgym.records.sample import PolicyVersion
from webgym.run.carried_manner import manner_of
from webgym.run.folders import Folders
from webgym.run.models import find_policy
from webgym.run.prompt_room import check_room
from webgym.run.train_config import TrainConfig
from webgym.store.weights_manner import save_manner

RANDOM_NANO = "random-nano"


def check_model(config: TrainConfig) -> None:
    """Check that the initial model exists, before the run is created. Blocks.

    Raises:
        ConfigError: No model is named, or its context has no room for a single page.
        ModelError: There is no such model.
    """
    if not _is_made(config):
        check_room(config, find_policy(config.policy.model))


def model_folder(config: TrainConfig, folders: Folders) -> Path:
    """Return the folder of the initial model, downloading or creating it if needed. Blocks.

    Raises:
        ConfigError: No model is named.
        ModelError: There is no such model.
    """
    if _is_made(config):
        # Imports torch, which nothing else here needs.
        from webgym_nano.folder import write_folder  # noqa: PLC0415
        from webgym_nano.model import new_model  # noqa: PLC0415

        if not (folders.first_policy / "model.safetensors").is_file():
            write_folder(folders.first_policy, new_model(seed=config.seed))
            save_manner(folders.first_policy, manner_of(config))
        return folders.first_policy
    return find_policy(config.policy.model)


def _is_made(config: TrainConfig) -> bool:
    return config.policy.model == RANDOM_NANO or config.control == "random-weights"


def sampled_weights(iterations: Sequence[Iteration], model: Path, folders: Folders) -> PolicyVersion:
    """Return the weights that the next iteration samples from.

    Raises:
        ConfigError: They no longer exist.
    """
    version = iterations[-1].version if iterations else 0
    path = folders.policy(version) if version else model
    if not (path / "config.json").is_file():
        raise ConfigError(f"{path} is missing: the run cannot be resumed without the weights of version {version}")
    return PolicyVersion(version, str(path.resolve()))
