"""What ships with the package: nano's weights, the tasks it is measured on, and how it learned at full length.

shipped/config.json, model*.safetensors, tokenizer and processor files   the checkpoint, as `folder.py` lays it out
shipped/CARD.md       what it is, what it was made from, how well it does
shipped/suite.jsonl   tasks of unseen websites, one a line
shipped/practice.jsonl  tasks of training websites that it solved in some of four attempts, and not in others
shipped/curve.json    the curve of a training run at full length; `webgym demo` shows it beside its own
"""

from __future__ import annotations

from pathlib import Path

from webgym.errors import ConfigError

NAME = "nano"
"""What configurations call the checkpoint, and the tasks."""
PRACTICE_NAME = "nano-practice"
"""Likewise tasks to learn from."""
FOLDER = Path(__file__).parent / "shipped"
SUITE = FOLDER / "suite.jsonl"
PRACTICE = FOLDER / "practice.jsonl"
CURVE = FOLDER / "curve.json"


def checkpoint() -> Path:
    """The folder of the checkpoint.

    Raises:
        ConfigError: This installation has none.
    """
    if not (FOLDER / "config.json").is_file() or not any(FOLDER.glob("model*.safetensors")):
        raise ConfigError(f"this installation of WebGym has no nano: {FOLDER} holds no weights")
    return FOLDER


def suite() -> Path:
    """The file with the tasks that it is measured on.

    Raises:
        ConfigError: This installation has none.
    """
    return _there(SUITE)


def practice() -> Path:
    """The file with tasks that it solves now and then.

    Raises:
        ConfigError: This installation has none.
    """
    return _there(PRACTICE)


def _there(path: Path) -> Path:
    if not path.is_file():
        raise ConfigError(f"this installation of WebGym has no tasks for nano: {path} is missing")
    return path
