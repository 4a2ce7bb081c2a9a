"""What ships with the package: nano's weights, the tasks it is measured on, and how it learned at full length.

shipped/config.json, model*.safetensors, tokenizer and processor files   the checkpoint, as `folder.py` lays it out
shipped/CARD.md       what it is, what it was made from, how well it does
shipped/suite.jsonl   tasks of unseen websites, one a line
shipped/curve.json    the curve of a training run at full length; `webgym demo` shows it beside its own
"""

from __future__ import annotations

from pathlib import Path

from webgym.errors import ConfigError

NAME = "nano"
"""What configurations call the checkpoint, and the tasks."""
FOLDER = Path(__file__).parent / "shipped"
SUITE = FOLDER / "suite.jsonl"
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
    """The file with the tasks.

    Raises:
        ConfigError: This installation has none.
    """
    if not SUITE.is_file():
        raise ConfigError(f"this installation of WebGym has no tasks for nano: {SUITE} is missing")
    return SUITE
