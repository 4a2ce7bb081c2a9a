"""`webgym tasks`: the list of its commands."""

from __future__ import annotations

import typer

from webgym.cli.tasks import bring, show

app = typer.Typer(
    no_args_is_help=True,
    help="Task sets: bring tasks in, clean and split them, look at them, draw from them.",
)
app.command("import")(bring.bring)
app.command("sources")(bring.sources)
app.command("show")(show.show)
