"""`webgym status`: show the nodes, sessions and load of a fleet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from webgym.browser.wire import FleetStatus


def status(
    url: str = typer.Option("", envvar="WEBGYM_URL", help="URL of the gateway. Default: this machine's."),
    token: str = typer.Option("", envvar="WEBGYM_TOKEN", help="The fleet's client token."),
    authority: str = typer.Option("", help="Certificate authority file to verify the gateway with."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object."),
) -> None:
    """Show the nodes, sessions and load of a browser fleet."""
    import anyio
    import msgspec
    from rich.console import Console

    from webgym.browser.client import connect

    async def ask() -> FleetStatus:
        async with connect(url, token=token, authority=authority) as browser:
            return await browser.status()

    fleet = anyio.run(ask)
    if as_json:
        print(msgspec.json.encode(fleet).decode())
        return
    console = Console(highlight=False, emoji=False)
    console.print(table_of(fleet))
    summary = f"{fleet.sessions} of {fleet.capacity} sessions in use, {fleet.waiting} waiting"
    console.print(f"{summary}  (webgym {fleet.version})")


def table_of(fleet: FleetStatus) -> Table:
    """Return a table with a row per node. Names and URLs are escaped: addresses may contain brackets."""
    from rich.markup import escape
    from rich.table import Column, Table

    folded = [Column(name, overflow="fold") for name in ("node", "url")]
    table = Table(*folded, "sessions", "free", "workers", "load/core", "free MB", "heard", box=None)
    for node in fleet.nodes:
        load = node.load
        cells = (escape(node.node), escape(node.url), f"{node.sessions}/{node.capacity}", node.free, load.workers)
        table.add_row(*map(str, (*cells, load.cpu_per_core, load.free_megabytes, f"{node.silent_seconds:.1f} s ago")))
    return table
