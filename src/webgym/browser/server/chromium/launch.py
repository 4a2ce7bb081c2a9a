"""Launches Chromium."""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import re
import shlex
import socket
import sys
import tempfile
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

import anyio
from playwright.async_api import Browser, Error, Playwright

from webgym.browser.config import ChromiumConfig
from webgym.browser.server.chromium import handover, native_dialogs
from webgym.browser.server.chromium.executable import find_executable
from webgym.browser.server.chromium.switchboard import Switchboard
from webgym.concurrency import ungrouped
from webgym.errors import BrowserFault

logger = logging.getLogger(__name__)

LAUNCH_SECONDS = 30.0

FLAGS = (
    "--disable-background-networking",
    # Otherwise what pages log is written to the standard error, which Playwright reads line by line.
    "--log-level=3",
    "--disable-component-update",
    # The process that draws is ended when a page holds it up, and Chromium gave up at the sixth time.
    "--disable-gpu-process-crash-limit",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    # Nothing may bypass the session's proxy: no DNS lookups, no direct WebRTC.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    # Same-site navigations reuse the previous page's frame and compositor: a fifth less work per page.
    "--disable-features=RenderDocument",
    # Rasterisation is on the CPU, where a few wide tiles cost less than many small ones.
    "--default-tile-width=1280",
    "--default-tile-height=256",
)
HEADED_FLAGS = (
    "--ozone-platform=x11",
    # Away from the display's pointer, which rests in the centre.
    "--window-position=0,0",
    *native_dialogs.FLAGS,
)
PLAYWRIGHTS_OWN_TO_DROP = ("--disable-popup-blocking", "--disable-ipc-flooding-protection")
"""Chromium's own protection from pages that open windows, or change their address without end."""
_OF_THE_BROWSER = re.compile(r"\[pid=\d+\](?:\[err\])? (?!#\d|starting temporary)(.+)")
"""A line of the browser in Playwright's message, unless it belongs to a stack."""


async def launch(
    playwright: Playwright, config: ChromiumConfig, display: Mapping[str, str], *, quiet: bool
) -> tuple[Browser, Switchboard]:
    """Launch a Chromium, and return it with the switchboard on its CDP pipe.

    `display`: environment variables of a headed browser's display. `quiet`: keep network events from Playwright.

    Raises:
        ConfigError: There is no Chromium on this machine.
        BrowserFault: It does not start.
    """
    sandbox = config.sandbox == "on" or (config.sandbox == "auto" and not _is_root())
    if config.sandbox == "auto" and not sandbox:
        # Of every machine where this is so it is known before: `webgym doctor` and the command line tell it.
        logger.info("Chromium runs without its sandbox, because the sandbox does not work as root")
    try:
        return await _launch(playwright, config, display, sandbox=sandbox, quiet=quiet)
    except Error as error:
        if not (sandbox and config.sandbox == "auto" and "sandbox" in error.message.lower()):
            raise BrowserFault(f"Chromium failed to start: {_reason(error.message)}") from error
    _warn_once("Chromium runs without its sandbox, because this machine does not allow user namespaces")
    try:
        return await _launch(playwright, config, display, sandbox=False, quiet=quiet)
    except Error as error:
        raise BrowserFault(f"Chromium failed to start: {_reason(error.message)}") from error


async def _launch(
    playwright: Playwright, config: ChromiumConfig, display: Mapping[str, str], *, sandbox: bool, quiet: bool
) -> tuple[Browser, Switchboard]:
    board = Switchboard(quiet=quiet)
    with _listening() as (place, listener):
        options: dict[str, Any] = {
            "executable_path": _handing_over(place, find_executable(config.executable, headed=config.headed)),
            "headless": not config.headed,
            "args": [
                *FLAGS,
                *(HEADED_FLAGS if config.headed else ()),
                f"--js-flags=--max-old-space-size={config.page_heap_megabytes}",
            ],
            "ignore_default_args": list(PLAYWRIGHTS_OWN_TO_DROP),
            "chromium_sandbox": sandbox,
            "env": {**os.environ, **display, handover.PLACE: place},
            "handle_sigint": False,
            "handle_sigterm": False,
            "handle_sighup": False,
            "timeout": LAUNCH_SECONDS * 1000,
        }
        launched: list[Browser] = []
        try:
            with ungrouped():
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(_take_over, listener, board)
                    launched.append(await playwright.chromium.launch(**options))
                    tasks.cancel_scope.cancel()
        except BaseException:
            board.close()
            raise
    return launched[0], board


@contextlib.contextmanager
def _listening() -> Generator[tuple[str, socket.socket]]:
    """Yield the path of a Unix socket that only this user can reach, and the socket listening on it."""
    with tempfile.TemporaryDirectory(prefix="wg-") as folder, socket.socket(socket.AF_UNIX) as listener:
        place = f"{folder}/line"
        listener.bind(place)
        listener.listen(1)
        listener.setblocking(False)
        yield place, listener


async def _take_over(listener: socket.socket, board: Switchboard) -> None:
    """Wait for the pipe descriptors, and connect the switchboard to them."""
    await anyio.wait_readable(listener)
    line, _ = listener.accept()
    with line:
        line.setblocking(False)
        await anyio.wait_readable(line)
        _, ends, _, _ = socket.recv_fds(line, 1, 4)
    with anyio.CancelScope(shield=True):
        await board.connect(*ends)


def _handing_over(place: str, executable: str) -> str:
    """Write a wrapper script that runs the executable through `handover`: Playwright takes a path without arguments."""
    path = Path(f"{place}.sh")  # deleted with its folder after the handover
    command = shlex.join([sys.executable, "-I", "-S", handover.__file__, executable])
    path.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
    path.chmod(0o700)
    return str(path)


def _is_root() -> bool:
    return os.geteuid() == 0


@functools.cache
def _warn_once(message: str) -> None:
    logger.warning(message)


def _reason(message: str) -> str:
    """Return one line of Playwright's many: what failed, and what the browser itself said first and last."""
    first, *rest = message.splitlines()
    said = [found[1] for line in rest if (found := _OF_THE_BROWSER.match(line))]
    return "; ".join(dict.fromkeys((first, *said[:2], *said[-1:])))
