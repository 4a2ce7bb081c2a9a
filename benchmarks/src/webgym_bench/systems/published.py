"""The client of the published sequence: execute, sleep one second, screenshot, page metadata."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import aiohttp
import anyio

from webgym.errors import BrowserFault, CapacityError, TransportError
from webgym.records.action import Action, Click, Navigate, Point, Scroll, Target, TypeText
from webgym.records.observation import Blob, Capture, Observation, address_of
from webgym.records.session import Look, SessionSpec
from webgym.stages import Browser, Session
from webgym_bench.baseline_browser import published_executable
from webgym_bench.child import announced, child
from webgym_bench.conditions import Conditions
from webgym_bench.pages.server import Pages
from webgym_bench.systems.system import System

AFTER_ACTION_SECONDS = 1.0
LAUNCH_SECONDS = 300.0
Command = tuple[str, dict[str, Any]]


class PublishedSession:
    """A leased browser. It always takes PNG screenshots, one second after the action."""

    def __init__(self, http: aiohttp.ClientSession, instance: int) -> None:
        self._http = http
        self._instance = instance
        self._sequence = 0

    async def step(self, action: Action | None, look: Look) -> Capture:  # noqa: ARG002  it has no choice
        """Make one HTTP call for each of three operations."""
        if action is not None:
            await self._execute(_command(action))
            await anyio.sleep(AFTER_ACTION_SECONDS)
        image = await _call(self._http.get("/screenshot", params={"instance_id": self._instance}), as_json=False)
        page = await self._execute(("get_page_metadata", {}))
        self._sequence += 1
        blob = Blob(address_of(image), "image/png", len(image))
        seen = Observation(self._sequence, page["url"], page["title"], screenshot=blob)
        return Capture(seen, {blob.address: image})

    async def blob(self, address: str) -> bytes:
        """Raise: captures are not retained."""
        raise BrowserFault(f"no blob is stored under {address}")

    async def _execute(self, command: Command) -> dict[str, Any]:
        name, given = command
        body = {"instance_id": self._instance, name: given}
        return await _call(self._http.post("/execute", json=body), as_json=True)


class PublishedBrowser:
    """The browser pool of one server."""

    def __init__(self, http: aiohttp.ClientSession) -> None:
        self._http = http

    @asynccontextmanager
    async def open(self, spec: SessionSpec) -> AsyncGenerator[Session]:  # noqa: ARG002  it has no choice
        """Lease a browser. Returning it waits for its relaunch."""
        lease = await _call(self._http.post("/get"), as_json=True)
        try:
            yield PublishedSession(self._http, lease["instance_id"])
        finally:
            with anyio.CancelScope(shield=True):
                await _call(self._http.post("/reset", params={"instance_id": lease["instance_id"]}), as_json=True)


@asynccontextmanager
async def _start(_: Pages, conditions: Conditions) -> AsyncGenerator[Browser]:
    command = [
        sys.executable,
        "-m",
        "webgym_bench.systems.published_server",
        str(conditions.sessions),
        published_executable(conditions.baseline_browser),
    ]
    async with child(command) as process:
        host = await announced(process, LAUNCH_SECONDS)
        connector = aiohttp.TCPConnector(limit=0)
        async with aiohttp.ClientSession(f"http://{host}", connector=connector) as http:
            yield PublishedBrowser(http)


PUBLISHED = System(
    "published", _start, "one Chromium per session, PNG, fixed sleeps, one HTTP call per operation, relaunch on reset"
)


def _command(action: Action) -> Command:
    match action:
        case Navigate(url=url):
            return "visit_page", {"url": url}
        case Click(target=target):
            return "click_coords", _point(target)
        case TypeText(text=text, target=target, submit=submit) if target:
            return "fill_coords", {**_point(target), "value": text, "press_enter": submit}
        case Scroll(dy=dy, target=target) if target:
            return "page_down", {**_point(target), "amount": dy}
        case _:
            raise BrowserFault(f"the benchmark episode has no such action: {action}")


def _point(target: Target) -> dict[str, Any]:
    if not isinstance(target, Point):
        raise BrowserFault("the benchmark episode does not use marks")
    return {"x": target.x, "y": target.y}


async def _call(request: Any, *, as_json: bool) -> Any:
    try:
        async with request as reply:
            match reply.status:
                case 200:
                    return await reply.json() if as_json else await reply.read()
                case 503:
                    raise CapacityError(await reply.text())
                case _:
                    raise BrowserFault(await reply.text())
    except (aiohttp.ClientError, TimeoutError) as error:
        raise TransportError(str(error)) from error
