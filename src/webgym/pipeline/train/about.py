"""Description of a training run from its folder, for whoever did not start it."""

from __future__ import annotations

from pathlib import Path

import msgspec

from webgym.curves.about import About
from webgym.files import write_whole
from webgym.pipeline.runs.load import config_from_as
from webgym.pipeline.train.config import TrainConfig
from webgym.pipeline.train.folders import Folders
from webgym.store.meta import load_meta


def about_run(folder: Path) -> About:
    """Describe a training run, live or not.

    Raises:
        StoreError: There is no run.
    """
    meta = load_meta(folder)
    config = config_from_as(TrainConfig, meta.config)
    planned = _kept_planned(Folders(folder)) or config.iterations
    return About(run=meta.name, planned=planned, facts={"recipe": config.train.recipe})


def keep_planned(folders: Folders, iterations: int) -> None:
    """Record how many iterations were asked for: a resume may ask for others than the run was started with."""
    write_whole(folders.planned, msgspec.json.encode(iterations))


def _kept_planned(folders: Folders) -> int | None:
    try:
        return msgspec.json.decode(folders.planned.read_bytes(), type=int)
    except (OSError, msgspec.MsgspecError):  # older runs have none
        return None
