"""A viewer on a free port, as `webgym view` runs it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio

from webgym.run.training.stored_trainings import StoredTrainings
from webgym.serving.listen import SocketServer, bind
from webgym.viewer.app import viewer_app
from webgym.viewer.labelling import Labeller

TOKEN = "the-token-of-the-viewer"
SECRET = "the-secret-of-who-labels"


@dataclass(frozen=True)
class Served:
    """Where it is."""

    port: int

    @property
    def base(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def link(self, hash_: str = "#/") -> str:
        return f"{self.base}/?token={TOKEN}{hash_}"

    def label_link(self, hash_: str = "#/") -> str:
        return f"{self.base}/?token={TOKEN}&label={SECRET}{hash_}"


@asynccontextmanager
async def viewing(root: Path, who: str = "") -> AsyncGenerator[Served]:
    """The runs under this folder, viewed while the block lasts; labelled if it says by whom."""
    labeller = Labeller(who, SECRET) if who else None
    server = SocketServer(viewer_app(root, token=TOKEN, labeller=labeller, trainings=StoredTrainings()))
    sock = bind("127.0.0.1", 0)
    port = sock.getsockname()[1]
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(server.serve_on, sock)
        try:
            yield Served(port)
        finally:
            server.should_exit = True
