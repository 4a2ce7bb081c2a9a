"""Serve all sites from one process: pages on one port, the control plane on another."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from webgym.concurrency import background
from webgym.records.base import Record
from webgym.serving import listen
from webgym_hermetic.app import SitesApp
from webgym_hermetic.control.app import control_app
from webgym_hermetic.index.app import Index
from webgym_hermetic.site import Site
from webgym_hermetic.states import States


class SitesServer(Record, frozen=True):
    """Addresses of a running sites server."""

    host: str
    port: int
    """Port shared by all sites: `http://NAME.localhost:PORT`."""
    control_url: str

    def url(self, site: str, path: str = "/") -> str:
        return f"http://{site}.localhost:{self.port}{path}"

    @property
    def index(self) -> str:
        """Address of the index, if it is served."""
        return f"http://localhost:{self.port}/"

    @property
    def hermetic(self) -> dict[str, str]:
        """Value for `EgressConfig.hermetic`: lets a node's proxy reach the sites, with or without a port in the URL."""
        address = f"{self.host}:{self.port}"
        return {f"*.localhost:{self.port}": address, "*.localhost:80": address}


@asynccontextmanager
async def serve_sites(
    sites: Sequence[Site],
    *,
    token: str,
    host: str = "127.0.0.1",
    port: int = 0,
    control_host: str = "127.0.0.1",
    control_port: int = 0,
    index: bool = False,
) -> AsyncGenerator[SitesServer]:
    """Serve these sites for the duration of the context, with an index of them for people if wanted.

    Raises:
        ConfigError: A port is already in use.
    """
    states = States()
    pages_socket = listen.bind(host, port)
    control_socket = listen.bind(control_host, control_port, "--control-port", "--control-host")
    pages_port: int = pages_socket.getsockname()[1]
    app = SitesApp(sites, states, Index(sites) if index else None)
    pages = listen.SocketServer(app)
    control = listen.SocketServer(control_app({one.name: one for one in sites}, states, token, pages_port))
    url = listen.url_of(control_host, control_socket.getsockname()[1], tls=False)
    async with background() as tasks:
        tasks.start_soon(pages.serve_on, pages_socket)
        tasks.start_soon(control.serve_on, control_socket)
        try:
            yield SitesServer(host, pages_port, url)
        finally:
            app.close()
            pages.should_exit = control.should_exit = True
