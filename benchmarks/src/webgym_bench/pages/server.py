"""The page server: `python -m webgym_bench.pages.server SEED MEAN SIGMA`.

It prints the address it listens on to standard output.
"""

from __future__ import annotations

import argparse
import socket
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio
import uvicorn

from webgym.serving.parent_death import die_with_parent
from webgym_bench.child import announced, child
from webgym_bench.delays import Delay
from webgym_bench.pages.pictures import draw_all
from webgym_bench.pages.site import Site

START_SECONDS = 30.0


@dataclass(frozen=True)
class Pages:
    """A running page server."""

    host: str
    pid: int

    def url(self, path: str) -> str:
        """Return an absolute URL on the server."""
        return f"http://{self.host}{path}"


@asynccontextmanager
async def serve_pages(seed: int, latency: Delay) -> AsyncGenerator[Pages]:
    """Run the page server for the duration of the block."""
    command = [sys.executable, "-m", __name__, str(seed), str(latency.mean), str(latency.sigma)]
    async with child(command) as process:
        yield Pages(await announced(process, START_SECONDS), process.pid)


def main() -> None:
    """Serve until terminated."""
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", type=int)
    parser.add_argument("mean", type=float)
    parser.add_argument("sigma", type=float)
    given = parser.parse_args()
    die_with_parent()
    anyio.run(_serve, given.seed, Delay(given.mean, given.sigma))


async def _serve(seed: int, latency: Delay) -> None:
    draw_all()
    listener = socket.create_server(("127.0.0.1", 0), backlog=512)
    server = uvicorn.Server(
        uvicorn.Config(Site(seed, latency), log_level="warning", lifespan="off", timeout_keep_alive=30)
    )
    host, port = listener.getsockname()
    sys.stdout.write(f"{host}:{port}\n")
    sys.stdout.flush()
    await server.serve(sockets=[listener])


if __name__ == "__main__":
    main()
