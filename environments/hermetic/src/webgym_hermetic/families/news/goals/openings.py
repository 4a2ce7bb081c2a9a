"""How requests to fill in a form begin."""

from __future__ import annotations

from functools import cache

from webgym_hermetic.kit.data import Table, read_table


class Openings(Table, frozen=True):
    """How requests to fill in a form begin, by form."""

    forms: dict[str, tuple[str, ...]]


@cache
def openings() -> Openings:
    return read_table(__name__, Openings)
