"""Options that name what is written: callbacks that tell, before any work is done, that it cannot be."""

from __future__ import annotations

from pathlib import Path

import typer

from webgym.errors import ConfigError
from webgym.files import hindrance


def new_file(param: typer.CallbackParam, path: Path | None) -> Path | None:
    """Of an option or argument that names a file.

    Raises:
        ConfigError: It cannot be written.
    """
    return _checked(param, path, folder=False)


def new_folder(param: typer.CallbackParam, path: Path | None) -> Path | None:
    """Of one that names a folder. Whether it may be there already is the command's own matter.

    Raises:
        ConfigError: Nothing can be written there.
    """
    return _checked(param, path, folder=True)


def _checked(param: typer.CallbackParam, path: Path | None, *, folder: bool) -> Path | None:
    if path is not None and (why := hindrance(path, folder=folder)):
        name = param.opts[0]
        named = name if name.startswith("-") else name.upper()  # arguments are shown like this
        raise ConfigError(f"cannot write {path}: {why}; choose another {named}")
    return path
