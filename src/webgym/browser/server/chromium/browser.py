"""Opens sessions on Chromium: many contexts in a shared process, or one process per session."""

from __future__ import annotations

import functools
import logging
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from types import TracebackType
from typing import Any, Self

import anyio
from playwright.async_api import Error, Playwright

from webgym.browser.config import ChromiumConfig
from webgym.browser.server.chromium import driver
from webgym.browser.server.chromium.display import Display
from webgym.browser.server.chromium.launch import LAUNCH_SECONDS
from webgym.browser.server.chromium.navigation import Proxy
from webgym.browser.server.chromium.opening import open_session
from webgym.browser.server.chromium.process import Chromium
from webgym.browser.server.chromium.session import ChromiumSession
from webgym.browser.server.chromium.startable import check_startable
from webgym.browser.server.chromium.uninterrupted import uncut
from webgym.browser.server.proxy.forward import open_proxy
from webgym.browser.server.proxy.policy import narrowed
from webgym.errors import BrowserFault, LossReason, SessionLost
from webgym.records.event import BrowserDied, BrowserRecycled, Event
from webgym.records.session import SessionSpec
from webgym.stages import Events, Session

logger = logging.getLogger(__name__)

OPEN_TRIES = 2


class ChromiumBrowser:
    """A `Browser` on Chromium, through Playwright. Enter it before opening sessions; exiting it ends them all."""

    def __init__(self, config: ChromiumConfig | None = None, events: Events | None = None, worker: int = 0) -> None:
        self._config = config or ChromiumConfig()
        self._events = events
        self._worker = worker
        self._playwright: Playwright | None = None
        self._tasks = anyio.create_task_group()
        self._stack = AsyncExitStack()
        self._display = Display()
        self._shared: dict[bool, Chromium] = {}
        """The Chromium that takes new sessions, by whether it is quiet (see `switchboard`)."""
        self._running: set[Chromium] = set()
        self._launching = anyio.Lock()
        self._broken = anyio.Event()
        self._closing = False

    async def __aenter__(self) -> Self:
        """Start the Playwright driver; Chromium is launched with the first session.

        Raises:
            ConfigError: The driver or Chromium can never start on this machine.
        """
        check = functools.partial(check_startable, executable=self._config.executable, headed=self._config.headed)
        await anyio.to_thread.run_sync(check)
        self._stack.push_async_callback(self._display.close)
        self._playwright, pid = await self._stack.enter_async_context(driver.running_driver())
        await self._tasks.__aenter__()
        self._spawn(lambda: driver.watch(pid, self._break))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop every Chromium and the driver, in bounded time."""
        self._closing = True
        try:
            with anyio.CancelScope(shield=True):
                async with anyio.create_task_group() as closing:
                    for chromium in tuple(self._running):
                        closing.start_soon(chromium.close)
            self._tasks.cancel_scope.cancel()
            # Without the block's exception, which the task group would wrap in a group.
            await self._tasks.__aexit__(None, None, None)
        finally:
            await self._stack.aclose()

    @asynccontextmanager
    async def open(self, spec: SessionSpec) -> AsyncGenerator[Session]:
        """Open a session for the duration of the block. Enter and exit it in the same task."""
        egress = self._config.egress
        if spec.destinations is not None:
            egress = narrowed(egress, spec.destinations)
        async with open_proxy(egress, state_key=spec.state_key, upstream=spec.proxy) as proxy:
            chromium, seat, session = await self._open(spec, proxy)
            try:
                yield session
            finally:
                with anyio.CancelScope(shield=True):
                    if not await session.close() and not chromium.retired:
                        self._retire(chromium, "closing a session failed")
                    await self._leave(chromium, seat)

    async def wait_broken(self) -> str:
        """Wait until no session can be opened any more, and return why. Only a new worker process helps."""
        await self._broken.wait()
        return "the Playwright driver died"

    async def _open(self, spec: SessionSpec, proxy: Proxy) -> tuple[Chromium, object, ChromiumSession]:
        for _ in range(OPEN_TRIES):
            seat = object()
            chromium = await self._seated(seat, spec)
            try:
                return chromium, seat, await open_session(chromium, seat, spec, proxy, self._spawn)
            except Error as error:
                await self._leave(chromium, seat)
                if chromium.browser.is_connected():
                    raise BrowserFault(f"the session cannot be opened: {error.message.splitlines()[0]}") from error
                chromium.declare_dead()
            except BaseException:
                await self._leave(chromium, seat)
                raise
        raise SessionLost("the browser died while the session was opened", reason=LossReason.BROWSER_DIED)

    async def _seated(self, seat: object, spec: SessionSpec) -> Chromium:
        """Return a Chromium in which the session is already registered, launching one if necessary."""
        # Playwright implements extra headers and storage states, and needs network events for them.
        quiet = not (spec.headers or spec.storage_state)
        if spec.isolation == "process":
            chromium = await self._launch(quiet=quiet)
            chromium.retired = "one session only"
            chromium.join(seat)
            return chromium
        async with self._launching:
            shared = self._shared.get(quiet)
            if shared and not shared.retired and (why := await shared.is_due(self._config)):
                self._retire(shared, why)
            if shared is None or shared.retired:
                shared = self._shared[quiet] = await self._launch(quiet=quiet)
            shared.join(seat)
            return shared

    async def _launch(self, *, quiet: bool) -> Chromium:
        if self._playwright is None or self._broken.is_set():
            raise BrowserFault("the Playwright driver is not running")
        # Shielded from cancellation: a process that is not registered would never be stopped.
        playwright = self._playwright
        chromium = await uncut(2 * LAUNCH_SECONDS, lambda: self._launched(playwright, quiet=quiet))
        chromium.on_death = self._died
        self._running.add(chromium)
        return chromium

    async def _launched(self, playwright: Playwright, *, quiet: bool) -> Chromium:
        display = await self._display.environment() if self._config.headed else {}
        return await Chromium.launched(playwright, self._config, display, quiet=quiet)

    async def _leave(self, chromium: Chromium, seat: object) -> None:
        chromium.leave(seat)
        if chromium.retired and not chromium.sessions:
            await self._end(chromium)

    async def _end(self, chromium: Chromium) -> None:
        self._running.discard(chromium)
        await chromium.close()

    def _retire(self, chromium: Chromium, why: str) -> None:
        """Open no further sessions in this Chromium; it is closed after its last one."""
        chromium.retired = why
        logger.info("Chromium %d %s: new sessions get a fresh one", chromium.pid, why)
        self._emit(BrowserRecycled(worker=self._worker, why=why))
        if not chromium.sessions:
            self._spawn(lambda: self._end(chromium))

    def _died(self, chromium: Chromium) -> None:
        if self._closing:
            return
        logger.warning("Chromium %d died with %d sessions", chromium.pid, chromium.sessions)
        self._emit(BrowserDied(worker=self._worker, sessions=chromium.sessions))
        if not chromium.sessions:
            self._running.discard(chromium)

    def _break(self) -> None:
        if not self._closing:
            self._broken.set()
            for chromium in tuple(self._running):
                chromium.declare_dead()

    def _emit(self, event: Event) -> None:
        if self._events is not None:
            self._events.emit(event)

    def _spawn(self, function: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run a background task, whose failure is logged and otherwise ignored."""
        if not self._closing:
            self._tasks.start_soon(_contained, function)


async def _contained(function: Callable[[], Coroutine[Any, Any, None]]) -> None:
    try:
        await function()
    except Exception:  # an error in the task group would cancel every session
        logger.debug("a background task failed", exc_info=True)
