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
    *(f"{book}-{part}" for book in _BOOKS for part in ("wal", "shm")),
    "drawn-tasks.json",
    "drawn-tests.json",
    "monitor.json",
    LABELS_FILE,
    LOCK_FILE,
)
_FOLDERS = (PACK_FOLDER, "judgements", "servers")
"""Includes judgements made during and after the run, which mean nothing without it."""
_OF_TRAINING = ("curve.jsonl", "ended.json", "planned.json", "report.html", "tried.json")
_FOLDERS_OF_TRAINING = ("batches", "checkpoints", "evaluations", "policies", "settled", "tensorboard")
"""Deleted only for training runs: in other run folders, files with these names are not WebGym's."""


def remove_run(folder: Path) -> None:
    """Delete all files of a run, including weights and evaluations of training, and its folder if that is then empty.

    Raises:
        StoreError: There is no run, it is being written, or it cannot be deleted.
    """
    trained = load_meta(folder).kind == "train"
    lock = RunLock(folder)
    lock.take()
    try:
        # META_FILE goes first: without it the folder is no run any more, even if the rest fails.
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
