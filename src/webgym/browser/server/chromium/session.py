"""A session on Chromium: act, settle, observe."""

from __future__ import annotations

import contextlib
import json
import logging
from dataclasses import dataclass

import anyio
from playwright.async_api import BrowserContext, Error

from webgym.browser.server.chromium import recovery
from webgym.browser.server.chromium.act import Actor, Result
from webgym.browser.server.chromium.capture import RecentImages, Sight, see
from webgym.browser.server.chromium.dialogs import Dialogs
from webgym.browser.server.chromium.downloads import Downloads
from webgym.browser.server.chromium.effect import SessionSnapshot, effect_between
from webgym.browser.server.chromium.entry import outcome_of
from webgym.browser.server.chromium.navigation import Navigator, Proxy
from webgym.browser.server.chromium.patience import REPLACE_SECONDS, Patience
from webgym.browser.server.chromium.process import Chromium
from webgym.browser.server.chromium.session_settle import PageHangs, SessionSettler
from webgym.browser.server.chromium.signals import Signals
from webgym.browser.server.chromium.tab import Outcome
from webgym.browser.server.chromium.tabs import OpenTab, Tabs
from webgym.concurrency import ungrouped
from webgym.errors import BrowserFault, LossReason, SessionError, SessionLost
from webgym.records.action import Action
from webgym.records.observation import (
    ActionFailure,
    Capture,
    Effect,
    FailedReason,
    NoChange,
    Observation,
    ScrollExtent,
    Timings,
)
from webgym.records.session import Look, SessionSpec

logger = logging.getLogger(__name__)

LOAD_SECONDS = 10.0
"""Timeout for a server to respond, on top of the time to settle."""
CAPTURE_SECONDS = 10.0
ENTRY_SECONDS = 2.0
STORAGE_SECONDS = 10.0
CLOSE_SECONDS = 5.0
DEATH_SECONDS = 1.0
HTTP_ERROR = 400
MOST_OFFENCES = 3
"""Pages of a session that may be ended for what they did to the browser, before the session is too."""
MOST_RECOVERIES = 3
RECOVERED_SETTLE_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class SessionParts:
    """The components of a session."""

    chromium: Chromium
    context: BrowserContext
    proxy: Proxy
    signals: Signals
    tabs: Tabs
    dialogs: Dialogs
    downloads: Downloads


@dataclass(frozen=True, slots=True)
class _SettleResult:
    settled: bool
    trouble: ActionFailure | None = None
    pending: tuple[str, ...] = ()


