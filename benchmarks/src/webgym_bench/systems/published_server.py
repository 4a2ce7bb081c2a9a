"""The server of the published sequence: one Chromium per session, one HTTP call per operation.

`python -m webgym_bench.systems.published_server SESSIONS EXECUTABLE`. Before every operation it sets the viewport,
sleeps 200 ms, registers the page script again and waits for the load state; a reset relaunches the browser. The
published system has a process and a driver per session and three chained servers; this has one of each, since only the
sequence is compared.
"""

from __future__ import annotations

import argparse
import json
import socket
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import uvicorn
from playwright.async_api import Browser, BrowserType, Error, Page, ViewportSize, async_playwright
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from webgym.serving.parent_death import die_with_parent

BEFORE_EVERY_OPERATION_SECONDS = 0.2
LOAD_MILLISECONDS = 30_000
SCREENSHOT_MILLISECONDS = 15_000
VIEWPORT = ViewportSize(width=1280, height=768)
PRESS_MILLISECONDS = 10

# Stands in for the published page script, which is ten times as long. Every new document runs it once per
# operation of the session so far.
PAGE_SCRIPT = """
window.__instance = window.__instance || {
  metadata() { return { title: document.title, url: location.href }; },
  viewport() { return { width: innerWidth, height: innerHeight }; },
};
"""
# Keep links that would open a new tab in this one.
SAME_TAB = """([x, y]) => {
  for (let one = document.elementFromPoint(x, y); one; one = one.parentElement) one.removeAttribute("target");
  for (const one of document.querySelectorAll('[target="_blank"]')) one.removeAttribute("target");
}"""


class Instance:
    """A browser with one page."""

    def __init__(self, kind: BrowserType, executable: str) -> None:
        self._kind = kind
        self._executable = executable
        self._browser: Browser | None = None
        self._page: Page | None = None

    async def launch(self) -> None:
        """Launch the browser, or replace it by a new one."""
        if self._browser:
            await self._browser.close()
        self._browser = await self._kind.launch(executable_path=self._executable)
        context = await self._browser.new_context(viewport=VIEWPORT)
        self._page = await context.new_page()

    async def screenshot(self) -> bytes:
        """Return a PNG screenshot."""
        page = await self._ready()
        return await page.screenshot(timeout=SCREENSHOT_MILLISECONDS)

    async def execute(self, command: str, given: dict[str, Any]) -> dict[str, Any]:
        """Run one of the published commands that the episode needs."""
        page = await self._ready()
        match command:
            case "visit_page":
                await page.goto(given["url"])
            case "click_coords":
                await page.evaluate(SAME_TAB, [given["x"], given["y"]])
                await page.mouse.click(given["x"], given["y"], delay=PRESS_MILLISECONDS)
            case "fill_coords":
                await self._fill(page, given)
            case "page_down":
                await page.mouse.move(given["x"], given["y"])
                await page.mouse.wheel(0, given["amount"])
            case "get_page_metadata":
                return await page.evaluate("() => window.__instance.metadata()")
            case _:
                raise HTTPException(500, f"unknown command: {command}")
        return {"status": "success"}

    async def _fill(self, page: Page, given: dict[str, Any]) -> None:
        await page.mouse.click(given["x"], given["y"], delay=PRESS_MILLISECONDS)
        await page.keyboard.press("Control+A")
        await page.keyboard.press("Backspace")
        await page.keyboard.type(given["value"])
        if given["press_enter"]:
            await page.keyboard.press("Enter")

    async def _ready(self) -> Page:
        page = self._page
        if page is None:
            raise HTTPException(503, "not launched")
        await page.set_viewport_size(VIEWPORT)
        await anyio.sleep(BEFORE_EVERY_OPERATION_SECONDS)
        await page.add_init_script(PAGE_SCRIPT)
        await page.wait_for_load_state("load", timeout=LOAD_MILLISECONDS)
        return page


class Pool:
    """A pool of browsers, launched up front."""

    def __init__(self) -> None:
        self._instances: list[Instance] = []
        self._free: list[int] = []

    @asynccontextmanager
    async def launched(self, sessions: int, executable: str) -> AsyncGenerator[None]:
        """Launch all browsers, one after another."""
        async with async_playwright() as playwright:
            for number in range(sessions):
                instance = Instance(playwright.chromium, executable)
                await instance.launch()
                self._instances.append(instance)
                self._free.append(number)
            yield

    async def get(self, _: Request) -> Response:
        """Lease a browser."""
        if not self._free:
            raise HTTPException(503, "no capacity")
        return JSONResponse({"instance_id": self._free.pop()})

    async def reset(self, request: Request) -> Response:
        """End a lease and relaunch the browser."""
        number = int(request.query_params["instance_id"])
        await self._instances[number].launch()
        self._free.append(number)
        return JSONResponse({"status": "success"})

    async def screenshot(self, request: Request) -> Response:
        """Return a screenshot of the viewport."""
        image = await self._instances[int(request.query_params["instance_id"])].screenshot()
        return Response(image, media_type="image/png")

    async def execute(self, request: Request) -> Response:
        """Run the command in a body of the form `{"instance_id": …, "<command>": {arguments}}`."""
        body: dict[str, Any] = json.loads(await request.body())
        instance = self._instances[int(body.pop("instance_id"))]
        command, given = next(iter(body.items()))
        return JSONResponse(await instance.execute(command, given))

    def application(self) -> Starlette:
        routes = [
            Route("/get", self.get, methods=["POST"]),
            Route("/reset", self.reset, methods=["POST"]),
            Route("/screenshot", self.screenshot),
            Route("/execute", self.execute, methods=["POST"]),
        ]
        return Starlette(routes=routes, exception_handlers={Error: _failed})


async def _failed(_: Request, error: Exception) -> Response:
    return JSONResponse({"status": "error", "message": str(error)}, status_code=500)


async def _serve(sessions: int, executable: str) -> None:
    pool = Pool()
    async with pool.launched(sessions, executable):
        listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        server = uvicorn.Server(uvicorn.Config(pool.application(), log_level="warning", lifespan="off"))
        host, port = listener.getsockname()
        sys.stdout.write(f"{host}:{port}\n")
        sys.stdout.flush()
        await server.serve(sockets=[listener])


def main() -> None:
    """Serve until terminated."""
    parser = argparse.ArgumentParser()
    parser.add_argument("sessions", type=int)
    parser.add_argument("executable")
    given = parser.parse_args()
    die_with_parent()
    anyio.run(_serve, given.sessions, given.executable)


if __name__ == "__main__":
    main()
