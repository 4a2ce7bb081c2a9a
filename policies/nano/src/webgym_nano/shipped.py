"""Files that ship with the package: nano's weights, the tasks it is measured on, and the curve of a full training run.

shipped/config.json, model*.safetensors, tokenizer and processor files   the checkpoint, as `folder.py` lays it out
shipped/CARD.md       model card: what it is, what it was trained on, how well it does
shipped/suite.jsonl   tasks of unseen websites, one per line
shipped/practice.jsonl  tasks of training websites that it solved in some, but not all, of four attempts
shipped/curve.json    the curve of a full training run; `webgym demo` shows it beside its own
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import msgspec

from webgym.errors import ConfigError
from webgym.records.task import Task
from webgym.rng import Rng
from webgym.run.known_weights import json_of
from webgym.run.shipped_policies import ShippedPolicy
from webgym_nano.characters import vocabulary
from webgym_nano.config import picture_settings
from webgym_nano.manner import manner

NAME = "nano"
"""Name of the checkpoint, and of the tasks, in configurations."""
FOLDER = Path(__file__).parent / "shipped"
SUITE = FOLDER / "suite.jsonl"
PRACTICE = FOLDER / "practice.jsonl"
CURVE = FOLDER / "curve.json"


def checkpoint() -> Path:
    """Return the folder of the checkpoint.

    Raises:
        ConfigError: This installation has none.
    """
    if not (FOLDER / "config.json").is_file() or not any(FOLDER.glob("model*.safetensors")):
        raise ConfigError(f"this installation of WebGym has no nano: {FOLDER} holds no weights")
    return FOLDER


def suite_tasks(seed: int) -> list[Task]:
    """Return the tasks that nano is measured on. Shuffled, even a few of them cover many sites: the file is sorted."""
    return Rng("suite", seed).shuffled(_tasks(suite()))


def practice_tasks(seed: int) -> list[Task]:
    """Return the tasks that nano solves some of the time, shuffled."""
    return Rng("practice", seed).shuffled(_tasks(practice()))


def suite() -> Path:
    """Return the file with the tasks that nano is measured on.

    Raises:
        ConfigError: This installation has none.
    """
    return _there(SUITE)


def practice() -> Path:
    """Return the file with tasks that nano solves some of the time.

    Raises:
        ConfigError: This installation has none.
    """
    return _there(PRACTICE)


def recognise(folder: Path) -> str:
    """Return why weights are nano's: both its tokens and the size of its pictures only fit its own dialect."""
    if json_of(folder / "preprocessor_config.json").get("size") != picture_settings()["size"]:
        return ""
    model: Any = json_of(folder / "tokenizer.json").get("model")
    known = isinstance(model, dict) and cast("dict[str, Any]", model).get("vocab") == vocabulary()
    return "its tokenizer and picture size are nano's" if known else ""


def initialise(folder: Path, seed: int) -> None:
    """Write a nano with random weights."""
    # Imports torch, which nothing else here needs.
    from webgym_nano.folder import write_folder  # noqa: PLC0415
    from webgym_nano.model import new_model  # noqa: PLC0415

    write_folder(folder, new_model(seed=seed))


def _tasks(file: Path) -> list[Task]:
    return [msgspec.json.decode(line, type=Task) for line in file.read_bytes().splitlines() if line.strip()]


def _there(path: Path) -> Path:
    if not path.is_file():
        raise ConfigError(f"this installation of WebGym has no tasks for nano: {path} is missing")
    return path


NANO = ShippedPolicy(checkpoint, manner(), recognise, initialise)
