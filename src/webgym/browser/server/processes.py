"""Process hygiene: child processes end with their parent, leave nothing behind, and nothing else is ever killed.

Every process of a fleet has `WEBGYM_SCRATCH`, its own temporary folder, in its environment, and its descendants inherit
it. This identifies exactly which processes a dead one left running, and its files are under one folder.
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
    """Kill every process that was started under this scratch folder, and return how many there were."""
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
    """Kill what a process left running, then delete what it left on disk."""
    kill_left_behind(scratch)
    shutil.rmtree(scratch, ignore_errors=True)


READY = "ready"
_STANDING = "standing"


def tell_standing(scratch: Path, standing: str) -> None:
    """Report this process's readiness to its parent: `READY`, or what it is still waiting for."""
    write_whole(scratch / _STANDING, standing)


def read_standing(scratch: Path) -> str:
    """Read the readiness of the process that was started with this scratch folder."""
    try:
        return (scratch / _STANDING).read_text()
    except OSError:
        return "is starting"


class RunFolder:
    """A private folder for sockets, profiles and downloads, locked while the fleet is alive.

    Folders of fleets that were killed are recognised by their released lock and removed at the next start.
    """

    def __init__(self) -> None:
        base = Path(tempfile.gettempdir()) / f"webgym-{os.getuid()}"
        base.mkdir(mode=0o700, exist_ok=True)
        with _alone_in(base):
            _remove_abandoned(base)
            self.path = Path(tempfile.mkdtemp(prefix="run-", dir=base))
            self._lock = _lock(self.path)

    def remove(self) -> None:
        """Kill whatever still runs under the folder, and delete it."""
        remove_scratch(self.path)
        if self._lock is not None:
            os.close(self._lock)


@contextlib.contextmanager
def _alone_in(base: Path) -> Generator[None]:
    """Keep other fleets from starting meanwhile: they would take a folder not locked yet for an abandoned one."""
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
    """Acquire the folder's lock and return its file descriptor; None if a live fleet holds it."""
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
