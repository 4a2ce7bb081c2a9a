"""Which tasks there are, which resemble each other, and which are for tests."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

SPLITS = ("train", "test")


@dataclass(frozen=True, slots=True)
class Kind:
    """One of MiniWoB's tasks, of which every seed makes another instance."""

    name: str
    group: str
    """Tasks of a group resemble each other."""
    split: str
    enough: float
    """The page's reward from which on an instance counts as accomplished."""


@cache
def kinds() -> dict[str, Kind]:
    """Return all tasks by name."""
    table = tomllib.loads((files("webgym_miniwob") / "groups.toml").read_text("utf-8"))
    found = [
        Kind(name, group, split, table["enough"].get(name, 1.0))
        for split in SPLITS
        for group, names in table[split].items()
        for name in names
    ]
    return {kind.name: kind for kind in sorted(found, key=lambda one: one.name)}


def groups() -> frozenset[str]:
    """Return the names of all groups."""
    return frozenset(kind.group for kind in kinds().values())
