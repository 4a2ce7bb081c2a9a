"""Files that ship with the package: nano's weights, the tasks it is measured on, and the curve of a full training run.

shipped/config.json, model*.safetensors, tokenizer and processor files   the checkpoint, as `folder.py` lays it out
shipped/CARD.md       model card: what it is, what it was trained on, how well it does
shipped/suite.jsonl   tasks of unseen websites, one per line
shipped/practice.jsonl  tasks of training websites that it solved in some, but not all, of four attempts
shipped/curve.json    the curve of a full training run; `webgym demo` shows it beside its own
"""

from __future__ import annotations

from pathlib import Path

from webgym.errors import ConfigError

NAME = "nano"
"""Name of the checkpoint, and of the tasks, in configurations."""
PRACTICE_NAME = "nano-practice"
"""Name of the tasks to train on, in configurations."""
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


def _there(path: Path) -> Path:
    if not path.is_file():
        raise ConfigError(f"this installation of WebGym has no tasks for nano: {path} is missing")
    return path
