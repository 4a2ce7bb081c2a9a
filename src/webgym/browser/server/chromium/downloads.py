"""Downloads of a session, kept in a folder of its own and limited by its quota."""

from __future__ import annotations

import contextlib
import hashlib
import mimetypes
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import anyio
import anyio.to_thread
from playwright.async_api import Error

from webgym.browser.server.chromium.switchboard import Line
from webgym.browser.server.chromium.tabs import Spawn
from webgym.records.observation import Blob, Download

MOST_DOWNLOADS = 200
MOST_NAME = 255
Params = dict[str, Any]


@dataclass(slots=True)
class _Item:
    name: str
    url: str
    state: Literal["in_progress", "complete", "failed", "over_quota"] = "in_progress"
    size: int = 0
    blob: Blob | None = None

    @property
    def keeps(self) -> bool:
        """Whether its bytes are on disk and count towards the quota."""
        return self.state in ("in_progress", "complete")

    def record(self) -> Download:
        return Download(name=self.name, state=self.state, blob=self.blob, url=self.url, size=self.size)


class Downloads:
    """Tracks the downloads of one session through CDP events, which overrides Playwright's own handling."""

    def __init__(self, quota_bytes: int, *, nudge: Callable[[], None], spawn: Spawn) -> None:
        self._quota = quota_bytes
        self._nudge = nudge
        self._spawn = spawn
        self._items: dict[str, _Item] = {}
        self._unclaimed: dict[str, Params] = {}
        self._line: Line | None = None
        self._context = ""
        self.folder = Path(tempfile.mkdtemp(prefix="webgym-downloads-"))

    @property
    def started(self) -> int:
        """Number of downloads so far."""
        return len(self._items)

    async def attach(self, browser: Line, context: str) -> None:
        """Take over the downloads of a browser context."""
        self._line = browser
        self._context = context
        self._line.on("Browser.downloadWillBegin", self._heard)
        self._line.on("Browser.downloadProgress", self._progressed)
        behaviour = {
            "behavior": "allowAndName",
            "browserContextId": self._context,
            "downloadPath": str(self.folder),
            "eventsEnabled": True,
        }
        await self._line.send("Browser.setDownloadBehavior", behaviour)

    def records(self) -> tuple[Download, ...]:
        return tuple(item.record() for item in self._items.values())

    def unfinished(self, after: int) -> bool:
        """Return whether any download after the first `after` ones is still in progress."""
        return any(item.state == "in_progress" for item in list(self._items.values())[after:])

    async def read(self, address: str) -> bytes | None:
        """Return the bytes of the completed download with this address; None if there is none."""
        for guid, item in self._items.items():
            if item.blob is not None and item.blob.address == address:
                return await anyio.Path(self.folder / guid).read_bytes()
        return None

    async def remove(self) -> None:
        """Stop listening, and delete all files."""
        if self._line is not None:
            self._line.remove_listener("Browser.downloadWillBegin", self._heard)
            self._line.remove_listener("Browser.downloadProgress", self._progressed)
        await anyio.to_thread.run_sync(lambda: shutil.rmtree(self.folder, ignore_errors=True))

    def claim(self, params: Params) -> None:
        """Register a download that a page of this session has begun."""
        guid = params["guid"]
        if self._unclaimed.pop(guid, None) is None and guid in self._items:
            return
        if len(self._items) >= MOST_DOWNLOADS:
            self._spawn(lambda: self._cancel(guid))
            return
        name = Path(params.get("suggestedFilename", "")).name[:MOST_NAME] or "download"
        self._items[guid] = _Item(name, params.get("url", ""))
        self._nudge()

    def _heard(self, params: Params) -> None:
        """Note a download of unknown origin: the browser reports those of all contexts to every session."""
        if params["guid"] not in self._items:
            self._unclaimed[params["guid"]] = params

    def _recognise(self, guid: str) -> None:
        """Claim a download whose window never became a tab, if its file is in this session's folder."""
        if guid in self._unclaimed and any(self.folder.glob(f"{guid}*")):
            self.claim(self._unclaimed[guid])

    def _progressed(self, params: Params) -> None:
        guid = params["guid"]
        self._recognise(guid)
        if params["state"] != "inProgress":
            self._unclaimed.pop(guid, None)
        item = self._items.get(guid)
        if item is None or item.state != "in_progress":
            return
        item.size = int(params["receivedBytes"])
        expected = max(item.size, int(params.get("totalBytes", 0)))
        others = sum(other.size for other in self._items.values() if other is not item and other.keeps)
        if others + expected > self._quota:
            self._end(item, "over_quota")
            self._spawn(lambda: self._cancel(guid))
        elif params["state"] == "completed":
            self._spawn(lambda: self._complete(guid, item))
        elif params["state"] == "canceled":
            self._end(item, "failed")

    def _end(self, item: _Item, state: Literal["complete", "failed", "over_quota"]) -> None:
        item.state = state
        self._nudge()

    async def _complete(self, guid: str, item: _Item) -> None:
        try:
            address = await anyio.to_thread.run_sync(_address_of_file, self.folder / guid)
        except OSError:
            self._end(item, "failed")
            return
        media_type = mimetypes.guess_type(item.name)[0] or "application/octet-stream"
        item.blob = Blob(address, media_type, item.size)
        self._end(item, "complete")

    async def _cancel(self, guid: str) -> None:
        if self._line is not None:
            with contextlib.suppress(Error):  # it may have finished already
                await self._line.send("Browser.cancelDownload", {"guid": guid, "browserContextId": self._context})
        await anyio.Path(self.folder / guid).unlink(missing_ok=True)


def _address_of_file(path: Path) -> str:
    with path.open("rb") as file:
        return f"sha256:{hashlib.file_digest(file, 'sha256').hexdigest()}"
