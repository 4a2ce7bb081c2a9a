"""Processes that we start: they end with us, leave nothing behind, and only they are ever killed.

Every process of a fleet carries `WEBGYM_SCRATCH`, its own temporary folder, in its environment, and whatever it starts
inherits that. So what a dead process left running is found exactly, and its files are under one folder.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Generator
from pathlib import Path

import psutil

from webgym.files import write_whole

SCRATCH = "WEBGYM_SCRATCH"
_LOCK_NAME = "lock"


def kill_left_behind(scratch: Path) -> int:
    """Kill every process that was started under this scratch folder; how many there were."""
    mine = [process for process in psutil.process_iter() if _is_below(_scratch_of(process), scratch)]
    killed = 0
    for process in mine:
        if process.pid != os.getpid():
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()
                killed += 1
    return killed


def _scratch_of(process: psutil.Process) -> str:
    try:
        return process.environ().get(SCRATCH, "")
    except (psutil.Error, OSError):
        return ""


def _is_below(folder: str, scratch: Path) -> bool:
    return bool(folder) and Path(folder).is_relative_to(scratch)


def remove_scratch(scratch: Path) -> None:
    """Delete what a process left on disk, after killing what it left running."""
    kill_left_behind(scratch)
    shutil.rmtree(scratch, ignore_errors=True)


READY = "ready"
_STANDING = "standing"


def tell_standing(scratch: Path, standing: str) -> None:
    """Let whoever started this process know how it stands: ready, or what it still waits for."""
    write_whole(scratch / _STANDING, standing)


def read_standing(scratch: Path) -> str:
    """How a process that was started with this scratch folder stands."""
    try:
        return (scratch / _STANDING).read_text()
    except OSError:
        return "is starting"


class RunFolder:
    """A folder of this fleet's own for sockets, profiles and downloads, locked while the fleet lives.

    Folders of fleets that were killed are found by their free lock and removed at the next start.
    """

    def __init__(self) -> None:
        base = Path(tempfile.gettempdir()) / f"webgym-{os.getuid()}"
        base.mkdir(mode=0o700, exist_ok=True)
        with _alone_in(base):
            _remove_abandoned(base)
            self.path = Path(tempfile.mkdtemp(prefix="run-", dir=base))
            self._lock = _lock(self.path)

    def remove(self) -> None:
        """Delete the folder and end whatever still runs under it."""
        remove_scratch(self.path)
        if self._lock is not None:
            os.close(self._lock)


@contextlib.contextmanager
def _alone_in(base: Path) -> Generator[None]:
    """No other fleet starts meanwhile: it would take a folder that has no lock yet for one left behind."""
    handle = os.open(base, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _remove_abandoned(base: Path) -> None:
    for folder in base.glob("run-*"):
        lock = _lock(folder)
        if lock is not None:
            remove_scratch(folder)
            os.close(lock)


def _lock(folder: Path) -> int | None:
    """An open file that holds the folder's lock, or None if a living fleet holds it."""
    try:
        handle = os.open(folder / _LOCK_NAME, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle
