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
from webgym.run.shipped_policies import RANDOM, ShippedPolicy, shipped_policies, shipped_policy
from webgym.run.train_config import TrainConfig
from webgym.store.weights_manner import save_manner


def check_model(config: TrainConfig) -> None:
    """Check that the initial model exists, before the run is created. Blocks.

    Raises:
        ConfigError: No model is named, or its context has no room for a single page.
        ModelError: There is no such model.
    """
    if _random(config) is None:
        check_room(config, find_policy(config.policy.model))


def model_folder(config: TrainConfig, folders: Folders) -> Path:
    """Return the folder of the initial model, downloading or creating it if needed. Blocks.

    Raises:
        ConfigError: No model is named.
        ModelError: There is no such model.
    """
    if policy := _random(config):
        if not (folders.first_policy / "model.safetensors").is_file():
            policy.initialise(folders.first_policy, config.seed)
            save_manner(folders.first_policy, manner_of(config))
        return folders.first_policy
    return find_policy(config.policy.model)


def _random(config: TrainConfig) -> ShippedPolicy | None:
    """Return the policy to start from with random weights, if the run should."""
    name = config.policy.model
    if config.control != "random-weights":
        return shipped_policy(name.removeprefix(RANDOM)) if name.startswith(RANDOM) else None
    alike = (policy for policy in shipped_policies() if policy.recognise(Path(name).expanduser()))
    if found := shipped_policy(name.removeprefix(RANDOM)) or next(alike, None):
        return found
    raise ConfigError(f"control=random-weights needs a policy of known dimensions, such as nano: not {name!r}")


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
