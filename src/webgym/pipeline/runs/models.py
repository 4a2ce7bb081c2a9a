"""Find models by the names in a configuration."""

from __future__ import annotations

from pathlib import Path

from webgym.errors import ConfigError
from webgym.nano import shipped


def find_policy(name: str) -> Path:
    """Return the folder of a model, downloading it if needed. Blocks.

    Raises:
        ConfigError: No model is named.
        ModelError: There is no such model.
    """
    if not name:
        raise ConfigError("no model given: set policy.model to a folder or a Hugging Face name")
    if name == shipped.NAME:
        return shipped.checkpoint()
    # Imports torch, which nothing else here needs.
    from webgym.train.checkpoint_files import find_model  # noqa: PLC0415

    return find_model(name).resolve()
