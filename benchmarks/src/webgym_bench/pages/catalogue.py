"""Synthetic products and orders of the shop, the same in every run."""

from __future__ import annotations

import random
from dataclasses import dataclass

CATEGORIES = ("Lighting", "Kitchen", "Seating", "Bags", "Plants", "Clocks", "Books", "Audio")
PRODUCTS_PER_CATEGORY = 25
ORDERS = 40
FIRST_ORDER = 1001

_THINGS = {
    "Lighting": ("Lamp", "Lantern", "Desk Light", "Pendant", "Reading Light"),
    "Kitchen": ("Mug", "Teapot", "Pitcher", "Cup", "Jar"),
    "Seating": ("Chair", "Stool", "Armchair", "Bench", "Rocker"),
    "Bags": ("Tote", "Satchel", "Rucksack", "Duffel", "Pouch"),
    "Plants": ("Fern", "Ficus", "Palm", "Cactus", "Ivy"),
    "Clocks": ("Wall Clock", "Alarm Clock", "Mantel Clock", "Timer", "Desk Clock"),
    "Books": ("Notebook", "Sketchbook", "Journal", "Atlas", "Cookbook"),
    "Audio": ("Speaker", "Radio", "Turntable", "Headphones", "Soundbar"),
}
_WORDS = (
    "Alder",
    "Birch",
    "Cedar",
    "Dune",
    "Elm",
    "Flint",
    "Grove",
    "Heath",
    "Isle",
    "Juniper",
    "Kelp",
    "Larch",
    "Moss",
)
_MATERIALS = ("Oak and brass", "Recycled steel", "Stoneware", "Linen and leather", "Beech", "Cork and glass")
_NAMES = ("A. Moreau", "B. Okafor", "C. Lindqvist", "D. Tanaka", "E. Novak", "F. Castillo", "G. Brandt", "H. Mensah")
_STATES = ("Packing", "Shipped", "Delivered")


@dataclass(frozen=True)
class Product:
    """A product of the shop."""

    id: int
    name: str
    category: str
    price: int
    """In cents."""
    stars: int
    reviews: int
    material: str


@dataclass(frozen=True)
class Order:
    """An order in the order list."""

    id: int
    name: str
    date: str
    state: str
    items: tuple[int, ...]
    total: int
    """In cents."""


def products() -> tuple[Product, ...]:
    """Return 200 products. Neighbours are of different categories, as on a real front page."""
    draw = random.Random("products")  # noqa: S311  nothing secret
    made: list[Product] = []
    for number in range(PRODUCTS_PER_CATEGORY * len(CATEGORIES)):
        category = CATEGORIES[number % len(CATEGORIES)]
        name = f"{draw.choice(_WORDS)} {_THINGS[category][number // len(CATEGORIES) % 5]}"
        made.append(
            Product(
                id=number + 1,
                name=name,
                category=category,
                price=draw.randrange(900, 18_000, 50),
                stars=draw.randint(3, 5),
                reviews=draw.randint(3, 900),
                material=draw.choice(_MATERIALS),
            )
        )
    return tuple(made)


def orders(shelf: tuple[Product, ...]) -> tuple[Order, ...]:
    """Return 40 orders of a few products each."""
    draw = random.Random("orders")  # noqa: S311  nothing secret
    made: list[Order] = []
    for number in range(ORDERS):
        items = draw.sample(shelf, draw.randint(2, 4))
        made.append(
            Order(
                id=FIRST_ORDER + number,
                name=draw.choice(_NAMES),
                date=f"2025-06-{number % 28 + 1:02d}",
                state=draw.choice(_STATES),
                items=tuple(item.id for item in items),
                total=sum(item.price for item in items),
            )
        )
    return tuple(made)
