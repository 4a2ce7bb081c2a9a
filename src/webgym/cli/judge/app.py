"""`webgym judge`: the command group."""

from __future__ import annotations

import typer

from webgym.cli.judge import calibrate, compare, labelled, run
from webgym.cli.package_commands import JudgeCommands

app = typer.Typer(
    cls=JudgeCommands,
    no_args_is_help=True,
    help="Judge stored runs again, and compare and calibrate judges.",
)
app.command("run")(run.run)
app.command("compare")(compare.compare)
app.command("calibrate")(calibrate.calibrate)
app.command("import")(labelled.bring)
