"""A monitor served over HTTP, and clients of it."""

from __future__ import annotations

import io
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import aiohttp
import anyio
import msgspec
from PIL import Image

from webgym.monitor.board import Board
from webgym.monitor.notice import Notice
from webgym.monitor.serve import serve_monitor
from webgym.monitor.wire import BoardFacts, Update
from webgym.records.observation import address_of
from webgym.records.trajectory import Step
from webgym.serving.page_server import ServedPage


@dataclass
class Watched:
    """A board with a server, pictures and stored steps."""

    board: Board
    server: ServedPage
    pictures: dict[str, bytes] = field(default_factory=dict)
    steps: dict[str, tuple[Step, ...]] = field(default_factory=dict)

    @property
    def notice(self) -> Notice:
        return Notice(self.server.url, 0, "")

    @property
    def address(self) -> str:
        return self.notice.address

    def add_picture(self, colour: str) -> str:
        """A screenshot of one colour; its address."""
        data = io.BytesIO()
        Image.new("RGB", (64, 40), colour).save(data, "JPEG")
        address = address_of(data.getvalue())
        self.pictures[address] = data.getvalue()
        return address


@asynccontextmanager
async def watched(board: Board | None = None, run: str = "a run", **options) -> AsyncGenerator[Watched]:
    board = board or Board()
    pictures: dict[str, bytes] = {}
    steps: dict[str, tuple[Step, ...]] = {}
    reading = {"screenshot": pictures.get, "steps": lambda attempt: steps.get(attempt, ())}
    async with serve_monitor(board, about=BoardFacts(run), **(reading | options)) as server:
        yield Watched(board, server, pictures, steps)


@asynccontextmanager
async def http(seen: Watched, token: str | None = None) -> AsyncGenerator[aiohttp.ClientSession]:
    """A client with the monitor's token, or another."""
    given = seen.notice.token if token is None else token
    headers = {"Authorization": f"Bearer {given}"} if given else {}
    async with aiohttp.ClientSession(seen.address, headers=headers, read_bufsize=2**24) as session:
        yield session


async def updates(reply: aiohttp.ClientResponse) -> AsyncIterator[tuple[str, Update]]:
    """Id and update of every event."""
    number = ""
    async for line in reply.content:
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if name == "id":
            number = value
        elif name == "data":
            yield number, msgspec.json.decode(value, type=Update)


async def first_update(session: aiohttp.ClientSession, last_id: str = "") -> tuple[str, Update]:
    headers = {"Last-Event-ID": last_id} if last_id else {}
    with anyio.fail_after(30):
        async with session.get("/api/events", headers=headers) as reply:
            async for found in updates(reply):
                return found
    raise AssertionError("the stream ended")
