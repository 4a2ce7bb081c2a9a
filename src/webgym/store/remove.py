"""Deleting a run."""

from __future__ import annotations

import shutil
from pathlib import Path

from webgym.errors import StoreError
from webgym.store.labels import LABELS_FILE
from webgym.store.lock import LOCK_FILE, RunLock
from webgym.store.meta import CONFIG_FILE, META_FILE, load_meta
from webgym.store.packs import PACK_FOLDER
from webgym.store.schema import DATABASE_FILE

_JUDGE = "judge.sqlite"
_BOOKS = (DATABASE_FILE, _JUDGE)
_OURS = (
    META_FILE,
    CONFIG_FILE,
    *_BOOKS,
    *(f"{one}-{part}" for one in _BOOKS for part in ("wal", "shm")),
    "drawn-tasks.json",
    "drawn-tests.json",
    "monitor.json",
    LABELS_FILE,
    LOCK_FILE,
)
_FOLDERS = (PACK_FOLDER, "judgements", "servers")
"""With what judges and people said of it, while it was made and since: that means nothing without the run."""
_OF_TRAINING = ("curve.jsonl", "report.html")
_FOLDERS_OF_TRAINING = ("batches", "checkpoints", "evaluations", "policies", "settled", "tensorboard")
"""By far the most of a training run. Elsewhere, files of these names are somebody's own."""


def remove_run(folder: Path) -> None:
    """Delete what a run is made of, weights and evaluations of training included; its folder too, if that is all.

    Raises:
        StoreError: There is none, someone writes it, or it cannot be deleted.
    """
    trained = load_meta(folder).kind == "train"
    lock = RunLock(folder)
    lock.take()
    try:
        # Without its first file it is no run any more, however this ends.
        for name in (*_OURS, *(_OF_TRAINING if trained else ())):
            (folder / name).unlink(missing_ok=True)
        for name in (*_FOLDERS, *(_FOLDERS_OF_TRAINING if trained else ())):
            shutil.rmtree(folder / name, ignore_errors=True)
        if not any(folder.iterdir()):
            folder.rmdir()
    except OSError as error:
        raise StoreError(f"run {folder} cannot be deleted: {error}") from error
    finally:
        lock.release()
