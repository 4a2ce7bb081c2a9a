"""Executes actions on a session: tabs, history, dialogs. Actions within a page are in `actions`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

import anyio
from playwright.async_api import Error

from webgym.browser.server.chromium import actions, recovery
from webgym.browser.server.chromium.dialogs import Dialogs
from webgym.browser.server.chromium.navigation import Navigator
from webgym.browser.server.chromium.signals import Signals
from webgym.browser.server.chromium.tabs import OpenTab, Tabs
from webgym.concurrency import ungrouped
from webgym.records.action import (
    Action,
    Answer,
    AnswerDialog,
    Back,
    Click,
    CloseTab,
    Drag,
    Forward,
    Hover,
    Navigate,
    NewTab,
    Press,
    Reload,
    Scroll,
    Select,
    SwitchTab,
    TypeText,
    Upload,
    Wait,
)
from webgym.records.observation import ActionFailure, FailedReason, NoChange

PageAction = Click | Hover | Drag | TypeText | Press | Scroll | Select | Upload
TabAction = NewTab | SwitchTab | CloseTab
Result = ActionFailure | NoChange | None

_ELSEWHERE = (Navigate, NewTab, SwitchTab)
"""Actions that still make sense after the page that the agent saw has been replaced."""

ACT_SECONDS = 10.0
CHARACTERS_PER_SECOND = 500.0
"""Typing slower than this counts as an unresponsive page."""
MOST_WAIT_SECONDS = 15.0
NEWS_SECONDS = 1.0
"""How long to wait for the event that a tab is gone, after a first error that suggests it."""


@dataclass(frozen=True, slots=True)
class Actor:
    """Executes actions on one session."""

    tabs: Tabs
    dialogs: Dialogs
    navigator: Navigator
    signals: Signals

    async def act(self, action: Action, seconds: float) -> Result:
        """Execute an action. `seconds`: timeout for a new document to arrive."""
        if isinstance(action, Answer):
            return None
        if isinstance(action, AnswerDialog):
            return await self._answer(action)
        trouble = await recovery.clear_dialogs(self.dialogs, self.tabs, self.signals) or await self._replace_crashed()
        if trouble is not None and not isinstance(action, _ELSEWHERE):
            return trouble
        tab = await self.tabs.ensure()
        match action:
            case Navigate() | Back() | Forward() | Reload():
                return await self._navigate(tab, action, seconds)
            case NewTab() | SwitchTab() | CloseTab():
                return await self._tab(tab, action, seconds)
            case Wait():
                return await self._wait(action)
            case _:
                return await self._perform(tab, action)

    async def _replace_crashed(self) -> ActionFailure | None:
        tab = self.tabs.active
        return await recovery.replace_crashed(self.tabs, tab) if tab is not None and tab.crashed else None

    async def _answer(self, action: AnswerDialog) -> Result:
        if self.dialogs.held is None:
            return ActionFailure(FailedReason.NO_DIALOG)
        await self.dialogs.answer(accept=action.accept, text=action.text)
        return None

    async def _navigate(self, tab: OpenTab, action: Navigate | Back | Forward | Reload, seconds: float) -> Result:
        match action:
            case Navigate(url):
                return await self.navigator.load(tab, url, seconds)
            case Back():
                return await self.navigator.traverse(tab, -1, seconds)
            case Forward():
                return await self.navigator.traverse(tab, 1, seconds)
            case Reload():
                return await self.navigator.reload(tab, seconds)
            case _:
                assert_never(action)

    async def _tab(self, tab: OpenTab, action: TabAction, seconds: float) -> Result:
        match action:
            case NewTab(url):
                if self.tabs.full:
                    return ActionFailure(FailedReason.UNSUPPORTED, "no more tabs can be opened")
                opened = await self.tabs.open_blank()
                return await self.navigator.load(opened, url, seconds) if url else None
            case SwitchTab(number):
                chosen = self.tabs.get(number)
                return _no_such_tab(number) if chosen is None else await self.tabs.activate(chosen)
            case CloseTab(number):
                chosen = tab if number is None else self.tabs.get(number)
                return _no_such_tab(number) if chosen is None else await self.tabs.close(chosen)
            case _:
                assert_never(action)

    async def _wait(self, action: Wait) -> Result:
        seconds = action.seconds if action.seconds > 0 else 0.0
        with self.signals.attempt(min(seconds, MOST_WAIT_SECONDS)):
            await anyio.sleep_forever()
        return None

    async def _perform(self, tab: OpenTab, action: PageAction) -> Result:
        with self.signals.attempt(_patience(action)):
            try:
                with ungrouped():
                    return await actions.perform(tab.handle, action)
            except Error:
                # The action may have closed or crashed the page, which is an effect. This error may precede that event.
                if not await self.signals.until(lambda: self.signals.blocked, anyio.current_time() + NEWS_SECONDS):
                    raise
                return None
        return None if self.signals.blocked else await recovery.interrupt(self.tabs, tab)


def _patience(action: PageAction) -> float:
    match action:
        case TypeText(text):
            return ACT_SECONDS + len(text) / CHARACTERS_PER_SECOND
        case _:
            return ACT_SECONDS


def _no_such_tab(number: int | None) -> ActionFailure:
    return ActionFailure(FailedReason.NO_SUCH_TAB, f"no tab {number}")
