"""Lazy imports of pyarrow, which stores task sets as columns."""

from __future__ import annotations

import functools
import importlib
from typing import Any

from webgym.errors import ConfigError


@functools.cache
def arrow() -> Any:
    """The `pyarrow` module.

    Raises:
        ConfigError: It is not installed.
    """
    return _module("pyarrow")


@functools.cache
def compute() -> Any:
    """The `pyarrow.compute` module."""
    return _module("pyarrow.compute")


@functools.cache
def parquet() -> Any:
    """The `pyarrow.parquet` module."""
    return _module("pyarrow.parquet")


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError:
        raise ConfigError("task sets need pyarrow: pip install '.[tasks]' in a clone of WebGym") from None
