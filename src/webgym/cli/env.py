"""`webgym env`: environments, where attempts take place."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgym.cli.failures import ExitCode

if TYPE_CHECKING:
    from webgym.run.config import RunConfig
    from webgym.run.environment_check import CheckedEnvironment

app = typer.Typer(no_args_is_help=True, help="List, show and check environments, and begin one of your own.")
Name = Annotated[str, typer.Argument(help="Its name, as `webgym env list` shows, or module:Name of your own.")]
Settings = Annotated[
    list[str] | None,
    typer.Argument(help="Settings, such as env.options.file=app.toml tasks.split=train.", show_default=False),
]
_SHOWN = 5


@app.command("list")
def list_environments() -> None:
    """List the installed environments."""
    from rich.console import Console
    from rich.table import Table

    from webgym.environments.registry import installed_environments

    table = Table("env", "made by", "of the package", box=None)
    for name, point in installed_environments().items():
        package = f"{point.dist.name} {point.dist.version}" if point.dist else ""
        table.add_row(name, point.value, package)
    Console(highlight=False).print(table)


@app.command()
def show(name: Name, settings: Settings = None) -> None:
    """Show what an environment is, the options it takes and the first of its tasks."""
    import inspect

    from rich.console import Console
    from rich.markup import escape

    from webgym.environments.registry import maker_of
    from webgym.errors import ConfigError
    from webgym.run.environment_check import first_tasks

    console = Console(highlight=False, soft_wrap=True)
    maker = maker_of(name)
    console.print(escape(inspect.getdoc(maker) or "It does not say what it is."))
    if options := _options(maker):
        console.print("\noptions: " + escape(", ".join(options)))
    try:
        lines = first_tasks(_configured(name, settings, _SHOWN), _SHOWN)
    except ConfigError as error:
        console.print(f"\nno tasks: {escape(str(error))}")
        return
    console.print("\nthe first tasks:")
    for line in lines:
        console.print(f"  {escape(line)}")


@app.command()
def check(
    name: Name,
    settings: Settings = None,
    tasks: Annotated[int, typer.Option(min=1, help="Number of tasks to check with.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print one line of JSON to standard output.")] = False,
) -> None:
    """Check that an environment keeps its promises, with real browsers.

    A reset leads back to the same bytes, doing nothing succeeds at no task, an
    oracle at all, attempts at the same time do not influence each other, forks
    start equal and part, verdicts cover every fact.
    """
    import anyio
    import msgspec
    from rich.console import Console
    from rich.markup import escape

    from webgym.cli.setup import ensure_ready

    ensure_ready()
    from webgym.run.environment_check import CheckedRule, check_environment

    console = Console(stderr=as_json, highlight=False, soft_wrap=True)
    signs = {"passed": "[green]passed[/]", "failed": "[red]failed[/]", "not offered": "[dim]not offered[/]"}

    def told(rule: CheckedRule) -> None:
        detail = f": {escape(rule.detail)}" if rule.detail else ""
        console.print(f"{signs[rule.outcome]}  {rule.name}{detail}  [dim]{rule.seconds:.1f} s[/]")

    found = anyio.run(check_environment, _configured(name, settings, tasks), told)
    console.print(_summary(found))
    if as_json:
        print(msgspec.json.encode(found).decode())
    if not found.passed:
        raise typer.Exit(ExitCode.FAILURES)


@app.command()
def init(
    name: Annotated[str, typer.Argument(help="Name of the environment, such as notes.")],
    folder: Annotated[Path | None, typer.Option(help="Where to write it; by default a folder of its name.")] = None,
) -> None:
    """Write a package with a small environment that passes `webgym env check`, to begin with."""
    from webgym.environments.template import write_template

    written = write_template(name, folder or Path(name))
    print(f"written to {written}. Next:\n  pip install -e {written}\n  webgym env check {name}")


def _configured(name: str, settings: list[str] | None, count: int) -> RunConfig:
    from webgym.run.load import load_config

    few: dict[str, object] = {"env": {"use": name}, "tasks": {"count": count}, "browser": {"sessions": 4}}
    return load_config(None, [few, *(settings or [])])


def _options(maker: object) -> list[str]:
    import inspect

    if not callable(maker):
        return []
    empty = inspect.Parameter.empty
    parameters = inspect.signature(maker).parameters.values()
    return [
        f"{parameter.name}" if parameter.default is empty else f"{parameter.name}={parameter.default!r}"
        for parameter in parameters
    ]


def _summary(found: CheckedEnvironment) -> str:
    reset = "" if found.reset_seconds is None else f", resetting it {1000 * found.reset_seconds:.0f} ms"
    return (
        f"{found.name}: {'passed' if found.passed else 'failed'} with {found.tasks} tasks. Opening took "
        f"{found.open_seconds:.1f} s with a fleet, preparing an attempt {1000 * found.prepare_seconds:.0f} ms{reset}"
    )
