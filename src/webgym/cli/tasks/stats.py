"""`webgym tasks stats`: summarise a task set."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from webgym.cli.outputs import new_file
from webgym.cli.tasks.options import AsJson, SetNames, joined


def stats(
    names: SetNames,
    page: Annotated[Path | None, typer.Option(callback=new_file, help="HTML file to write plots to.")] = None,
    json: AsJson = False,
) -> None:
    """Summarise a task set: levels, domains, websites, sources, licences.

    For example: webgym tasks stats webgym:train --page stats.html
    """
    import msgspec

    from webgym.tasks.stats.figures import figures_of
    from webgym.tasks.stats.page import write_page
    from webgym.tasks.stats.text import told

    figures = figures_of(joined(names))
    if page is not None:
        write_page(page, figures)
    if json:
        typer.echo(msgspec.json.encode(figures).decode())
        return
    typer.echo(told(figures))
    if page is not None:
        typer.echo(f"\npage written to {page}")
