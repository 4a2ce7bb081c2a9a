"""`webgym view`: serve the trajectory viewer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from webgym.cli.completions import run_names

if TYPE_CHECKING:
    import socket

    from starlette.types import ASGIApp

    from webgym.viewer.labelling import Labeller

PORT = 7300


def view(
    folder: Path = typer.Argument(
        Path("runs"),
        metavar="[RUN|ROOT]",
        help="A run, by name or folder, or a folder of runs.",
        autocompletion=run_names,
    ),
    port: int | None = typer.Option(
        None, min=0, max=65535, help=f"Port to serve on. Default: {PORT}, or any free port if it is taken."
    ),
    open_browser: bool = typer.Option(True, "--open/--no-open", help="Open the viewer in this machine's browser."),
    label: bool = typer.Option(
        False, "--label", help="Allow labelling, to overrule verdicts; labels are stored in each run's labels.jsonl."
    ),
    who: str = typer.Option("", "--as", metavar="NAME", help="Name to label as. Default: your user name."),
) -> None:
    """Serve the trajectory viewer for stored runs.

    Shows what the agent saw and did, why it failed, and how two runs differ.
    The viewer is read-only unless started with --label. Then facts and attempts
    can be labelled under Verdict, and `webgym judge calibrate` measures the
    judge against these labels.
    """
    import anyio

    from webgym.cli.setup import ensure_ready
    from webgym.errors import ConfigError

    if who and not label:
        raise ConfigError("--as names the labeller and needs --label")
    ensure_ready(browser=False)
    labeller = _labeller(who) if label else None
    anyio.run(_view, _found(folder), _bound(port), open_browser, labeller, backend_options={"use_uvloop": True})


def _labeller(who: str) -> Labeller:
    import getpass
    import secrets

    from webgym.viewer.labelling import Labeller

    return Labeller(who.strip() or getpass.getuser(), secrets.token_urlsafe(24))


def _found(folder: Path) -> Path:
    from webgym.errors import ConfigError

    for place in (folder, Path("runs") / folder):
        if place.is_dir():
            return place
    raise ConfigError(f"{folder} does not exist: give a run, its folder, or a folder of runs")


def _bound(port: int | None) -> socket.socket:
    from webgym.errors import ConfigError
    from webgym.serving.page_server import bind_page

    if port is not None:
        return bind_page(port)
    try:
        return bind_page(PORT)
    except ConfigError:  # another viewer, most likely
        return bind_page(0)


async def _view(folder: Path, sock: socket.socket, open_browser: bool, labeller: Labeller | None) -> None:
    import os
    import signal

    import anyio

    from webgym.run.judging.stored_judgements import StoredJudgements
    from webgym.run.stored_trainings import StoredTrainings
    from webgym.serving.page_server import serve_page
    from webgym.viewer.app import viewer_app

    def app(token: str) -> ASGIApp:
        return viewer_app(
            folder, token=token, labeller=labeller, judgements=StoredJudgements(), trainings=StoredTrainings()
        )

    async with serve_page("viewer", app, sock) as page, anyio.create_task_group() as tasks:
        link = f"{page.url}{f'&label={labeller.secret}' if labeller else ''}{_page_of(folder)}"
        _tell(folder, link, page.tunnel, labeller)
        if open_browser and "SSH_CONNECTION" not in os.environ:
            tasks.start_soon(_open, link)
        with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
            async for _ in signals:
                break


def _page_of(folder: Path) -> str:
    """Return the fragment that opens the viewer at this run, or an empty one for a folder of runs."""
    from urllib.parse import quote

    from webgym.store.meta import META_FILE

    return f"#/run/{quote(folder.resolve().name, safe='')}" if (folder / META_FILE).exists() else ""


def _tell(folder: Path, link: str, tunnel: str, labeller: Labeller | None) -> None:
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    if tunnel:
        console.print(f"on your own machine: {tunnel}", markup=False)
    console.print(f"{'then ' if tunnel else ''}open {link}", markup=False)
    if labeller:
        shown = link.replace(f"&label={labeller.secret}", "")
        console.print(f"labelling as {labeller.who}; read-only link for others: {shown}", markup=False)
    console.print(f"showing {folder}; Ctrl-C stops the viewer", markup=False)


async def _open(link: str) -> None:
    """Open the link in a browser, if this machine has one."""
    import shutil
    import webbrowser

    import anyio.to_thread

    if shutil.which("xdg-open") or shutil.which("open"):
        await anyio.to_thread.run_sync(webbrowser.open, link, abandon_on_cancel=True)
