"""`webgym judge`: the list of its commands."""

from __future__ import annotations

import typer

from webgym.cli.judge import calibrate, compare, labelled, run

app = typer.Typer(
    no_args_is_help=True,
    help="Judges: judge a stored run again with another judge, and see how far judges can be trusted.",
)
app.command("run")(run.run)
app.command("compare")(compare.compare)
app.command("calibrate")(calibrate.calibrate)
app.command("import")(labelled.bring)
app.command("collect")(labelled.collect)
