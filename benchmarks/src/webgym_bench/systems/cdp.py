"""Bare DevTools protocol: one headless shell for all sessions, one context per session, no automation library.

It runs the episode as our sessions do (act, wait for the page to settle, observe) with the same in-page detector, and
nothing else: no proxy, leases, process boundary, tabs, dialogs or downloads.
"""

from __future__ import annotations

import base64
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio

from webgym.browser.server.chromium.inject import init_script, new_hub_name
from webgym.browser.server.chromium.launch import FLAGS
from webgym.errors import BrowserFault
from webgym.records.action import Action, Click, Navigate, Point, Scroll, Target, TypeText
from webgym.records.observation import Blob, Capture, Observation, Timings, Viewport, address_of
from webgym.records.session import Look, SessionSpec
from webgym.stages import Browser, Session
from webgym_bench.baseline_browser import headless_shell
from webgym_bench.conditions import Conditions
from webgym_bench.pages.server import Pages
from webgym_bench.systems.cdp_pipe import CdpError, Params, Pipe, launched, result
from webgym_bench.systems.system import System

# The flags that Playwright sets and that affect the cost of a page.
MORE_FLAGS = (
    "--headless",
    "--hide-scrollbars",
    "--mute-audio",
    "--disable-back-forward-cache",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-dev-shm-usage",
    "--disable-renderer-backgrounding",
    "--force-color-profile=srgb",
)
ACTIVE_STEPS_PER_CORE = 4
"""As on our nodes: more concurrent steps only lengthen the latency tail."""
UNRESPONSIVE_SECONDS = 10.0
VIEWPORT = Viewport()
ENTER: Params = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13}


@dataclass
class Frame:
    """Loading state of the main frame, tracked from its events."""

    id: str
    loading: bool = False
    loads: int = 0
    """Page loads started so far."""
    moved: anyio.Event = field(default_factory=anyio.Event)

    def hear(self, method: str, params: Params) -> None:
        """Update the state from an event of the session."""
        if params.get("frameId") != self.id:
            return
        match method:
            case "Page.frameStartedLoading" | "Page.frameRequestedNavigation" | "Page.frameStartedNavigating":
                self.loads += not self.loading
                self.loading = True
            case "Page.frameStoppedLoading":
                self.loading = False
            case _:
                return
        self.moved.set()
        self.moved = anyio.Event()


class CdpSession:
    """A page in its own browser context."""

    def __init__(self, pipe: Pipe, gate: anyio.CapacityLimiter, session: str, frame: Frame, hub: str) -> None:
        self._pipe = pipe
        self._gate = gate
        self._session = session
        self._frame = frame
        self._hub = hub
        self._sequence = 0

    async def step(self, action: Action | None, look: Look) -> Capture:
        """Act, wait for the page to settle, observe."""
        began = anyio.current_time()
        async with self._gate:
            queued = anyio.current_time() - began
            try:
                await self._act(action)
                url, title, settled = await self._rest(look.settle_seconds)
                image = await self._screenshot(look)
            except (CdpError, TimeoutError) as error:
                raise BrowserFault(str(error)) from error
        self._sequence += 1
        blob = Blob(address_of(image), f"image/{look.screenshot}", len(image))
        timings = Timings(queued=queued)
        seen = Observation(self._sequence, url, title, screenshot=blob, settled=settled, timings=timings)
        return Capture(seen, {blob.address: image})

    async def blob(self, address: str) -> bytes:
        """Raise: captures are not retained."""
        raise BrowserFault(f"no blob is stored under {address}")

    async def _call(self, method: str, **params: object) -> Params:
        return await self._pipe.call(method, params, self._session)

    async def _act(self, action: Action | None) -> None:
        match action:
            case None:
                pass
            case Navigate(url=url):
                await self._call("Page.navigate", url=url)
            case Click(target=target):
                await self._click(target)
            case TypeText(text=text, target=target, submit=submit) if target:
                await self._type(text, target, submit=submit)
            case Scroll(dx=dx, dy=dy, target=target) if target:
                await self._call("Input.dispatchMouseEvent", type="mouseWheel", deltaX=dx, deltaY=dy, **_point(target))
            case _:
                raise BrowserFault(f"the benchmark episode has no such action: {action}")

    async def _click(self, target: Target) -> None:
        at = _point(target)
        pressed: Params = {**at, "button": "left", "buttons": 1, "clickCount": 1}
        self._send("Input.dispatchMouseEvent", {"type": "mouseMoved", **at})
        self._send("Input.dispatchMouseEvent", {"type": "mousePressed", **pressed})
        await self._call("Input.dispatchMouseEvent", type="mouseReleased", **{**pressed, "buttons": 0})

    async def _type(self, text: str, target: Target, *, submit: bool) -> None:
        await self._click(target)
        self._send("Input.dispatchKeyEvent", {"type": "keyDown", "key": "a", "modifiers": 2, "commands": ["selectAll"]})
        self._send("Input.dispatchKeyEvent", {"type": "keyUp", "key": "a", "modifiers": 2})
        await self._call("Input.insertText", text=text)
        if submit:
            self._send("Input.dispatchKeyEvent", {"type": "keyDown", "text": "\r", **ENTER})
            await self._call("Input.dispatchKeyEvent", type="keyUp", **ENTER)

    def _send(self, method: str, params: Params) -> None:
        # Any error surfaces in the next call: calls of one session run in order.
        self._pipe.send(method, params, self._session)

    async def _rest(self, seconds: float) -> tuple[str, str, bool]:
        """Wait for the page to settle, again after every new page load. Return URL, title and whether it settled."""
        deadline = anyio.current_time() + seconds
        with anyio.fail_after(seconds + UNRESPONSIVE_SECONDS):
            while True:
                with anyio.move_on_at(deadline):
                    await self._loaded()
                loads, left = self._frame.loads, max(0.0, deadline - anyio.current_time())
                seen = await self._settle(left)
                if seen and (loads == self._frame.loads or not left):
                    return seen["now"]["url"], seen["title"], seen["settled"]

    async def _loaded(self) -> None:
        while self._frame.loading:
            await self._frame.moved.wait()

    async def _settle(self, seconds: float) -> Params:
        """Return the detector's report, or an empty one if the document was replaced or is not ready yet."""
        settle = f"window.{self._hub}?.settle({{step: {self._sequence}, ms: {seconds * 1000:.0f}}})"
        try:
            reply = await self._call("Runtime.evaluate", expression=settle, awaitPromise=True, returnByValue=True)
        except CdpError:
            return {}
        return reply["result"].get("value") or {}

    async def _screenshot(self, look: Look) -> bytes:
        params: Params = {"format": look.screenshot, "captureBeyondViewport": False, "optimizeForSpeed": True}
        if look.screenshot != "png":
            params["quality"] = look.quality
        return base64.b64decode((await self._call("Page.captureScreenshot", **params))["data"])


