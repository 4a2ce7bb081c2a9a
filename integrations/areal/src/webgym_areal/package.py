"""Imports AReaL and torch lazily: neither is a dependency of this package."""

from __future__ import annotations

import importlib
import importlib.metadata
from typing import Any

from webgym.errors import ConfigError

VERSION = "1.0.4"
"""The AReaL version that this is written for and tested against. Others differ in what they require of a workflow."""


def areal(module: str) -> Any:
    """Import a module of AReaL: `areal("api.io_struct")`.

    Raises:
        ConfigError: AReaL is not installed, or in another version.
    """
    check_version()
    return _module(f"areal.{module}")


def torch() -> Any:
    """Import torch.

    Raises:
        ConfigError: torch is not installed.
    """
    return _module("torch")


def check_version() -> None:
    """Raise `ConfigError` unless the supported version of AReaL is installed."""
    try:
        found = importlib.metadata.version("areal")
    except importlib.metadata.PackageNotFoundError:
        raise ConfigError(f"this needs AReaL: install areal=={VERSION}, as docs/areal.md says") from None
    if found != VERSION:
        raise ConfigError(f"AReaL {found} is installed, but {VERSION} is required: see docs/areal.md")


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        raise ConfigError(f"{name} cannot be imported ({error}): see docs/areal.md") from error
