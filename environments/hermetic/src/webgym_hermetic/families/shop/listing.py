"""Finding products: filters, sorting, search."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from webgym_hermetic.families.shop.records import Product, World

FILTERS = ("brand", "colour", "price", "rating", "stock")
SORTS = (
    ("", "Featured"),
    ("price-up", "Price: low to high"),
    ("price-down", "Price: high to low"),
    ("rating", "Best rated"),
    ("reviews", "Most reviewed"),
    ("name", "Name A to Z"),
)
RATINGS = (("4.5", "4.5 and up"), ("4", "4 and up"), ("3.5", "3.5 and up"))
PER_PAGE = 8
_WORDS = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Band:
    """Prices from `low` up to, not including, `high`; no limit if 0."""

    key: str
    label: str
    low: int
    high: int

    def holds(self, price: int) -> bool:
        return self.low <= price and (not self.high or price < self.high)


def bands(world: World) -> tuple[Band, ...]:
    """The price bands of the shop's filters."""
    cuts = [cents // 100 for cents in world.bands]
    return (
        Band(f"under-{cuts[0]}", f"Under ${cuts[0]}", 0, cuts[0] * 100),
        *(Band(f"{low}-{high}", f"${low} to ${high}", low * 100, high * 100) for low, high in pairwise(cuts)),
        Band(f"over-{cuts[-1]}", f"${cuts[-1]} and over", cuts[-1] * 100, 0),
    )


def band(world: World, key: str) -> Band | None:
    return next((one for one in bands(world) if one.key == key), None)


def chosen(world: World, products: Iterable[Product], query: Mapping[str, str]) -> list[Product]:
    """The products that pass the filters, sorted as asked."""
    prices = band(world, query.get("price", ""))
    least = _stars(query.get("rating", ""))
    kept = [
        product
        for product in products
        if query.get("brand", "") in ("", product.brand)
        and query.get("colour", "") in ("", product.colour)
        and (prices is None or prices.holds(product.price))
        and product.rating >= least
        and (not query.get("stock") or product.stock)
    ]
    return ordered(kept, query.get("sort", ""))


def ordered(products: Iterable[Product], sort: str) -> list[Product]:
    match sort:
        case "price-up":
            return sorted(products, key=lambda one: (one.price, one.name))
        case "price-down":
            return sorted(products, key=lambda one: (-one.price, one.name))
        case "rating":
            return sorted(products, key=lambda one: (-one.rating, -one.reviews, one.name))
        case "reviews":
            return sorted(products, key=lambda one: (-one.reviews, one.name))
        case "name":
            return sorted(products, key=lambda one: one.name)
        case _:
            return list(products)


def found(world: World, text: str) -> list[Product]:
    """Products for a search, best matches first: all the words if any product has them all, else the most of them."""
    words = _WORDS.findall(text.lower())
    if not words:
        return []
    scored: list[tuple[int, int, Product]] = []
    for place, product in enumerate(world.products):
        name = _WORDS.findall(product.name.lower())
        about = {*name, *_WORDS.findall(f"{product.brand} {product.colour} {product.category} {product.kind}".lower())}
        hits = sum(any(known.startswith(word) for known in about) for word in words)
        if hits:
            exact = 1000 if name == words else 100 if name[: len(words)] == words else 0
            scored.append((-(exact + hits), place, product))
    best = [one for one in scored if -one[0] % 100 == len(words)]
    fewer = [one for one in scored if -one[0] % 100 >= max(len(words) - 1, 1)]
    return [product for _, _, product in sorted(best or fewer, key=lambda one: one[:2])]


def values(products: Sequence[Product], name: str) -> list[str]:
    """What there is to filter by."""
    return sorted({getattr(product, name) for product in products})


def paged(products: Sequence[Product], page: str) -> tuple[Sequence[Product], int, int]:
    """One page of products, its number, and how many there are."""
    pages = max(1, -(-len(products) // PER_PAGE))
    number = min(max(int(page) if page.isdecimal() else 1, 1), pages)
    return products[(number - 1) * PER_PAGE : number * PER_PAGE], number, pages


def _stars(text: str) -> int:
    try:
        return int(float(text) * 10)
    except ValueError:
        return 0
