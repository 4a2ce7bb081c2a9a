"""`webgym demo`: the whole of WebGym on this machine, offline, with what it saw saved to look at."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from webgym.browser.client import BrowserClient
    from webgym.records.observation import Capture

_SESSIONS = 4
_SEED = 7


def demo(
    out: Path = typer.Option(Path("runs/demo"), help="Folder for what the sessions saw."),
) -> None:
    """Start a fleet and websites on this machine, drive real sessions, save what they saw."""
    import anyio

    from webgym.cli.setup import ensure_ready

    ensure_ready()
    out.mkdir(parents=True, exist_ok=True)
    anyio.run(_demo, out)


async def _demo(out: Path) -> None:
    import time

    import anyio
    from rich.console import Console

    from webgym.bench.delays import Delay
    from webgym.bench.pages.server import serve_pages
    from webgym.browser.client import connect
    from webgym.browser.config import ChromiumConfig, EgressConfig, GatewayConfig, NodeConfig
    from webgym.browser.server.supervise import run_fleet

    console = Console(highlight=False, soft_wrap=True)
    started = time.perf_counter()
    async with serve_pages(_SEED, Delay(0.0, 0.0)) as pages:
        chromium = ChromiumConfig(egress=EgressConfig(allow=(pages.host,)))
        node = NodeConfig(max_sessions=_SESSIONS, chromium=chromium)
        async with run_fleet(GatewayConfig(port=0), [node], log_style="quiet") as fleet:
            await fleet.wait_ready()
            console.print(f"fleet   {fleet.url}  ready after {time.perf_counter() - started:.1f} s")
            console.print(f"website {pages.url('/shop')}")
            started = time.perf_counter()
            steps: list[Capture] = []
            async with connect(fleet.url, token=fleet.token) as browser, anyio.create_task_group() as tasks:
                for number in range(_SESSIONS):
                    tasks.start_soon(_visit, browser, pages.url("/shop"), number, out, steps, console)
            seconds = time.perf_counter() - started
    console.print(f"[green]done[/]    {len(steps)} steps of {_SESSIONS} sessions in {seconds:.1f} s; see {out}/")


async def _visit(
    browser: BrowserClient, url: str, number: int, out: Path, steps: list[Capture], console: Console
) -> None:
    """One session: look, click something by its mark, scroll, go back. Each session clicks something else."""
    from webgym.records.action import Action, Back, Click, MarkRef, Scroll
    from webgym.records.session import Look, SessionSpec

    async with browser.open(SessionSpec(start_url=url)) as session:
        first = await session.step(None, Look(marks=True))
        products = [mark.mark for mark in first.observation.marks or () if mark.role == "link" and mark.box.y > 150]
        plan: list[Action] = [Click(MarkRef(products[number % len(products)])), Scroll(dy=400), Back()]
        _save(first, out / f"session-{number}-step-0.jpg")
        steps.append(first)
        for index, action in enumerate(plan, 1):
            capture = await session.step(action, Look(marks=True))
            steps.append(capture)
            _save(capture, out / f"session-{number}-step-{index}.jpg")
            console.print(_line(number, index, type(action).__name__, capture))


def _line(number: int, index: int, action: str, capture: Capture) -> str:
    seen = capture.observation
    effect = type(seen.effect).__name__.lower()
    marks = len(seen.marks or ())
    milliseconds = 1000 * (seen.timings.acted + seen.timings.settled + seen.timings.captured)
    return (
        f"session {number} step {index}  {action:<7} {effect:<9} {milliseconds:4.0f} ms  {marks:3d} marks"
        f"  {seen.title!r}  {seen.url}"
    )


def _save(capture: Capture, path: Path) -> None:
    shown = capture.observation.labelled or capture.observation.screenshot
    if shown is not None:
        path.write_bytes(capture.blobs[shown.address])
