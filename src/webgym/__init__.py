"""WebGym: train visual web agents with reinforcement learning."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from webgym.store.read import Run

__version__ = "0.1.0"


def load_run(path: str | Path) -> Run:
    """A run to read, by its folder: its rows, trajectories and pictures.

    Raises:
        StoreError: There is none, or one that this version cannot read.
    """
    from webgym.store.read import open_run  # noqa: PLC0415 - importing webgym stays light

    return open_run(path)
