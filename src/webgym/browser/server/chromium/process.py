"""A running Chromium and the sessions in it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import anyio
import anyio.lowlevel
import anyio.to_thread
import psutil
from playwright.async_api import Browser, Error, Page, Playwright

from webgym.browser.config import ChromiumConfig
from webgym.browser.server.chromium import native_dialogs
from webgym.browser.server.chromium.drawing import burdensome
from webgym.browser.server.chromium.launch import launch
from webgym.browser.server.chromium.switchboard import Line, Switchboard
from webgym.browser.server.chromium.tabs import Tabs

logger = logging.getLogger(__name__)

CLOSE_SECONDS = 10.0
MEMORY_CHECK_SECONDS = 5.0
ANSWER_SECONDS = 1.0
"""Timeout for a new page to respond."""
PAGE_END_SECONDS = 0.5
"""For the process of a page that is ended to be gone."""
MOST_DRAWING_RESTARTS = 3
"""After so many restarts of the process that draws, no further sessions are opened."""


class Chromium:
    """A Chromium process tree.

    Sessions register a callback for its death.
    """

    def __init__(self, browser: Browser, board: Switchboard, line: Line, pid: int) -> None:
        self.browser = browser
        self.line = line
        """CDP session on the browser target."""
        self._board = board
        self._quiet = board.quiet
        self.pid = pid
        self.headed = False
        self._process = psutil.Process(pid)  # recognises when the pid has been reused
        self.born = time.monotonic()
        self.served = 0
        self.retired = ""
        """Why no further sessions are opened in it; empty while it takes new ones."""
        self.dead = False
        self.closing = False
        self.on_death: Callable[[Chromium], None] = lambda _: None
        self._mourners: dict[object, Callable[[], None]] = {}
        self._memory_checked = self.born
        self._listeners = 0
        self._tabs: dict[object, Tabs] = {}
        self._captures: dict[object, float] = {}
        """When each capture in progress began."""
        self._relieving = False
        self._drawing_restarts = 0
        browser.on("disconnected", self._died)

    @classmethod
    async def launched(
        cls, playwright: Playwright, config: ChromiumConfig, display: Mapping[str, str], *, quiet: bool
    ) -> Chromium:
        """Launch a new Chromium. The arguments are those of `launch`."""
        browser, board = await launch(playwright, config, display, quiet=quiet)
        line = await board.open_browser_line()
        info = await line.send("SystemInfo.getProcessInfo")
        pid = next(entry["id"] for entry in info["processInfo"] if entry["type"] == "browser")
        chromium = cls(browser, board, line, pid)
        chromium.headed = config.headed
        return chromium

    async def line_to(self, page: Page) -> Line:
        """Open a CDP session of our own on a page."""
        session: Any = await page.context.new_cdp_session(page)  # the only way to learn its target id
        info = await session.send("Target.getTargetInfo")
        line = await self._board.open_line(self.line, info["targetInfo"]["targetId"])
        # A page that is blocked, by a dialog or an endless script at its start, processes these later.
        # One that the browser has already ended is detached.
        with anyio.move_on_after(ANSWER_SECONDS), suppress(Error):
            await session.detach()
        if self.headed:
            with anyio.move_on_after(ANSWER_SECONDS):
                await native_dialogs.shield_page(line)
        return line

    @property
    def sessions(self) -> int:
        return len(self._mourners)

    def join(self, seat: object) -> None:
        """Register a session."""
        self.served += 1
        self._mourners[seat] = lambda: None

    def tell(self, seat: object, tabs: Tabs, on_death: Callable[[], None]) -> None:
        """Register the tabs of a session, and its callback for the death of the process."""
        self._mourners[seat] = on_death
        self._tabs[seat] = tabs

    @contextmanager
    def capturing(self, who: object) -> Generator[None]:
        """Note a capture in progress."""
        self._captures[who] = anyio.current_time()
        try:
            yield
        finally:
            self._captures.pop(who, None)

    def late_captures(self, seconds: float) -> set[object]:
        """Return whose captures have taken longer than this so far."""
        now = anyio.current_time()
        return {who for who, began in self._captures.items() if now - began >= seconds}

    async def relieve(self) -> None:
        """End the pages that keep this browser from drawing the others, because a picture is late."""
        if self._relieving:
            return
        self._relieving = True
        try:
            guilty = await burdensome(self._tabs.values())
            for tabs in guilty:
                await tabs.draw_plainly()  # first, because it needs pages that answer
                self._board.end_page(tabs.current.handle.cdp, "its filters kept the browser from drawing other pages")
            if guilty:
                await anyio.sleep(PAGE_END_SECONDS)
                await self._restart_drawing()
        finally:
            self._relieving = False

    async def _restart_drawing(self) -> None:
        """Kill the process that draws all pages, because what it has begun to draw may take half a minute more."""
        self._drawing_restarts += 1
        if self._drawing_restarts == MOST_DRAWING_RESTARTS:
            self.retired = self.retired or "had to restart drawing too often"
        with anyio.move_on_after(ANSWER_SECONDS):
            info = await self.line.send("SystemInfo.getProcessInfo")
            drawing = {entry["id"] for entry in info["processInfo"] if entry["type"] == "GPU"}
            for process in await anyio.to_thread.run_sync(_tree, self._process):
                if process.pid in drawing:
                    process.kill()

    @contextmanager
    def telling_requests(self) -> Generator[None]:
        """Let Playwright enable network events on new pages during the block, as some of its features require."""
        self._listeners += 1
        self._board.quiet = False
        try:
            yield
        finally:
            self._listeners -= 1
            self._board.quiet = self._quiet and not self._listeners

    def leave(self, seat: object) -> None:
        """Unregister a session."""
        self._mourners.pop(seat, None)
        self._tabs.pop(seat, None)

    def declare_dead(self) -> None:
        """Mark the process as dead, and notify every session once."""
        if self.dead:
            return
        self.dead = True
        self.retired = self.retired or "died"
        if not self.closing:
            self.on_death(self)
        for tell in tuple(self._mourners.values()):
            tell()

    async def is_due(self, config: ChromiumConfig) -> str:
        """Return why it should be recycled; empty if it should not."""
        if self.served >= config.recycle_after_sessions:
            return f"served {self.served} sessions"
        age = time.monotonic() - self.born
        if age >= config.recycle_after_seconds:
            return f"is {age:.0f} s old"
        if time.monotonic() - self._memory_checked < min(MEMORY_CHECK_SECONDS, config.recycle_after_seconds):
            return ""
        self._memory_checked = time.monotonic()
        megabytes = await anyio.to_thread.run_sync(resident_megabytes, self._process)
        return f"uses {megabytes} MB" if megabytes > config.recycle_above_megabytes else ""

    async def close(self) -> None:
        """Close the browser, or kill it if that takes too long. Bounded in time, and shielded from cancellation."""
        self.closing = True
        with anyio.CancelScope(shield=True):
            with anyio.move_on_after(CLOSE_SECONDS) as patience:
                try:
                    await self.browser.close()
                except Error as error:
                    logger.debug("closing Chromium %d: %s", self.pid, error)
            if patience.cancelled_caught or self.dead:
                await anyio.to_thread.run_sync(kill_tree, self._process)
            self._board.close()
            await anyio.lowlevel.checkpoint()  # the loop closes the pipes in its next iteration

    def _died(self, _: Browser) -> None:
        self.declare_dead()


def resident_megabytes(root: psutil.Process) -> int:
    """Return the resident memory of a process and its descendants."""
    total = 0
    for process in _tree(root):
        try:
            total += process.memory_info().rss
        except psutil.Error:
            continue
    return total // 2**20


def kill_tree(root: psutil.Process) -> None:
    """Kill a process and its descendants."""
    for process in _tree(root):
        try:
            process.kill()
        except psutil.Error:
            continue


def _tree(root: psutil.Process) -> list[psutil.Process]:
    try:
        return [root, *root.children(recursive=True)]
    except psutil.Error:
        return []
