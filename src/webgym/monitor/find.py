"""Finds the run to watch."""

from __future__ import annotations

import contextlib
from pathlib import Path

from webgym.errors import StoreError
from webgym.monitor.notice import FILE_NAME, Notice, read_notice


def live_notice(run: str, runs: Path) -> Notice:
    """Return the notice of a run, given its folder or its name in `runs`; without one, of the latest live run.

    Raises:
        StoreError: The run is not live, or is on another machine.
    """
    return _notice_of(_folder_of(run, runs)) if run else _latest(runs)


def _folder_of(run: str, runs: Path) -> Path:
    for folder in (Path(run), runs / run):
        if folder.is_dir():
            return folder
    raise StoreError(f"there is no run {run!r}: neither a folder of that name nor one in {runs}/")


def _notice_of(folder: Path) -> Notice:
    notice = read_notice(folder)
    if notice is None or not notice.is_alive:
        raise StoreError(f"the run {folder} is not live; to look at what it did: webgym view {folder}")
    if not notice.is_here:
        raise StoreError(f"the run {folder} is live on {notice.host}; run this command there")
    return notice


def _latest(runs: Path) -> Notice:
    posted = sorted(runs.glob(f"*/{FILE_NAME}"), key=_age, reverse=True)
    for path in posted:
        with contextlib.suppress(StoreError):  # skip damaged notices and those of other users
            notice = read_notice(path.parent)
            if notice is not None and notice.is_here and notice.is_alive:
                return notice
    raise StoreError(
        f"no run in {runs}/ is live. Start one with webgym rollout, look at finished ones with webgym view, "
        "or see a simulated one with webgym monitor --demo"
    )


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0
