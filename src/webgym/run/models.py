"""Find models by the names in a configuration."""

from __future__ import annotations

from pathlib import Path

from webgym.errors import ConfigError
from webgym.run.shipped_policies import shipped_policy
from webgym.store.weights_manner import MANNER_FILE


def folder_here(name: str) -> Path | None:
    """Return the folder of a model that is on this machine: a folder, or downloaded from the hub before. Blocks."""
    folder = Path(name).expanduser()
    if folder.is_dir():
        return folder
    if name.count("/") != 1 or name.startswith((".", "/", "~")):
        return None
    try:
        from huggingface_hub import try_to_load_from_cache  # noqa: PLC0415  slow to import, and not always there
    except ImportError:
        return None
    found = try_to_load_from_cache(name, "config.json")
    return Path(found).parent if isinstance(found, str) else None


def find_policy(name: str) -> Path:
    """Return the folder of a model, downloading it if needed. Blocks.

    Raises:
        ConfigError: No model is named, or one with settings of its own was not here when the run was configured.
        ModelError: There is no such model.
    """
    if not name:
        raise ConfigError("no model given: set policy.model to a folder or a Hugging Face name")
    if shipped := shipped_policy(name):
        return shipped.checkpoint()
    # Imports torch, which nothing else here needs.
    from webgym.train.checkpoint_files import find_model  # noqa: PLC0415

    before = folder_here(name)
    folder = find_model(name).resolve()
    if before is None and (folder / MANNER_FILE).is_file():
        raise ConfigError(
            f"{name} is downloaded now, and its {MANNER_FILE} says what it was trained to see and say, which this run "
            "did not know: give the same command again"
        )
    return folder
