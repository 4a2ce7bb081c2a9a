"""Cities that could be: names, the countries they lie in and what a visitor asks about them."""

from __future__ import annotations

from functools import cache

from webgym_hermetic.kit.data import Table, read_table


class Country(Table, frozen=True):
    """Where invented cities lie. Names that are alike stand side by side."""

    name: str
    currency: str
    language: str
    cities: tuple[str, ...]


class Places(Table, frozen=True):
    """Countries, and what their cities have."""

    countries: tuple[Country, ...]
    districts: tuple[str, ...]
    streets: tuple[str, ...]
    sights: tuple[str, ...]
    dishes: tuple[str, ...]
    blurbs: tuple[str, ...]


@cache
def known_places() -> Places:
    return read_table(__name__, Places)


MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
