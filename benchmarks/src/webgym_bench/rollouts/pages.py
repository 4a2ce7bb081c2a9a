"""Light pages with simulated load times: `python -m webgym_bench.rollouts.pages CONDITIONS`.

The server prints the address it listens on to standard output.
"""

from __future__ import annotations

import socket
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio
import msgspec
import uvicorn
from starlette.types import Receive, Scope, Send

from webgym.errors import RequestError
from webgym.serving.parent_death import die_with_parent
from webgym_bench.child import announced, child
from webgym_bench.pages.server import START_SECONDS, Pages
from webgym_bench.rollouts.conditions import Conditions
from webgym_bench.rollouts.work import Work, page_path, place_of

_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Page {page}</title>
<link rel="icon" href="data:,">
<style>
  body {{ margin: 0; font: 18px/1.5 sans-serif; color: #223 }}
  a {{ position: fixed; inset: 0; padding: 60px 200px; color: inherit; text-decoration: none }}
</style>
<a href="{link}"><h1>Page {page} of attempt {attempt}</h1>{text}</a></html>"""
_TEXT = "<p>A page of words and one link, which is wherever one clicks. It asks for nothing else.</p>" * 12


class LightPages:
    """An ASGI application with one page for each step of each attempt."""

    def __init__(self, work: Work) -> None:
        self._work = work

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        del receive
        if scope["type"] != "http":
            return
        try:
            attempt, page = place_of(scope["path"])
        except RequestError:
            await _reply(send, 404, b"no such page")
            return
        await anyio.sleep(self._work.page_seconds(attempt, page))
        text = _PAGE.format(page=page, attempt=attempt, link=page_path(attempt, page + 1), text=_TEXT)
        await _reply(send, 200, text.encode())


async def _reply(send: Send, status: int, body: bytes) -> None:
    headers = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


@asynccontextmanager
async def light_pages(conditions: Conditions) -> AsyncGenerator[Pages]:
    """Run the page server for the duration of the block."""
    command = [sys.executable, "-m", __name__, msgspec.json.encode(conditions).decode()]
    async with child(command) as process:
        yield Pages(await announced(process, START_SECONDS), process.pid)


def main() -> None:
    """Serve until terminated."""
    conditions = msgspec.json.decode(sys.argv[1], type=Conditions)
    die_with_parent()
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    app = LightPages(Work(conditions))
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", lifespan="off", timeout_keep_alive=30))
    host, port = listener.getsockname()
    sys.stdout.write(f"{host}:{port}\n")
    sys.stdout.flush()
    anyio.run(server.serve, [listener])


if __name__ == "__main__":
    main()
