"""Models by the names that configurations use."""

from __future__ import annotations

from pathlib import Path

from webgym.errors import ConfigError
from webgym.nano import shipped


def find_policy(name: str) -> Path:
    """The folder of a model; fetched if it is not there yet. Blocks.

    Raises:
        ConfigError: None is named.
        ModelError: There is no such model.
    """
    if not name:
        raise ConfigError("no model is named: give policy.model, a folder or a name on the hub")
    if name == shipped.NAME:
        return shipped.checkpoint()
    # Brings torch along, which nothing else here needs.
    from webgym.train.checkpoint_files import find_model  # noqa: PLC0415

    return find_model(name).resolve()
