"""The environment of processes that tests start."""

from __future__ import annotations

import os
from pathlib import Path

import webgym

ROOT = Path(__file__).parents[1]


def python_path() -> str:
    """Return a PYTHONPATH that finds these tests and the very package that they import, installed or not."""
    ours = (str(ROOT), str(Path(webgym.__file__).parents[1]))
    return os.pathsep.join(dict.fromkeys([*ours, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]))


def child_environment(**more: str) -> dict[str, str]:
    """Return the environment of a child process, with these variables too."""
    return {**os.environ, "PYTHONPATH": python_path(), **more}
