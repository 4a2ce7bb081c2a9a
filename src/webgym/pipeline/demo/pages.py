"""Pages that outlive the training: curves and stored attempts. The monitor is the training's own."""

from __future__ import annotations

import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from webgym.curves.about import About
from webgym.curves.file import read
from webgym.curves.serve import serve_curves
from webgym.pipeline.train.folders import Folders
from webgym.records.base import Record
from webgym.serving import listen
from webgym.viewer.app import viewer_app

_HOST = "127.0.0.1"


class Page(Record, frozen=True):
    """One that a person can open."""

    name: str
    url: str
    """With its token."""
    port: int


@asynccontextmanager
async def serve_pages(folder: Path, about: About) -> AsyncGenerator[tuple[Page, Page]]:
    """Curves and viewer of a run while the block lasts, whether the run is there already or not."""
    curve = Folders(folder).curve
    async with (
        serve_curves(lambda: read(curve), about=about) as curves,
        _viewer(folder) as viewer,
    ):
        yield Page("curves", curves.url, curves.port), viewer


@asynccontextmanager
async def _viewer(folder: Path) -> AsyncGenerator[Page]:
    token = secrets.token_urlsafe(24)
    sock = listen.bind(_HOST, 0)
    port: int = sock.getsockname()[1]
    server = listen.Server(viewer_app(folder, token=token))

    async def serve() -> None:
        with anyio.CancelScope(shield=True):  # it ends by `should_exit`, within its own grace period
            await server.serve_on(sock)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(serve)
        try:
            yield Page("viewer", f"{listen.url_of(_HOST, port, tls=False)}/?token={token}", port)
        finally:
            server.should_exit = True
