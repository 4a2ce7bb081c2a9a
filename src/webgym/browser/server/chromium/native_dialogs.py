"""Suppresses native dialogs, which a headed browser would open outside the page, where nothing can answer them.

Headless browsers have no such dialogs, so this makes headed ones behave alike.
"""

from __future__ import annotations

from playwright.async_api import BrowserContext

from webgym.browser.server.chromium.switchboard import Line

FLAGS = ("--use-fake-ui-for-media-stream=deny",)
"""Deny camera and microphone, instead of prompting for them."""
_NO_PRINTING = "window.print = new Proxy(window.print, {apply() {}})"
"""The print preview would block the page until it is closed. A Proxy still looks native to scripts."""


async def shield_context(context: BrowserContext) -> None:
    """Suppress print previews in the context's future documents."""
    await context.add_init_script(_NO_PRINTING)


async def shield_page(line: Line) -> None:
    """Suppress a page's file chooser, which is opened only for `Upload`."""
    await line.send("Page.setInterceptFileChooserDialog", {"enabled": True})
