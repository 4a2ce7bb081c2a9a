"""Names of people and places."""

from __future__ import annotations

from functools import cache

from webgym.rng import Rng
from webgym_hermetic.families.shop.records import Address
from webgym_hermetic.kit.data import Table, read_table


class ShopNames(Table, frozen=True):
    """Names of people and places."""

    first: tuple[str, ...]
    last: tuple[str, ...]
    streets: tuple[str, ...]
    cities: tuple[str, ...]
    areas: tuple[str, ...]


@cache
def shop_names() -> ShopNames:
    return read_table(__name__, ShopNames)


def person(rng: Rng) -> str:
    return f"{rng.pick(shop_names().first)} {rng.pick(shop_names().last)}"


def phone(rng: Rng) -> str:
    return f"555-{rng.between(201, 989)}-{rng.between(1000, 9899)}"


def street(rng: Rng) -> str:
    return f"{rng.between(2, 189)} {rng.pick(shop_names().streets)}"


def address(rng: Rng, recipient: str = "") -> Address:
    return Address(recipient or person(rng), street(rng), rng.pick(shop_names().cities), str(rng.between(10200, 98900)))
