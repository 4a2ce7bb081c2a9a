"""Dialogs that a headed browser would open outside of the page, where nobody is there to answer them.

Headless browsers have none: there these do nothing, and so they do here.
"""

from __future__ import annotations

from playwright.async_api import BrowserContext

from webgym.browser.server.chromium.switchboard import Line

FLAGS = ("--use-fake-ui-for-media-stream=deny",)
"""Nobody is there to choose what a page may film."""
_NO_PRINTING = "window.print = new Proxy(window.print, {apply() {}})"
"""The page would stand still until the preview is closed. A Proxy looks native to pages that look."""


async def shield_context(context: BrowserContext) -> None:
    """For documents that are yet to come."""
    await context.add_init_script(_NO_PRINTING)


async def shield_page(line: Line) -> None:
    """For one page: no file is asked for, unless `Upload` brings one."""
    await line.send("Page.setInterceptFileChooserDialog", {"enabled": True})
