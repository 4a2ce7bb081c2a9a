"""The X display of headed browsers: the existing one, or a private Xvfb."""

from __future__ import annotations

import os
import secrets
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import anyio
import anyio.abc
from anyio.streams.buffered import BufferedByteReceiveStream

from webgym.browser.server.chromium.executable import HELP_HEADED, find_executable
from webgym.errors import BrowserFault, ConfigError
from webgym.serving import parent_death

SERVER = "Xvfb"
SCREEN = "1280x4096x24"
"""Tall, so that the resting pointer in its centre is below windows of the usual size and no page sees it."""
START_SECONDS = 20.0
STOP_SECONDS = 5.0
_COOKIE = b"MIT-MAGIC-COOKIE-1"
_ANY_FAMILY = 0xFFFF


class Display:
    """The display of a worker's headed browsers. Started when first needed, and restarted if it died."""

    def __init__(self) -> None:
        self._starting = anyio.Lock()
        self._process: anyio.abc.Process | None = None
        self._environment: dict[str, str] = {}
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    async def environment(self) -> dict[str, str]:
        """Return the environment variables that point a browser to the display, starting an Xvfb if necessary.

        Raises:
            ConfigError: There is neither a display nor an Xvfb executable.
            BrowserFault: Xvfb does not start.
        """
        if os.environ.get("DISPLAY"):
            return {}
        async with self._starting:
            if self._process is None or self._process.returncode is not None:
                await self.close()
                await self._start()
        return self._environment

    async def close(self) -> None:
        """Stop the Xvfb, if one was started, in bounded time."""
        process, self._process = self._process, None
        if process is not None:
            await _stop(process)
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    async def _start(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="wg-display-")
        authority = Path(self._folder.name, "authority")
        _write_authority(authority)
        options = ["-displayfd", "1", "-screen", "0", SCREEN, "-nolisten", "tcp", "-noreset", "-auth", str(authority)]
        with tempfile.TemporaryFile() as said:
            self._process = await anyio.open_process(
                [sys.executable, "-I", "-S", parent_death.__file__, _find_server(), *options],
                stdin=subprocess.DEVNULL,
                stderr=said,
                start_new_session=True,  # Ctrl-C in the terminal must reach only the program, which closes its browsers
            )
            number = await _number(self._process)
            if not number:
                await _stop(self._process)
                said.seek(0)
                lines = said.read().decode(errors="replace").split("\n")
                why = next((line for line in reversed(lines) if line.strip()), "it gave no reason")
                raise BrowserFault(f"{SERVER} failed to start: {why}")
        self._environment = {"DISPLAY": f":{number}", "XAUTHORITY": str(authority)}


def check_headed(executable: str = "") -> None:
    """Check up front that this machine can run headed browsers.

    Raises:
        ConfigError: There is no full Chromium, or neither a display nor an Xvfb executable.
    """
    find_executable(executable, headed=True)
    if not os.environ.get("DISPLAY"):
        _find_server()


def _find_server() -> str:
    path = shutil.which(SERVER)
    if path is None:
        raise ConfigError(
            f"headed browsers need a display: DISPLAY is not set, and there is no {SERVER}. {HELP_HEADED}"
        )
    return path


def _write_authority(path: Path) -> None:
    """Write an Xauthority file with a random cookie; without it, any local user could use the display."""

    def counted(data: bytes) -> bytes:
        return struct.pack(">H", len(data)) + data

    fields = (b"", b"", _COOKIE, secrets.token_bytes(16))  # any address, any display number
    path.touch(0o600)
    path.write_bytes(struct.pack(">H", _ANY_FAMILY) + b"".join(map(counted, fields)))


async def _number(process: anyio.abc.Process) -> str:
    """Return the display number that Xvfb reports; empty if it exits or times out."""
    if process.stdout is None:
        return ""
    with anyio.move_on_after(START_SECONDS):
        try:
            line = await BufferedByteReceiveStream(process.stdout).receive_until(b"\n", 100)
        except (anyio.IncompleteRead, anyio.BrokenResourceError):
            return ""
        return line.decode().strip()
    return ""


async def _stop(process: anyio.abc.Process) -> None:
    with anyio.CancelScope(shield=True):
        if process.returncode is None:
            process.terminate()
        with anyio.move_on_after(STOP_SECONDS):
            await process.wait()
        if process.returncode is None:
            process.kill()
        await process.aclose()
