"""Tables of words and names, from TOML files beside the modules that draw from them."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import TypeVar

import msgspec

from webgym.records.base import Record

T = TypeVar("T", bound="Table")


class Table(Record, frozen=True, forbid_unknown_fields=True):
    """What a data file, or a part of one, holds. A misspelt name in the file is an error, not a default."""


def read_table(address: str, kind: type[T]) -> T:
    """Read a file by its dotted address: `a.b.c` is `c.toml` in the package `a.b`.

    Callers keep what they read, so that a file is read once, and only where something of it is drawn.
    """
    package, _, name = address.rpartition(".")
    text = (files(package) / f"{name}.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), kind)
