"""Ways to travel: what each calls its departures, its fares and its operators."""

from __future__ import annotations

from functools import cache

from webgym_hermetic.kit.data import Table, read_table


class FareWords(Table, frozen=True):
    """One class of travel, as sold."""

    id: str
    name: str
    percent: int
    """Price against the cheapest."""
    bags: int
    kilos: tuple[int, ...]
    """What one piece of luggage may weigh: one of these."""
    change_fee: tuple[int, ...]
    """In whole units of money: one of these."""
    refundable: bool


class Mode(Table, frozen=True):
    """A way to travel."""

    id: str
    one: str
    many: str
    title: str
    icon: str
    picture: str
    stop: str
    """A place where it calls: airport, station."""
    operators: tuple[str, ...]
    codes: tuple[str, ...]
    fares: tuple[FareWords, ...]
    speed: float
    """Minutes for each unit of distance on the map."""
    base: int
    """Minutes that every journey takes."""
    price: float
    """Units of money for each unit of distance."""


class Modes(Table, frozen=True):
    """All ways to travel."""

    modes: tuple[Mode, ...]


@cache
def modes() -> dict[str, Mode]:
    """Return the ways to travel by id."""
    return {mode.id: mode for mode in read_table(__name__, Modes).modes}
