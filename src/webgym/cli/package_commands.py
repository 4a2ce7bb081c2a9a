"""Commands of other installed packages, which are imported when they are asked for."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command, get_group

from webgym.cli.switches import without_types
from webgym.errors import ConfigError
from webgym.plugins import COMMANDS, beside, brought, loaded, remedy


class PackageCommands(TyperGroup):
    """A group of commands to which packages add theirs."""

    prefix = ""
    """What the names of its commands begin with among all that packages bring."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands, those of packages last."""
        named = (name for name in brought(COMMANDS) if name.startswith(self.prefix))
        below = [name.removeprefix(self.prefix) for name in named]
        return [*super().list_commands(ctx), *(name for name in below if "." not in name)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command; one that only fails if its package cannot be imported, or is not installed."""
        own = super().get_command(ctx, cmd_name)
        return _brought(self.prefix + cmd_name) if own is None else own


class JudgeCommands(PackageCommands):
    """The group of `webgym judge`."""

    prefix = "judge."


def _brought(name: str) -> Any:
    point = brought(COMMANDS).get(name)
    if point is None:
        missing = f"webgym {name.replace('.', ' ')} is not installed: {remedy(COMMANDS, name)}"
        return _failing(missing) if name in beside(COMMANDS) else None
    try:
        found = loaded(point)
    except ConfigError as error:  # one broken package should not break the help of all commands
        return _failing(str(error))
    if isinstance(found, typer.Typer):
        command: Any = get_group(found)
    else:
        alone = typer.Typer(add_completion=False)
        alone.command()(found)
        command = get_command(alone)
    command.name = name.rpartition(".")[2]
    return without_types(command)


def _failing(message: str) -> Any:
    alone = typer.Typer(add_completion=False)

    @alone.command(
        help=message,
        add_help_option=False,
        context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
    )
    def fail(_context: typer.Context) -> None:  # pyright: ignore[reportUnusedFunction] (Typer has registered it)
        raise ConfigError(message)

    return get_command(alone)
