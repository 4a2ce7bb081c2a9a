"""`webgym study`: the list of its commands."""

from __future__ import annotations

import typer

from webgym.cli.study import show

app = typer.Typer(no_args_is_help=True, help="Studies: ways of learning against each other, over seeds.")


@app.callback()
def studies() -> None:
    """Studies: ways of learning against each other, over seeds."""


app.command("show")(show.show)
