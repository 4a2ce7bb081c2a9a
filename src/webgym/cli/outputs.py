"""Callbacks of output options: fail before any work is done if the output cannot be written."""

from __future__ import annotations

from pathlib import Path

import typer

from webgym.errors import ConfigError
from webgym.files import hindrance


def new_file(param: typer.CallbackParam, path: Path | None) -> Path | None:
    """Check an option or argument that names an output file.

    Raises:
        ConfigError: The file cannot be written.
    """
    return _checked(param, path, folder=False)


def new_folder(param: typer.CallbackParam, path: Path | None) -> Path | None:
    """Check an option or argument that names an output folder. Whether it may exist is up to the command.

    Raises:
        ConfigError: The folder cannot be written to.
    """
    return _checked(param, path, folder=True)


def _checked(param: typer.CallbackParam, path: Path | None, *, folder: bool) -> Path | None:
    if path is not None and (why := hindrance(path, folder=folder)):
        name = param.opts[0]
        named = name if name.startswith("-") else name.upper()  # help shows arguments in upper case
        raise ConfigError(f"cannot write {path}: {why}; choose another {named}")
    return path
