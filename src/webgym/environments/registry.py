"""Finds environments: installed ones by name, one's own by import path."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from importlib.metadata import EntryPoint
from typing import Any

from webgym.errors import ConfigError
from webgym.imports import imported, instance_of
from webgym.plugins import ENVIRONMENTS, brought, loaded, remedy
from webgym.stages import Environment


def installed_environments() -> Mapping[str, EntryPoint]:
    """Return the entry points of all installed environments by name."""
    return brought(ENVIRONMENTS)


def environment_named(use: str, options: Mapping[str, Any] | None = None) -> Environment:
    """Return the environment of this name or import path, made with these options.

    Raises:
        ConfigError: There is none, it cannot be imported, it is not an environment, or takes other options.
    """
    where = f"env.use = {use!r}"
    try:
        return instance_of(maker_of(use), where, Environment, **(options or {}))
    except TypeError as error:
        raise ConfigError(f"{where} does not take these env.options: {error}") from error


def maker_of(use: str) -> Any:
    """Return what makes the environment of this name or import path.

    Raises:
        ConfigError: There is none, or it cannot be imported.
    """
    return imported(use, "env.use") if ":" in use else _loaded(use)


def _loaded(name: str) -> Any:
    known = installed_environments()
    if name not in known and (missing := remedy(ENVIRONMENTS, name)):
        raise ConfigError(f"the environment {name!r} is not installed: {missing}")
    if name not in known:
        close = difflib.get_close_matches(name, known, n=1)
        meant = f"did you mean {close[0]!r}? " if close else ""
        raise ConfigError(
            f"there is no environment {name!r}: {meant}installed are {', '.join(known)}; one's own goes by its import "
            "path, module:Name"
        )
    return loaded(known[name])
