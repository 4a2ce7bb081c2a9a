"""How a Chromium is started."""

from __future__ import annotations

import functools
import logging
import os
from typing import Any

from playwright.async_api import Browser, Error, Playwright

from webgym.browser.config import ChromiumConfig
from webgym.browser.server.chromium.executable import find_executable
from webgym.errors import BrowserFault

logger = logging.getLogger(__name__)

LAUNCH_SECONDS = 30.0

FLAGS = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    # Nothing may go round the session's proxy: no lookups of names, no direct WebRTC.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
)
PLAYWRIGHTS_OWN_TO_DROP = ("--disable-popup-blocking",)


async def launch(playwright: Playwright, config: ChromiumConfig) -> Browser:
    """A new Chromium.

    Raises:
        ConfigError: There is none on this machine.
        BrowserFault: It does not start.
    """
    sandbox = config.sandbox == "on" or (config.sandbox == "auto" and not _is_root())
    if config.sandbox == "auto" and not sandbox:
        _warn_once("Chromium runs without its sandbox, because it cannot have one as root")
    try:
        return await _launch(playwright, config, sandbox=sandbox)
    except Error as error:
        if not (sandbox and config.sandbox == "auto" and "sandbox" in error.message.lower()):
            raise BrowserFault(f"Chromium does not start: {_first_lines(error.message)}") from error
    _warn_once("Chromium runs without its sandbox, because this machine gives it no user namespaces")
    try:
        return await _launch(playwright, config, sandbox=False)
    except Error as error:
        raise BrowserFault(f"Chromium does not start: {_first_lines(error.message)}") from error


async def _launch(playwright: Playwright, config: ChromiumConfig, *, sandbox: bool) -> Browser:
    options: dict[str, Any] = {
        "executable_path": find_executable(config.executable),
        "args": [*FLAGS, f"--js-flags=--max-old-space-size={config.page_heap_megabytes}"],
        "ignore_default_args": list(PLAYWRIGHTS_OWN_TO_DROP),
        "chromium_sandbox": sandbox,
        "handle_sigint": False,
        "handle_sigterm": False,
        "handle_sighup": False,
        "timeout": LAUNCH_SECONDS * 1000,
    }
    return await playwright.chromium.launch(**options)


def _is_root() -> bool:
    return os.geteuid() == 0


@functools.cache
def _warn_once(message: str) -> None:
    logger.warning(message)


def _first_lines(message: str) -> str:
    return "\n".join(message.splitlines()[:12])
