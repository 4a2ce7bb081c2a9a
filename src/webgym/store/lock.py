"""One writer per run: a file lock, which the operating system releases however its holder ends."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import socket
import time
from pathlib import Path

from webgym.errors import StoreError

LOCK_FILE = "lock"
_PATIENCE = 2.0
"""Seconds to retry: `is_live` in another process holds the lock for an instant."""
_PAUSE = 0.02


class RunLock:
    """The exclusive write lock of a run, held from `take` until `release` or the end of this process."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._handle = -1

    def take(self) -> None:
        """Become the only writer.

        Raises:
            StoreError: Another process is writing (the message says which), or the file system has no locks.
        """
        try:
            self._take()
        except OSError as error:
            self.release()
            raise StoreError(f"run {self._folder} cannot be locked: {error}") from error

    def release(self) -> None:
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def _take(self) -> None:
        self._handle = os.open(self._folder / LOCK_FILE, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        deadline = time.monotonic() + _PATIENCE
        while not _locked(self._handle, fcntl.LOCK_EX):
            if time.monotonic() > deadline:
                holder = _holder(self._folder)
                self.release()
                raise StoreError(
                    f"run {self._folder} is being written by {holder}; stop that first, or use another run"
                )
            _pause()
        os.ftruncate(self._handle, 0)
        holder = {"pid": os.getpid(), "host": socket.gethostname(), "since": time.time()}
        os.pwrite(self._handle, json.dumps(holder).encode(), 0)


def is_live(folder: Path) -> bool:
    """Return whether a process is writing to this run."""
    try:
        handle = os.open(folder / LOCK_FILE, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return not _locked(handle, fcntl.LOCK_SH)
    except OSError:  # a file system without locks, where runs cannot be written either
        return False
    finally:
        os.close(handle)


def locked_on(folder: Path) -> str:
    """Return the name of the machine whose process wrote to this run last; empty if it is unknown."""
    with contextlib.suppress(OSError, ValueError, KeyError):
        return str(json.loads((folder / LOCK_FILE).read_bytes())["host"])
    return ""


def _locked(handle: int, kind: int) -> bool:
    try:
        fcntl.flock(handle, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _holder(folder: Path) -> str:
    with contextlib.suppress(OSError, ValueError, KeyError):
        holder = json.loads((folder / LOCK_FILE).read_bytes())
        since = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(holder["since"]))
        return f"process {holder['pid']} on {holder['host']}, since {since}"
    return "another process"


def _pause() -> None:
    time.sleep(_PAUSE)  # noqa: TID251 - flock has no deadline of its own, and this is not on the event loop
