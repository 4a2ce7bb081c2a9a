"""The notice by which a live monitor is found: a private file in the folder of its run."""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Generator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import msgspec

from webgym.errors import StoreError
from webgym.files import write_whole
from webgym.records.base import Record

FILE_NAME = "monitor.json"
NOTICE_VERSION = 1


class Notice(Record, frozen=True):
    """The address of a live run's monitor."""

    url: str
    """URL to open, including the token."""
    pid: int
    """Id of the process that serves the monitor."""
    host: str
    """Name of the machine that serves the monitor."""
    version: int = NOTICE_VERSION

    @property
    def address(self) -> str:
        """The URL without path and token."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}"

    @property
    def token(self) -> str:
        return parse_qs(urlsplit(self.url).query).get("token", [""])[0]

    @property
    def is_here(self) -> bool:
        """Whether the monitor is on this machine."""
        return self.host == socket.gethostname()

    @property
    def is_alive(self) -> bool:
        """Whether its process exists; assumed to be true on other machines."""
        if not self.is_here:
            return True
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True


def read_notice(folder: Path) -> Notice | None:
    """Return the notice of a run; None if it has none.

    Raises:
        StoreError: The notice cannot be read.
    """
    try:
        return msgspec.json.decode((folder / FILE_NAME).read_bytes(), type=Notice)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, msgspec.DecodeError) as error:
        raise StoreError(f"{folder / FILE_NAME} cannot be read: {error}") from error


@contextlib.contextmanager
def notice_posted(folder: Path | None, url: str) -> Generator[None]:
    """Post a notice in this folder for the duration of the block. A crash leaves it with the id of a dead process."""
    if folder is None:
        yield
        return
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / FILE_NAME
    notice = Notice(url, os.getpid(), socket.gethostname())
    write_whole(path, msgspec.json.format(msgspec.json.encode(notice)), private=True)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