class ChromiumSession:
    """A `Session` on one BrowserContext.

    An open dialog blocks the page, so that no screenshot can be taken: the observation has none then. A start page that
    could not be loaded is reported in the effect of the first observation.
    """

    def __init__(self, spec: SessionSpec, parts: SessionParts) -> None:
        self._spec = spec
        self._parts = parts
        self._navigator = Navigator(parts.signals, parts.proxy)
        self._actor = Actor(parts.tabs, parts.dialogs, self._navigator, parts.signals)
        self._settler = SessionSettler(parts.tabs, parts.downloads, parts.signals)
        self._patience = Patience(parts.tabs, parts.chromium)
        self._gallery = RecentImages()
        self._steps = 0
        self._start: Result = None
        self._before: SessionSnapshot | None = None

    async def start(self) -> Result:
        """Load the start page, and return what went wrong, if anything."""
        if self._spec.start_url:
            tab = await self._parts.tabs.ensure()
            self._start = await self._navigator.load(tab, self._spec.start_url, 2 * LOAD_SECONDS)
        return self._start

    async def step(self, action: Action | None, look: Look) -> Capture:
        """Act, let the page settle, and observe. Without an action, only observe."""
        self._check_alive()
        if self._parts.tabs.offences > MOST_OFFENCES:
            raise SessionLost("its pages harmed the browser again and again", reason=LossReason.WEBSITE)
        try:
            with ungrouped():
                return await self._step(action, look)
        except Error as error:
            raise await self._explained(error) from error

    async def blob(self, address: str) -> bytes:
        """Return the bytes of a recent screenshot or of a completed download."""
        data = self._gallery.get(address) or await self._parts.downloads.read(address)
        if data is None:
            raise SessionError(f"this session has no blob {address[:100]!r}, or no longer has it")
        return data

    async def close(self) -> bool:
        """Release all resources; return False if the browser did not close the context in time."""
        parts = self._parts
        with anyio.CancelScope(shield=True):
            limit = anyio.CancelScope(deadline=anyio.current_time() + CLOSE_SECONDS)
            with limit, contextlib.suppress(Error):  # it may be closed already
                await parts.context.close()
            await parts.downloads.remove()
            return not limit.cancelled_caught
        return False

    async def _step(self, action: Action | None, look: Look) -> Capture:
        begun = anyio.current_time()
        taken: list[Capture] = []
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._patience.guard, begun, tasks.cancel_scope)
            taken.append(await self._take_step(action, look))
            tasks.cancel_scope.cancel()
        return taken[0] if taken else await self._rescued(look, begun)

    async def _rescued(self, look: Look, begun: float) -> Capture:
        """Observe a blank tab in place of the page that did not let the step end.

        Raises:
            SessionLost: The page keeps the browser from that too.
        """
        before = self._before or self._moment(Sight())
        deadline = anyio.current_time() + REPLACE_SECONDS
        with anyio.CancelScope(deadline=deadline) as opening:
            await self._parts.tabs.replace(self._parts.tabs.current)
        if opening.cancelled_caught:
            reason = LossReason.WEBSITE if self._patience.alone else LossReason.POISONED
            raise SessionLost("the page did not let the step end, and could not be replaced", reason=reason)
        sight = Sight()
        with anyio.CancelScope(deadline=deadline):
            await self._come_to_rest(0.0, before)
            sight = (await self._see(look))[0] or sight
        self._before = self._moment(sight)
        self._gallery.keep(sight.pictures)
        trouble = ActionFailure(
            FailedReason.PAGE_UNRESPONSIVE, "it did not let the step end and was replaced by a blank tab"
        )
        timings = Timings(acted=anyio.current_time() - begun)
        return Capture(self._observation(sight, trouble, False, None, timings), sight.pictures)

    async def _take_step(self, action: Action | None, look: Look) -> Capture:
        parts = self._parts
        parts.dialogs.begin_step()
        begun = anyio.current_time()
        before = await self._prepare(action, look)
        self._steps += 1
        result, self._start = self._start if action is None else None, None
        acting = parts.tabs.current
        if action is not None:
            result = await self._actor.act(action, LOAD_SECONDS + look.settle_seconds)
        acted = anyio.current_time()
        deadline = acted + max(0.0, look.settle_seconds)
        rested = await self._come_to_rest(deadline - acted, before)
        settled = anyio.current_time()
        entered = await self._entered(acting)
        sight, rested = await self._look(look, rested, before, deadline)
        after = self._moment(sight)
        trouble = result if isinstance(result, ActionFailure) else rested.trouble or self._load_failure(before, after)
        effect = self._effect(action, result, trouble, before, after, entered)
        timings = Timings(acted=acted - begun, settled=settled - acted, captured=anyio.current_time() - settled)
        self._before = after
        self._gallery.keep(sight.pictures)
        storage_state = await self._storage_state() if look.storage_state else None
        seen = self._observation(sight, effect, rested.settled, storage_state, timings, rested.pending)
        return Capture(seen, sight.pictures)

    async def _prepare(self, action: Action | None, look: Look) -> SessionSnapshot:
        """Return the snapshot to compare with. An action before any observation first waits for the page to settle."""
        await self._parts.tabs.ensure()
        if self._before is None and action is not None:
            # A tab that has never navigated is settled.
            events = self._parts.tabs.current.events
            seconds = look.settle_seconds if events.commits or events.busy else 0.0
            await self._come_to_rest(seconds, self._moment(Sight()))
        if self._before is None:
            self._before = self._moment(Sight())
        return self._before

    async def _come_to_rest(self, seconds: float, before: SessionSnapshot) -> _SettleResult:
        """Let the active tab settle, recovering if it hangs, crashes or is closed."""
        parts = self._parts
        trouble: ActionFailure | None = None
        for _ in range(MOST_RECOVERIES):
            trouble = await self._stand_in() or trouble
            try:
                rest = await self._settler.settle(self._steps, seconds, downloads_before=before.downloads)
            except PageHangs:
                trouble = await recovery.interrupt(parts.tabs, parts.tabs.current)
                seconds = RECOVERED_SETTLE_SECONDS
                continue
            self._check_alive()
            if parts.dialogs.held is not None:
                return _SettleResult(settled=True, trouble=trouble)
            if not parts.tabs.current.gone:
                return _SettleResult(rest.settled, trouble, rest.pending)
        return _SettleResult(settled=False, trouble=await self._stand_in() or trouble)

    async def _stand_in(self) -> ActionFailure | None:
        """Ensure that there is a usable active tab, replacing a crashed one."""
        tab = await self._parts.tabs.ensure()
        return await recovery.replace_crashed(self._parts.tabs, tab) if tab.crashed else None

    async def _look(
        self, look: Look, rested: _SettleResult, before: SessionSnapshot, deadline: float
    ) -> tuple[Sight, _SettleResult]:
        """Capture the active tab, again if it changed to another document meanwhile."""
        sight = Sight()
        for _ in range(MOST_RECOVERIES):
            if self._parts.dialogs.held is not None:
                break
            tab = self._parts.tabs.current
            commits = tab.events.commits
            seen, trouble = await self._see(look)
            self._check_alive()
            sight = seen or Sight()
            same = tab is self._parts.tabs.active and not tab.gone and tab.events.commits == commits
            if seen and same and (not tab.events.navigating or not rested.settled):
                break
            seconds = max(RECOVERED_SETTLE_SECONDS, deadline - anyio.current_time())
            again = await self._come_to_rest(seconds, before)
            rested = _SettleResult(again.settled, again.trouble or trouble or rested.trouble, again.pending)
        return sight, rested

    async def _see(self, look: Look) -> tuple[Sight | None, ActionFailure | None]:
        """Capture the page; without a result if it went away or did not respond, and then how that was handled."""
        parts = self._parts
        with parts.signals.attempt(CAPTURE_SECONDS), self._patience.seeing():
            try:
                with ungrouped():
                    return await see(parts.tabs.current.handle, look), None
            except Error as error:
                logger.debug("observing the page failed: %s", error.message)
                return None, None
        self._patience.unseen += not parts.signals.blocked
        return None, None if parts.signals.blocked else await recovery.interrupt(parts.tabs, parts.tabs.current)

    def _moment(self, sight: Sight) -> SessionSnapshot:
        parts = self._parts
        tab = parts.tabs.current
        return SessionSnapshot(
            url=self._url(),
            state=tab.state,
            tabs=parts.tabs.numbers(),
            active=tab.number,
            document=tab.events.documents,
            dialogs=parts.dialogs.opened,
            downloads=parts.downloads.started,
            screenshot=sight.screenshot.blob.address if sight.screenshot else "",
        )

    def _url(self) -> str:
        tab = self._parts.tabs.current
        if tab.events.unreachable:
            return tab.events.unreachable
        return tab.state.url if tab.state and self._parts.dialogs.held is None else tab.handle.page.url

    def _load_failure(self, before: SessionSnapshot, after: SessionSnapshot) -> ActionFailure | None:
        """Return why a new document, which a click may have opened too, could not be loaded."""
        if before.state and before.shows_document_of(after):
            return None
        unreachable = self._parts.tabs.current.events.unreachable
        return self._navigator.failure(after.url, "the page could not be loaded" if unreachable else "")

    def _effect(
        self,
        action: Action | None,
        result: Result,
        trouble: ActionFailure | None,
        before: SessionSnapshot,
        after: SessionSnapshot,
        entered: Outcome,
    ) -> Effect | None:
        if trouble is not None:
            return trouble
        if action is None:
            return None
        return effect_between(before, after, result.detail if isinstance(result, NoChange) else "", entered)

    async def _entered(self, tab: OpenTab) -> Outcome:
        """Return what became of what the action entered into a field of this tab, if it did."""
        entry, tab.handle.entry = tab.handle.entry, None
        if entry is not None and tab is self._parts.tabs.active:
            with self._parts.signals.attempt(ENTRY_SECONDS):
                return await outcome_of(tab.handle, entry)
        return Outcome()

    async def _storage_state(self) -> str | None:
        with self._parts.signals.attempt(STORAGE_SECONDS), self._parts.chromium.telling_requests():
            return json.dumps(await self._parts.context.storage_state())
        return None

    def _observation(
        self,
        sight: Sight,
        effect: Effect | None,
        settled: bool,
        storage_state: str | None,
        timings: Timings,
        pending: tuple[str, ...] = (),
    ) -> Observation:
        parts = self._parts
        state = parts.tabs.current.state
        url = self._url()
        # The proxy's and the browser's own error pages say nothing about the website.
        served = state if not (parts.tabs.current.events.unreachable or parts.proxy.refusal_of(url)) else None
        return Observation(
            sequence=self._steps,
            url=url,
            title=state.title if state else "",
            error_status=served.status if served and served.status >= HTTP_ERROR else 0,
            blank=served.blank if served else False,
            sparse=served.sparse if served else False,
            bot_checks=served.checks if served else (),
            viewport=self._spec.viewport,
            scroll=state.scroll if state else ScrollExtent(),
            screenshot=sight.screenshot.blob if sight.screenshot else None,
            labelled=sight.labelled.blob if sight.labelled else None,
            tabs=parts.tabs.records(),
            dialog=parts.dialogs.held,
            closed_dialogs=parts.dialogs.take_closed(),
            downloads=parts.downloads.records(),
            effect=effect,
            settled=settled,
            pending=pending,
            marks=sight.marks,
            elements=sight.elements,
            lines=sight.lines,
            accessibility=sight.accessibility,
            storage_state=storage_state,
            blocked_requests=parts.proxy.refused,
            timings=timings,
        )

    def _check_alive(self) -> None:
        if self._parts.chromium.dead:
            raise _lost()

    async def _explained(self, error: Error) -> Exception:
        """Classify an error: wait briefly for the news that the browser died, which may be its cause."""
        deadline = anyio.current_time() + DEATH_SECONDS
        while not self._parts.chromium.dead and anyio.current_time() < deadline:
            if self._parts.chromium.browser.is_connected() and "closed" not in error.message.lower():
                break
            await anyio.sleep(0.05)
        return _lost() if self._parts.chromium.dead else BrowserFault(error.message.splitlines()[0])


def _lost() -> SessionLost:
    return SessionLost("the browser of this session died", reason=LossReason.BROWSER_DIED)
