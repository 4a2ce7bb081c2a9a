"""`webgym view`: stored runs as a web page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    import socket

PORT = 7300


def view(
    folder: Path = typer.Argument(Path("runs"), metavar="[RUN|ROOT]", help="A run's folder, or one that holds runs."),
    port: int = typer.Option(PORT, help="Port of the page on this machine; 0 takes any free one."),
    open_browser: bool = typer.Option(True, "--open/--no-open", help="Open the page in the browser of this machine."),
) -> None:
    """Look at stored runs: what the agent saw and did, why it failed, and how two runs differ."""
    import anyio

    from webgym.cli.setup import ensure_ready
    from webgym.errors import ConfigError
    from webgym.serving.listen import bind

    ensure_ready(browser=False)
    if not folder.is_dir():
        raise ConfigError(f"there is no folder {folder}; name a run's folder, or one that holds runs")
    sock = bind("127.0.0.1", port)
    anyio.run(_view, folder, sock, open_browser, backend_options={"use_uvloop": True})


async def _view(folder: Path, sock: socket.socket, open_browser: bool) -> None:
    import os
    import secrets
    import signal

    import anyio

    from webgym.serving.listen import Server
    from webgym.viewer.app import viewer_app

    token = secrets.token_urlsafe(24)
    link = f"http://127.0.0.1:{sock.getsockname()[1]}/?token={token}"
    server = Server(viewer_app(folder, token=token))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(server.serve_on, sock)
        _tell(folder, link, sock.getsockname()[1])
        if open_browser and "SSH_CONNECTION" not in os.environ:
            tasks.start_soon(_open, link)
        with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async for _ in signals:
                server.should_exit = True
                break


def _tell(folder: Path, link: str, port: int) -> None:
    import getpass
    import os

    from rich.console import Console

    from webgym.serving.pages import tunnel_command

    console = Console(highlight=False, soft_wrap=True)
    console.print(f"[green]ready[/]  {link}", markup=True)
    tunnel = tunnel_command(port, os.environ.get("SSH_CONNECTION", ""), getpass.getuser())
    if tunnel:
        console.print(f"first, on your own machine:  [bold]{tunnel}[/]")
    console.print(f"[dim]runs in {folder}; Control-C ends it[/]")


async def _open(link: str) -> None:
    """Ask for a browser; a machine without one has the link."""
    import shutil
    import webbrowser

    import anyio.to_thread

    if shutil.which("xdg-open") or shutil.which("open"):
        await anyio.to_thread.run_sync(webbrowser.open, link, abandon_on_cancel=True)
