"""`webgym sites`: the hermetic websites that ship with the package."""

from __future__ import annotations

import enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgym.cli.failures import ExitCode
from webgym.cli.outputs import new_file, new_folder

if TYPE_CHECKING:
    from webgym_hermetic.checks.jobs import Kind, Scope
    from webgym_hermetic.checks.report import Report

app = typer.Typer(no_args_is_help=True, help="Serve, list, inspect and check the hermetic websites.")


class Split(enum.StrEnum):
    """The split a site belongs to."""

    TRAIN = "train"
    VALIDATION = "validation"
    TEST = "test"
    TEST_STRUCTURE = "test_structure"


PerFamily = Annotated[int, typer.Option("--sites", min=1, help="Number of sites per family.")]
FamilyNames = Annotated[list[str], typer.Option("--family", help="Only this family; repeatable.")]


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address the sites listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port of all sites; 0 picks a free port.")] = 4300,
    control_host: Annotated[str, typer.Option(help="Address the control plane listens on.")] = "127.0.0.1",
    control_port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port of the control plane; 0 picks a free port.")
    ] = 4301,
    per_family: PerFamily = 50,
    family: FamilyNames = [],  # noqa: B006
) -> None:
    """Serve the hermetic websites to a browser or a fleet, until Ctrl-C.

    The root of the port is an index: every site with its picture and its tasks.
    """
    import os
    import signal

    import anyio
    from rich.console import Console

    from webgym.browser.tokens import load_tokens
    from webgym.cli.setup import ensure_ready

    ensure_ready(browser=False)
    from webgym_hermetic.catalogue import sites
    from webgym_hermetic.serve import serve_sites

    chosen = tuple(sites(per_family, _families(family)))
    token = os.environ.get("WEBGYM_TOKEN") or load_tokens().client

    async def run() -> None:
        console = Console(highlight=False, soft_wrap=True)
        async with serve_sites(
            chosen, token=token, host=host, port=port, control_host=control_host, control_port=control_port, index=True
        ) as server:
            if tunnel := _tunnel(server.port):
                console.print(f"on your own machine: {tunnel}", markup=False)
            console.print(f"{len(chosen)} sites, all with their tasks: {server.index}", markup=False)
            console.print(f"one of them: {server.url(chosen[0].name)}", markup=False)
            console.print(f"control plane {server.control_url}", markup=False)
            console.print("Ctrl-C stops the server")
            with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
                async for _ in signals:
                    return

    anyio.run(run, backend_options={"use_uvloop": True})


def _tunnel(port: int) -> str:
    """Return the command that brings the sites to the user's own browser; empty unless they are connected by SSH."""
    import getpass
    import os

    from webgym.serving.pages import tunnel_command

    connection = os.environ.get("SSH_CONNECTION", "")
    return tunnel_command(port, connection, getpass.getuser()) if connection else ""


