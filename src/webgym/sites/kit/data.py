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


def read_table(package: str, name: str, kind: type[T]) -> T:
    """Read `<name>.toml` of a package as a record. Callers keep what they read: a file is read once."""
    text = (files(package) / f"{name}.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), kind)
