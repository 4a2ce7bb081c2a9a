"""Recovers a session from an unresponsive page."""

from __future__ import annotations

import anyio
from playwright.async_api import Error

from webgym.browser.server.chromium.dialogs import MOST_PER_STEP, Dialogs
from webgym.browser.server.chromium.signals import Signals
from webgym.browser.server.chromium.tabs import OpenTab, Tabs
from webgym.records.observation import ActionFailure, FailedReason

INTERRUPT_SECONDS = 2.0


async def interrupt(tabs: Tabs, tab: OpenTab) -> ActionFailure:
    """Interrupt whatever keeps a page from responding; if that does not help, replace its tab with a blank one."""
    if tab.events.navigating:  # the browser then defers evaluations until the next document commits
        await _tell(tab, "Page.stopLoading")
        if await answers(tab, INTERRUPT_SECONDS):
            return ActionFailure(FailedReason.NAVIGATION, "the next page did not load in time; loading was stopped")
    await _tell(tab, "Runtime.terminateExecution")
    if await answers(tab, INTERRUPT_SECONDS):
        return ActionFailure(FailedReason.PAGE_UNRESPONSIVE, "its script did not end and was interrupted")
    await tabs.replace(tab)
    return ActionFailure(FailedReason.PAGE_UNRESPONSIVE, "it did not answer and was replaced by a blank tab")


async def replace_crashed(tabs: Tabs, tab: OpenTab) -> ActionFailure:
    """Replace the tab of a crashed page with a blank one."""
    await tabs.replace(tab)
    if tab.offence:
        return ActionFailure(FailedReason.PAGE_FLOODED, f"{tab.offence} and was replaced by a blank tab")
    return ActionFailure(FailedReason.PAGE_CRASHED, "it was replaced by a blank tab")


async def answers(tab: OpenTab, seconds: float) -> bool:
    """Return whether the page's main thread responds in time."""
    cdp = tab.handle.cdp
    with anyio.move_on_after(seconds):
        try:
            await cdp.send("Runtime.evaluate", {"expression": "0"})
        except Error:
            return not tab.gone
        return True
    return False


async def clear_dialogs(dialogs: Dialogs, tabs: Tabs, signals: Signals) -> ActionFailure | None:
    """Dismiss the open dialog and those that follow at once; if they do not end, replace the tab with a blank one."""
    for _ in range(MOST_PER_STEP):
        if dialogs.held is None:
            return None
        await dialogs.dismiss()
        with signals.attempt(INTERRUPT_SECONDS):
            await answers(tabs.current, INTERRUPT_SECONDS)
    if dialogs.held is None:
        return None
    dialogs.forget()
    await tabs.replace(tabs.current)
    return ActionFailure(FailedReason.PAGE_UNRESPONSIVE, "it kept opening dialogs and was replaced by a blank tab")


async def _tell(tab: OpenTab, method: str) -> None:
    cdp = tab.handle.cdp
    with anyio.move_on_after(INTERRUPT_SECONDS):
        try:
            await cdp.send(method)
        except Error:
            return  # the page is gone