@app.command("list")
def list_sites(
    per_family: PerFamily = 50,
    family: FamilyNames = [],  # noqa: B006
    split: Annotated[Split | None, typer.Option(help="Only sites of this split.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one line of JSON per site.")] = False,
) -> None:
    """List every site with its family, structure and split."""
    import msgspec

    from webgym_hermetic.catalogue import sites

    chosen = [one for one in sites(per_family, _families(family)) if split in (None, one.split)]
    if json:
        for one in chosen:
            typer.echo(msgspec.json.encode(one).decode())
        return
    rows = [(one.name, one.brand, f"{one.family}-{one.number}", one.structure, one.shell, one.split) for one in chosen]
    rows.insert(0, ("site", "brand", "family", "structure", "shell", "split"))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        typer.echo("  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())


@app.command()
def show(
    site: Annotated[str, typer.Argument(help="Site name, or family and number, such as shop-7.")],
    tasks: Annotated[int, typer.Option(min=0, help="Number of tasks to show.")] = 10,
    json: Annotated[bool, typer.Option("--json", help="Print the tasks as JSON Lines.")] = False,
) -> None:
    """Show a site's seeded properties and its first tasks."""
    import msgspec
    from rich.console import Console

    from webgym_hermetic.catalogue import site_named
    from webgym_hermetic.tasks.generate import tasks_of

    found = site_named(site)
    if json:
        for task in tasks_of(found, tasks):
            typer.echo(msgspec.json.encode(task).decode())
        return
    console = Console(highlight=False)
    console.print(f"[bold]{found.brand}[/]  http://{found.name}.localhost")
    for name, value in msgspec.to_builtins(found).items():
        console.print(f"  {name:<10} {value}")
    for task in tasks_of(found, tasks):
        console.print(f"\n[bold]{task.task_id}[/]  {task.template}, {task.level}, {task.difficulty} facts")
        console.print(f"  {task.instruction}", markup=False)
        for group in task.rubric:
            for fact in group.facts:
                console.print(f"  {group.id}. {fact}", markup=False)


@app.command()
def gallery(
    out: Annotated[Path, typer.Option(callback=new_folder, help="Folder for the page and its screenshots.")] = Path(
        "runs/gallery"
    ),
    per_family: PerFamily = 50,
    family: FamilyNames = [],  # noqa: B006
    sessions: Annotated[int, typer.Option(min=1, help="Concurrent browser sessions.")] = 8,
) -> None:
    """Write an HTML page with screenshots of every site at both viewport sizes."""
    import anyio
    from rich.console import Console

    from webgym.cli.setup import ensure_ready
    from webgym_hermetic.checks.gallery import make_gallery

    ensure_ready()
    with Console(stderr=True).status("starting") as status:

        def told(done: int, of: int) -> None:
            status.update(f"{done}/{of} pictures")

        page = anyio.run(
            make_gallery,
            out,
            _families(family),
            per_family,
            sessions,
            told,
            backend_options={"use_uvloop": True},
        )
    typer.echo(f"see {page}")


@app.command()
def check(
    everything: Annotated[
        bool, typer.Option("--all", help="Check every family, and count and hash all tasks.")
    ] = False,
    per_family: PerFamily = 50,
    family: FamilyNames = [],  # noqa: B006
    site: Annotated[str, typer.Option(help="Only this site.")] = "",
    template: Annotated[str, typer.Option(help="Only this task template.")] = "",
    only: Annotated[
        list[str], typer.Option(help="Only this kind of agent: oracle, perturbed, spoiled, noop or random; repeatable.")
    ] = [],  # noqa: B006
    sites_per_template: Annotated[int, typer.Option(min=1, help="Sites to check each task template on.")] = 3,
    random_episodes: Annotated[int, typer.Option(min=0, help="Episodes of the random agent.")] = 300,
    sessions: Annotated[int, typer.Option(min=1, help="Concurrent browser sessions.")] = 16,
    log: Annotated[
        Path | None, typer.Option(callback=new_file, help="File to log every attempt to, as JSON Lines.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print the result as one line of JSON.")] = False,
) -> None:
    """Check that oracles solve the tasks and that faulty, idle and random agents do not, in real browsers."""
    import msgspec

    from webgym.cli.setup import ensure_ready
    from webgym.errors import ConfigError
    from webgym_hermetic.catalogue import site_named
    from webgym_hermetic.checks.jobs import KINDS, Scope

    if not everything and not family and not site:
        raise ConfigError("choose what to check: --all, --family NAME or --site NAME")
    chosen = site_named(site) if site else None
    scope = Scope(
        families=(chosen.family,) if chosen else _families(family),
        per_family=max(per_family, chosen.number + 1) if chosen else per_family,
        kinds=_kinds(only) or KINDS,
        sites_per_template=1 if chosen else sites_per_template,
        random_episodes=random_episodes if everything else min(random_episodes, 30),
        template=template,
        site=chosen,
    )
    ensure_ready()
    report = _run_check(scope, sessions, log, census=everything)
    if json:
        typer.echo(msgspec.json.encode(report.as_json()).decode())
    if report.failures:
        raise typer.Exit(ExitCode.FAILURES)


def _run_check(scope: Scope, sessions: int, log: Path | None, *, census: bool) -> Report:
    import anyio
    from rich.console import Console

    from webgym_hermetic.checks.run import run_check

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    with console.status("starting") as status:
        return anyio.run(run_check, scope, sessions, log, census, console, status, backend_options={"use_uvloop": True})


def _families(names: list[str]) -> tuple[str, ...]:
    from webgym_hermetic.registry import FAMILIES, family

    return tuple(family(name).name for name in names) or FAMILIES


def _kinds(names: list[str]) -> tuple[Kind, ...]:
    from webgym.errors import ConfigError
    from webgym_hermetic.checks.jobs import KINDS

    unknown = [name for name in names if name not in KINDS]
    if unknown:
        raise ConfigError(f"--only takes {', '.join(KINDS)}, not {unknown[0]!r}")
    return tuple(kind for kind in KINDS if kind in names)
