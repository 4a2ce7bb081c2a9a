"""How a Chromium is started."""

from __future__ import annotations

import functools
import logging
import os
import shlex
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Error, Playwright

from webgym.browser.config import ChromiumConfig
from webgym.browser.server.chromium import quiet_pipe
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


async def launch(playwright: Playwright, config: ChromiumConfig, *, quiet: bool) -> Browser:
    """A new Chromium; a quiet one does not tell Playwright of its requests.

    Raises:
        ConfigError: There is none on this machine.
        BrowserFault: It does not start.
    """
    sandbox = config.sandbox == "on" or (config.sandbox == "auto" and not _is_root())
    if config.sandbox == "auto" and not sandbox:
        _warn_once("Chromium runs without its sandbox, because it cannot have one as root")
    try:
        return await _launch(playwright, config, sandbox=sandbox, quiet=quiet)
    except Error as error:
        if not (sandbox and config.sandbox == "auto" and "sandbox" in error.message.lower()):
            raise BrowserFault(f"Chromium does not start: {_first_lines(error.message)}") from error
    _warn_once("Chromium runs without its sandbox, because this machine gives it no user namespaces")
    try:
        return await _launch(playwright, config, sandbox=False, quiet=quiet)
    except Error as error:
        raise BrowserFault(f"Chromium does not start: {_first_lines(error.message)}") from error


async def _launch(playwright: Playwright, config: ChromiumConfig, *, sandbox: bool, quiet: bool) -> Browser:
    executable = find_executable(config.executable)
    options: dict[str, Any] = {
        "executable_path": _quietened(executable) if quiet else executable,
        "args": [*FLAGS, f"--js-flags=--max-old-space-size={config.page_heap_megabytes}"],
        "ignore_default_args": list(PLAYWRIGHTS_OWN_TO_DROP),
        "chromium_sandbox": sandbox,
        "handle_sigint": False,
        "handle_sigterm": False,
        "handle_sighup": False,
        "timeout": LAUNCH_SECONDS * 1000,
    }
    return await playwright.chromium.launch(**options)


@functools.cache
def _quietened(executable: str) -> str:
    """A program that starts this one with `quiet_pipe` before it. Playwright takes one file, without arguments."""
    handle, path = tempfile.mkstemp(prefix="quiet-", suffix=".sh")
    command = shlex.join([sys.executable, "-I", "-S", quiet_pipe.__file__, executable])
    with os.fdopen(handle, "w") as file:
        file.write(f'#!/bin/sh\nexec {command} "$@"\n')
    Path(path).chmod(0o700)
    return path


def _is_root() -> bool:
    return os.geteuid() == 0


@functools.cache
def _warn_once(message: str) -> None:
    logger.warning(message)


def _first_lines(message: str) -> str:
    return "\n".join(message.splitlines()[:12])
