"""Help of switches: they take no value, so none is named after them."""

from __future__ import annotations

from typing import Any

import typer


def without_types(command: Any) -> Any:
    """Return a command whose help, and that of the commands below it, names no type after a switch."""
    for option in command.get_params(typer.Context(command)):
        if getattr(option, "is_flag", False) and option.metavar is None:
            option.metavar = ""
    for below in getattr(command, "commands", {}).values():
        without_types(below)
    return command
