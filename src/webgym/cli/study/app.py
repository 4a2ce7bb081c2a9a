"""`webgym study`: the list of its commands."""

from __future__ import annotations

import typer

from webgym.cli.study import run, show

app = typer.Typer(no_args_is_help=True, help="Studies: ways of learning against each other, over seeds.")
app.command("run")(run.run)
app.command("show")(show.show)
