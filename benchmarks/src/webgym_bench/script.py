"""The scripted episode: eight steps from the shop's front page to a placed order.

Click targets are fixed because every box on the pages has a fixed size at 1280 by 768. The expected state after each
step is known because the pages count the changes they have completed.
"""

from __future__ import annotations

from dataclasses import dataclass

from webgym.records.action import Action, Click, Navigate, Point, Scroll, TypeText
from webgym_bench.pages.catalogue import FIRST_ORDER, ORDERS, PRODUCTS_PER_CATEGORY, products
from webgym_bench.pages.server import Pages

CATEGORY = "Lighting"
ROWS_SCROLLED = 2
ROW_PITCH = 332
COLUMNS = 4

_FILTER = Point(140, 222)
_GRID_MIDDLE = Point(760, 400)
_ADD_BUTTON = Point(646, 456)
_PICTURE = Point(890, 276)
_PICTURE_COLUMN = 2
_CHECKOUT = Point(940, 370)
_EMAIL = Point(600, 248)
_ORDER_ROW = Point(300, 460)
_ORDER_PLACE = 3


@dataclass(frozen=True)
class Move:
    """One step of the episode: its action, and the title and path expected afterwards."""

    name: str
    action: Action
    step: int
    title: str
    path: str


def episode(pages: Pages, visit: int) -> tuple[Move, ...]:
    """Return the moves, which are the same for every system. The page server seeds its delays with `visit`."""
    shelf = [product for product in products() if product.category == CATEGORY]
    product = shelf[ROWS_SCROLLED * COLUMNS + _PICTURE_COLUMN]
    order = FIRST_ORDER + _ORDER_PLACE
    email = TypeText("robin@example.com", _EMAIL, submit=True)
    scroll = Scroll(dy=ROWS_SCROLLED * ROW_PITCH, target=_GRID_MIDDLE)
    moves: tuple[tuple[str, Action, str, str], ...] = (
        ("navigate", Navigate(pages.url(f"/shop?e={visit}")), "Shop: 200 products", "/shop"),
        ("filter", Click(_FILTER), f"Shop: {PRODUCTS_PER_CATEGORY} products", "/shop"),
        ("scroll", scroll, f"Shop: at {ROWS_SCROLLED * ROW_PITCH}", "/shop"),
        ("add", Click(_ADD_BUTTON), "Cart: 1, 9 left", "/shop"),
        ("product", Click(_PICTURE), product.name, f"/product/{product.id}"),
        ("checkout", Click(_CHECKOUT), "Checkout", "/checkout"),
        ("submit", email, f"Orders: {ORDERS}", "/orders"),
        ("order", Click(_ORDER_ROW), f"Order {order}", f"/orders/{order}"),
    )
    return tuple(
        Move(name, action, step, f"{step} · {label}", path)
        for step, (name, action, label, path) in enumerate(moves, start=1)
    )
