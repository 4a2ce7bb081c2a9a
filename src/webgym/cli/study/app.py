"""`webgym study`: the command group."""

from __future__ import annotations

import typer

from webgym.cli.study import run, show

app = typer.Typer(no_args_is_help=True, help="Compare ways of training over several seeds.")
app.command("run")(run.run)
app.command("show")(show.show)
