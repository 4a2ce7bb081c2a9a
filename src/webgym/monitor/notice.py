"""How a running monitor is found: a file in the folder of its run, for nobody else to read."""

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
    """Where a run can be watched."""

    url: str
    """With the token, as a person opens it."""
    pid: int
    """Of the process that serves it."""
    host: str
    """Name of the machine that runs it."""
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
        """Whether it is on this machine."""
        return self.host == socket.gethostname()

    @property
    def is_alive(self) -> bool:
        """Whether its process is there, as far as this machine can tell."""
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
    """The notice of a run; None if nobody serves a monitor of it.

    Raises:
        StoreError: There is one that cannot be read.
    """
    try:
        return msgspec.json.decode((folder / FILE_NAME).read_bytes(), type=Notice)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, msgspec.DecodeError) as error:
        raise StoreError(f"{folder / FILE_NAME} cannot be read: {error}") from error


@contextlib.contextmanager
def notice_posted(folder: Path | None, url: str) -> Generator[None]:
    """A notice in this folder while the block lasts; a crash leaves it behind, with a process that is gone."""
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
