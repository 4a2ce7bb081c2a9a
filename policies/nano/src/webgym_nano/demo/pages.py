"""Pages that stay up after training: curves and stored attempts. The monitor belongs to the training run."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.types import ASGIApp

from webgym.curves.app import ReadAbout
from webgym.curves.file import read
from webgym.curves.serve import serve_curves
from webgym.run.folders import Folders
from webgym.run.stored_trainings import StoredTrainings
from webgym.serving.page_server import ServedPage, bind_page, serve_page
from webgym.viewer.app import viewer_app


@asynccontextmanager
async def serve_pages(folder: Path, about: ReadAbout) -> AsyncGenerator[tuple[ServedPage, ServedPage]]:
    """Serve curves and viewer of a run, which need not exist yet."""
    curve = Folders(folder).curve

    def viewer(token: str) -> ASGIApp:
        return viewer_app(folder, token=token, trainings=StoredTrainings())

    async with (
        serve_curves(lambda: read(curve), about=about) as curves,
        serve_page("viewer", viewer, bind_page(0)) as viewer_page,
    ):
        yield curves, viewer_page