class CdpBrowser:
    """One Chromium that all sessions share."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe
        self._gate = anyio.CapacityLimiter(ACTIVE_STEPS_PER_CORE * (os.cpu_count() or 1))

    @asynccontextmanager
    async def open(self, spec: SessionSpec) -> AsyncGenerator[Session]:  # noqa: ARG002  always a context
        """Open a context with one page and the detector in it."""
        call = self._pipe.call
        context = (await call("Target.createBrowserContext", {"disposeOnDetach": True}))["browserContextId"]
        try:
            page: Params = {"url": "about:blank", "browserContextId": context}
            target = (await call("Target.createTarget", page))["targetId"]
            session = (await call("Target.attachToTarget", {"targetId": target, "flatten": True}))["sessionId"]
            frame = Frame(target)  # the main frame's id is the target's id
            self._pipe.listen(session, frame.hear)
            hub = new_hub_name()
            await self._prepare(session, hub)
            yield CdpSession(self._pipe, self._gate, session, frame, hub)
            self._pipe.listen(session, None)
        finally:
            with anyio.CancelScope(shield=True):
                await call("Target.disposeBrowserContext", {"browserContextId": context})

    async def _prepare(self, session: str, hub: str) -> None:
        size: Params = {"width": VIEWPORT.width, "height": VIEWPORT.height, "deviceScaleFactor": 1, "mobile": False}
        script: Params = {"source": init_script(hub, None, started_milliseconds=0)}
        replies = [
            self._pipe.send("Page.enable", {}, session),
            self._pipe.send("Page.addScriptToEvaluateOnNewDocument", script, session),
            self._pipe.send("Emulation.setDeviceMetricsOverride", size, session),
            self._pipe.send("Emulation.setFocusEmulationEnabled", {"enabled": True}, session),
        ]
        for reply in replies:
            await result(reply)


@asynccontextmanager
async def _start(_: Pages, conditions: Conditions) -> AsyncGenerator[Browser]:  # noqa: ARG001  as all systems
    sandbox = ("--no-sandbox",) if os.geteuid() == 0 else ()
    async with launched(headless_shell(), (*FLAGS, *MORE_FLAGS, *sandbox)) as pipe:
        yield CdpBrowser(pipe)


CDP = System("cdp", _start, "one headless shell, a context per session, DevTools protocol over a pipe from asyncio")


def _point(target: Target) -> Params:
    if not isinstance(target, Point):
        raise BrowserFault("the benchmark episode does not use marks")
    return {"x": target.x, "y": target.y}
