"""The wishlist and the comparison."""

from __future__ import annotations

from webgym_hermetic.families.shop.family import FAMILY
from webgym_hermetic.families.shop.records import Product, World
from webgym_hermetic.family import Page, Reply, Visit


@FAMILY.get("/wishlist")
def wishlist(visit: Visit) -> Reply:
    world: World = visit.world
    return Page("wishlist.html", "Your wishlist", {"products": [world.by_sku[sku] for sku in visit.state.wished]})


@FAMILY.get("/compare")
def compare(visit: Visit) -> Reply:
    world: World = visit.world
    products = [world.by_sku[sku] for sku in visit.state.compared]
    return Page("compare.html", "Compare products", {"products": products, "rows": _rows(world, products)})


def _rows(world: World, products: list[Product]) -> list[tuple[str, list[str]]]:
    """Every attribute that one of them has."""
    labels = list(dict.fromkeys(label for product in products for label, _ in product.specs if label != "Item number"))
    specs = [dict(product.specs) for product in products]
    return [
        (world.maker_label, [product.brand for product in products]),
        ("In stock", ["Yes" if product.stock else "No" for product in products]),
        ("Delivery", [f"{product.days[0]} to {product.days[1]} working days" for product in products]),
        *((label, [spec.get(label, "\u2013") for spec in specs]) for label in labels),
    ]
