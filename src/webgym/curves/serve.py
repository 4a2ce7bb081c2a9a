"""Serves live curves from within the training process, on a port of its own."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from starlette.types import ASGIApp

from webgym.curves.about import RunFacts
from webgym.curves.app import ReadAbout, ReadIterations, curves_app
from webgym.serving.page_server import ServedPage, bind_page, serve_page


@asynccontextmanager
async def serve_curves(
    iterations: ReadIterations, *, about: RunFacts | ReadAbout, port: int = 0, option: str = "--curves-port"
) -> AsyncGenerator[ServedPage]:
    """Serve a curve for the duration of the block. The page polls for updates.

    `iterations` may also read a file that another process writes: `lambda: read(path)`; so may `about`. `option` names
    the CLI option to suggest if the port is taken.

    Raises:
        ConfigError: The port is taken.
    """

    def app(token: str) -> ASGIApp:
        return curves_app(iterations, about=about, token=token)

    async with serve_page("curves", app, bind_page(port, option)) as page:
        yield page
