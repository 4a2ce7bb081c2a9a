"""The Playwright driver, a process on which every Chromium of this worker depends."""

from __future__ import annotations

import os
import subprocess
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager

import anyio
import psutil
from playwright.async_api import Playwright, async_playwright

from webgym.browser.server.chromium.startable import DRIVER, driver_executable
from webgym.errors import BrowserFault, ConfigError, WebGymError

STOP_SECONDS = 10.0
YOUNG_GENERATION = "--max-semi-space-size=2"
"""Node.js option, in megabytes. The driver's data is short-lived, so the default of 16 only wastes memory."""
ARENAS = "MALLOC_ARENA_MAX"
"""Heaps of the C library. Of the driver's threads one works, and what the others' heaps once held stays resident."""


@asynccontextmanager
async def running_driver() -> AsyncGenerator[tuple[Playwright, int]]:
    """Start Playwright, and yield it with the process id of its driver.

    Raises:
        ConfigError: The driver can never start on this machine.
        BrowserFault: It did not start.
    """
    earlier = {child.pid for child in psutil.Process().children()}
    options = os.environ.get("NODE_OPTIONS", "")
    if YOUNG_GENERATION not in options:
        os.environ["NODE_OPTIONS"] = f"{options} {YOUNG_GENERATION}".strip()
    os.environ.setdefault(ARENAS, "1")
    manager = async_playwright()
    try:
        playwright = await manager.start()
    except Exception as error:  # Playwright has no class of its own for a driver that ends at once
        raise await anyio.to_thread.run_sync(_why_not, error) from error
    try:
        yield playwright, _driver_pid(earlier)
    finally:
        with anyio.CancelScope(shield=True), anyio.move_on_after(STOP_SECONDS):
            await playwright.stop()


async def watch(pid: int, on_end: Callable[[], None]) -> None:
    """Call `on_end` when the process exits."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        on_end()
        return
    try:
        await anyio.wait_readable(descriptor)
    finally:
        os.close(descriptor)
    on_end()


def _why_not(error: Exception) -> WebGymError:
    """Tell a driver that can never start here from one that failed to start this time."""
    command = [driver_executable(), "--version"]
    version = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - it was just started
    if version.returncode == 0:
        return BrowserFault(f"{DRIVER} did not start: {str(error).partition(chr(10))[0]}")
    reason = version.stderr.strip().splitlines()[-1:] or [f"exit code {version.returncode}"]
    return ConfigError(f"{DRIVER} cannot start: {reason[0]}")


def _driver_pid(earlier: set[int]) -> int:
    for child in psutil.Process().children():
        if child.pid not in earlier and "run-driver" in child.cmdline():
            return child.pid
    raise RuntimeError("the Playwright driver did not start as a child of this process")
