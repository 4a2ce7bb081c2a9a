"""Names of people."""

from __future__ import annotations

from functools import cache

from webgym.rng import Rng
from webgym_hermetic.kit.data import Table, read_table


class ReaderNames(Table, frozen=True):
    """Names of people."""

    first: tuple[str, ...]
    last: tuple[str, ...]


@cache
def _names() -> ReaderNames:
    return read_table(__name__, ReaderNames)


def person(rng: Rng) -> str:
    """A first and a last name."""
    return f"{rng.pick(_names().first)} {rng.pick(_names().last)}"


def people(rng: Rng, count: int) -> list[str]:
    """So many people, no two of whom share a last name."""
    return [f"{rng.pick(_names().first)} {last}" for last in rng.sample(_names().last, count)]


def name_id(name: str) -> str:
    """A name as part of an address."""
    return "-".join("".join(char if char.isalnum() else " " for char in name.lower().replace("\u2019", "")).split())
