"""A custom session: a terminal instead of a browser, served by the same fleet and observed through screenshots.

webgym serve --browser examples.own_session:TerminalBrowser
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import anyio
from PIL import Image, ImageDraw

from webgym.errors import LossReason, RequestError, SessionLost
from webgym.records import observation as seen
from webgym.records.action import Action, Answer, TypeText, Wait
from webgym.records.session import Look, SessionSpec

END = "--end-of-output--"


class TerminalSession:
    """A shell. Typing runs a command; the screenshot shows its output."""

    def __init__(self, shell: asyncio.subprocess.Process, viewport: seen.Viewport) -> None:
        self._shell = shell
        self._viewport = viewport
        self._screen: list[str] = ["$ "]
        self._sequence = 0
        self._shots: dict[str, bytes] = {}

    async def step(self, action: Action | None, look: Look) -> seen.Capture:
        effect = None if action is None else await self._perform(action)
        self._sequence += 1
        blobs = {} if look.screenshot is None else self._draw()
        self._shots |= blobs
        shots = [seen.Blob(address, "image/png", len(data)) for address, data in blobs.items()]
        observation = seen.Observation(
            sequence=self._sequence,
            url="terminal:",
            title=self._screen[-1],
            viewport=self._viewport,
            screenshot=shots[0] if shots else None,
            effect=effect,
        )
        return seen.Capture(observation, blobs)

    async def blob(self, address: str) -> bytes:
        if address not in self._shots:
            raise RequestError(f"nothing here has the address {address}")
        return self._shots[address]

    async def _perform(self, action: Action) -> seen.Effect:
        match action:
            case TypeText(text=text):
                await self._run(text)
                return seen.PageChange(("content",))
            case Wait(seconds=seconds):
                await anyio.sleep(seconds)
                return seen.NoChange()
            case Answer():
                return seen.NoChange()
            case _:
                return seen.ActionFailure(seen.FailedReason.UNSUPPORTED, "a terminal only takes text")

    async def _run(self, command: str) -> None:
        assert self._shell.stdin and self._shell.stdout
        self._shell.stdin.write(f"{command} 2>&1\necho {END}\n".encode())
        self._screen[-1] += command
        while (line := (await self._shell.stdout.readline()).decode().rstrip("\n")) != END:
            if not line and self._shell.stdout.at_eof():
                raise SessionLost("the shell has ended", reason=LossReason.BROWSER_DIED)
            self._screen.append(line)
        self._screen.append("$ ")

    def _draw(self) -> dict[str, bytes]:
        image = Image.new("RGB", (self._viewport.width, self._viewport.height), "black")
        ImageDraw.Draw(image).text((8, 8), "\n".join(self._screen[-(self._viewport.height // 14) :]), fill="lime")
        png = io.BytesIO()
        image.save(png, "PNG")
        return {seen.address_of(png.getvalue()): png.getvalue()}


class TerminalBrowser:
    def open(self, spec: SessionSpec) -> AbstractAsyncContextManager[TerminalSession]:
        return self._open(spec)

    @asynccontextmanager
    async def _open(self, spec: SessionSpec) -> AsyncGenerator[TerminalSession]:
        pipe = asyncio.subprocess.PIPE
        shell = await asyncio.create_subprocess_exec("sh", stdin=pipe, stdout=pipe)
        try:
            yield TerminalSession(shell, spec.viewport)
        finally:
            shell.kill()
            with anyio.CancelScope(shield=True):
                await shell.wait()
