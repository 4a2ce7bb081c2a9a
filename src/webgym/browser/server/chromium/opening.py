"""Opens a session: creates its context and parts, and loads its start page."""

from __future__ import annotations

import time

import anyio
from playwright.async_api import BrowserContext, Error

from webgym.browser.server.chromium import native_dialogs
from webgym.browser.server.chromium.context import new_context, unusable
from webgym.browser.server.chromium.dialogs import Dialogs
from webgym.browser.server.chromium.downloads import Downloads
from webgym.browser.server.chromium.inject import init_script, new_hub_name
from webgym.browser.server.chromium.navigation import Proxy
from webgym.browser.server.chromium.process import Chromium
from webgym.browser.server.chromium.session import LOAD_SECONDS, ChromiumSession, SessionParts
from webgym.browser.server.chromium.signals import Signals
from webgym.browser.server.chromium.tabs import Spawn, Tabs
from webgym.browser.server.chromium.uninterrupted import uncut
from webgym.errors import RequestError
from webgym.records.observation import ActionFailure, FailedReason
from webgym.records.session import SessionSpec

CONTEXT_SECONDS = 20.0
START_SECONDS = 2 * LOAD_SECONDS + 5.0
"""Longer than the load timeout of the start page, so that a page that does not load is reported as such."""


async def open_session(
    chromium: Chromium, seat: object, spec: SessionSpec, proxy: Proxy, spawn: Spawn
) -> ChromiumSession:
    """Open a session in this Chromium, and load its start page.

    Raises:
        RequestError: The options or the start URL are invalid.
        playwright.async_api.Error: The browser is gone.
    """
    # Shielded from cancellation: a context that the browser created but nobody knows of would leak.
    context = await uncut(CONTEXT_SECONDS, lambda: new_context(chromium.browser, spec, proxy.port))
    parts = _parts(chromium, seat, context, spec, proxy, spawn)
    session = ChromiumSession(spec, parts)
    try:
        with anyio.fail_after(CONTEXT_SECONDS):
            await _furnish(parts, spec)
        with anyio.move_on_after(START_SECONDS):
            _check_start(await session.start())
    except BaseException:
        await session.close()
        raise
    return session


def _parts(
    chromium: Chromium, seat: object, context: BrowserContext, spec: SessionSpec, proxy: Proxy, spawn: Spawn
) -> SessionParts:
    def is_blocked() -> bool:
        tab = tabs.active
        return chromium.dead or dialogs.held is not None or (tab is not None and tab.gone)

    signals = Signals(is_blocked)
    tabs = Tabs(
        context,
        chromium.line_to,
        viewport=spec.viewport,
        hub=new_hub_name(),
        most=spec.max_tabs,
        signals=signals,
        spawn=spawn,
    )
    dialogs = Dialogs(context, spec.dialogs, nudge=signals.nudge, spawn=spawn)
    downloads = Downloads(spec.download_quota_bytes, nudge=signals.nudge, spawn=spawn)
    tabs.on_download = downloads.claim
    chromium.tell(seat, tabs, signals.nudge)
    return SessionParts(chromium, context, proxy, signals, tabs, dialogs, downloads)


async def _furnish(parts: SessionParts, spec: SessionSpec) -> None:
    started = time.time_ns() // 1_000_000
    script = init_script(parts.tabs.hub, spec.determinism, started_milliseconds=started)
    await parts.context.add_init_script(script)
    if parts.chromium.headed:
        await native_dialogs.shield_context(parts.context)
    try:
        tab = await parts.tabs.open_blank()
    except Error as error:
        # Some options (such as an unknown time zone) are validated only with the first page.
        if parts.chromium.browser.is_connected() and "closed" not in error.message:
            raise unusable(error) from error
        raise
    await parts.downloads.attach(parts.chromium.line, tab.events.context)


def _check_start(result: object) -> None:
    match result:
        case ActionFailure(FailedReason.INVALID_URL, detail):
            raise RequestError(f"the start page cannot be opened: {detail}")
        case _:
            return
