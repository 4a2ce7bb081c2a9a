"""`webgym`: the command-line entry point."""

from __future__ import annotations

import sys

import typer
import typer.main

from webgym.cli import (
    attempt,
    configs,
    curves,
    doctor,
    env,
    evaluate,
    export,
    inference,
    monitor,
    rollout,
    runs,
    serve,
    setup,
    status,
    train,
    view,
)
from webgym.cli.failures import explain
from webgym.cli.judge import app as judge
from webgym.cli.package_commands import PackageCommands
from webgym.cli.study import app as study
from webgym.cli.switches import without_types
from webgym.cli.tasks import app as tasks
from webgym.version import __version__

app = typer.Typer(
    name="webgym",
    cls=PackageCommands,
    help="Train visual web agents with reinforcement learning.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
app.command("try")(attempt.attempt)
app.command("rollout")(rollout.rollout)
app.command("eval")(evaluate.evaluate)
app.command("train")(train.train)
app.command("configs")(configs.configs)
app.command("curves")(curves.curves)
app.add_typer(study.app, name="study")
app.add_typer(runs.app, name="runs")
app.command("view")(view.view)
app.command("monitor")(monitor.monitor)
app.command("export")(export.export)
app.command("serve")(serve.serve)
app.command("status")(status.status)
app.command("doctor")(doctor.doctor)
app.command("setup")(setup.setup)
app.add_typer(env.app, name="env")
app.add_typer(tasks.app, name="tasks")
app.add_typer(judge.app, name="judge")
app.add_typer(inference.app, name="inference")


def _show_version(value: bool) -> None:
    if value:
        print(f"webgym {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: bool = typer.Option(
        False, "--version", help="Show the version and exit.", callback=_show_version, is_eager=True
    ),
) -> None:
    """Train visual web agents with reinforcement learning."""


def main() -> None:
    """Run the command line; print expected errors as one line instead of a traceback."""
    try:
        without_types(typer.main.get_command(app))()
    except Exception as error:
        code = explain(error)
        if code is None:
            raise
        sys.exit(code)
