"""Description of a training run from its folder, for whoever did not start it."""

from __future__ import annotations

import socket
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from webgym.curves.about import RunFacts, RunState
from webgym.curves.file import read
from webgym.files import write_whole
from webgym.records.curve import Iteration
from webgym.run.load import config_from_as
from webgym.run.training.config import TrainConfig
from webgym.run.training.folders import Folders
from webgym.store.lock import is_live, locked_on
from webgym.store.meta import load_meta

_SILENCE = 1800.0
"""Seconds after which a run on another machine, whose lock cannot be seen from here, counts as killed."""
_GROWING = ("curve.jsonl", "run.sqlite", "run.sqlite-wal", "images")


def about_run(folder: Path) -> RunFacts:
    """Describe a training run, live or not.

    Raises:
        StoreError: There is no run, or its curve cannot be read.
    """
    meta = load_meta(folder)
    config = config_from_as(TrainConfig, meta.config)
    planned = _kept_planned(Folders(folder), config.iterations)
    facts = {"recipe": config.train.recipe}
    return RunFacts(run=meta.name, planned=planned, facts=facts, state=state_of(folder, config, planned))


def state_of(folder: Path, config: TrainConfig, planned: int | None) -> RunState:
    """Return whether the run is live, came to its own end, or was interrupted or killed before."""
    if is_live(folder):
        return "running"
    folders = Folders(folder)
    if folders.ended.exists() or _at_its_end(read(folders.curve), config, planned):
        return "ended"
    if locked_on(folder) not in (socket.gethostname(), "") and _silent_for(folder) < _SILENCE:
        return "running"
    return "stopped"


def keep_planned(folders: Folders, iterations: int | None) -> None:
    """Record how many iterations were asked for: a resume may ask for others than the run was started with."""
    write_whole(folders.planned, msgspec.json.encode(iterations))


def keep_end(folders: Folders, *, whole: bool) -> None:
    """Record that the run came to its own end, if it is the `whole` one and not a part of it."""
    if whole:
        write_whole(folders.ended, msgspec.json.encode(time.time()))


def forget_end(folders: Folders) -> None:
    """Forget it, as the run goes on."""
    folders.ended.unlink(missing_ok=True)


def _kept_planned(folders: Folders, configured: int) -> int | None:
    try:
        return msgspec.json.decode(folders.planned.read_bytes(), type=int | None)
    except (OSError, msgspec.MsgspecError):  # older runs have none
        return configured


def _at_its_end(iterations: Sequence[Iteration], config: TrainConfig, planned: int | None) -> bool:
    """Return whether the last iteration is the last one planned, or was evaluated as only the last one is."""
    if not iterations or not iterations[-1].iteration:
        return False
    last = iterations[-1]
    only_last = not config.evaluate.every and not config.evaluate.later
    return (planned is not None and last.iteration >= planned) or (only_last and last.evaluation is not None)


def _silent_for(folder: Path) -> float:
    """Return the seconds since anything of the run was written."""
    found = [path.stat().st_mtime for name in _GROWING if (path := folder / name).exists()]
    return time.time() - max(found, default=0.0)
