"""AReaL and torch, found when they are needed: neither is a dependency of this part."""

from __future__ import annotations

import importlib
import importlib.metadata
from typing import Any

from webgym.errors import ConfigError

VERSION = "1.0.4"
"""Of AReaL, that this was written for and is tested against. Others differ in what they want of a workflow."""


def areal(module: str) -> Any:
    """A module of AReaL: `areal("api.io_struct")`.

    Raises:
        ConfigError: It is not installed, or is another version.
    """
    check_version()
    return _module(f"areal.{module}")


def torch() -> Any:
    """The package.

    Raises:
        ConfigError: It is not installed.
    """
    return _module("torch")


def check_version() -> None:
    """Raise `ConfigError` unless AReaL is here, in the version that this was written for."""
    try:
        found = importlib.metadata.version("areal")
    except importlib.metadata.PackageNotFoundError:
        raise ConfigError(f"this needs AReaL: install areal=={VERSION}, as docs/areal.md says") from None
    if found != VERSION:
        raise ConfigError(f"AReaL {found} is installed, and this was written for {VERSION}: see docs/areal.md")


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise ConfigError(f"{name} cannot be imported ({error}): see docs/areal.md") from error
