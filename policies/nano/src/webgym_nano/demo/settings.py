"""The configuration of the demo."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from webgym.errors import ConfigError
from webgym.run.load import load_config_as
from webgym.run.training.config import TrainConfig
from webgym_nano.manner import manner
from webgym_nano.shipped import NAME

FILE = Path(__file__).with_name("demo.toml")


def demo_config(out: Path, model: str = NAME, seed: int = 0, overrides: Sequence[str] = ()) -> TrainConfig:
    """Return the configuration of a demo in folder `out`: an ordinary training run, which can be resumed as one.

    Raises:
        ConfigError: The folder is not empty, or a setting is invalid.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ConfigError(f"{out} already exists: choose another folder with --out")
    base = manner()
    base["policy"]["model"] = model
    base["seed"], base["name"], base["store"] = seed, out.name, {"root": str(out.parent)}
    return load_config_as(TrainConfig, FILE, overrides, base)
