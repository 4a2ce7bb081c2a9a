"""A product described rather than named: the cheapest lamp in black that is in stock."""

from __future__ import annotations

from webgym.records.base import Record
from webgym.rng import Rng
from webgym_hermetic.families.shop.listing import RATINGS, band, bands, chosen, ordered
from webgym_hermetic.families.shop.records import Product, World

ORDERS = {
    "price-up": ("cheapest", "least expensive", "lowest-priced"),
    "price-down": ("most expensive", "dearest", "highest-priced"),
    "rating": ("best-rated", "top-rated", "highest-rated"),
    "reviews": ("most reviewed", "most often reviewed", "most-reviewed"),
}


class Best(Record, frozen=True):
    """The first of a category's products by some order, after some filters."""

    sku: str
    """Which one that is."""
    category: str
    order: str
    brand: str = ""
    colour: str = ""
    price: str = ""
    """Key of a price band."""
    rating: str = ""
    stock: bool = False

    @property
    def path(self) -> str:
        return f"/category/{self.category}"

    def query(self) -> dict[str, str]:
        """The filters and the order, as the listing's address has them."""
        wanted = {"brand": self.brand, "colour": self.colour, "price": self.price, "rating": self.rating}
        return {**wanted, "stock": "on" if self.stock else "", "sort": self.order}

    def text(self, world: World, style: int = 0) -> str:
        """`the cheapest product in the Lighting category that is in stock`."""
        first = ORDERS[self.order][style % 3]
        shelf = f"the \u201c{world.by_slug[self.category].name}\u201d category"
        limits = self._limits(world)
        return f"the {first} product in {shelf}{' ' + limits if limits else ''}"

    def _limits(self, world: World) -> str:
        parts: list[str] = []
        if self.brand:
            parts.append(f"made by {self.brand}" if world.maker_label == "Brand" else f"published by {self.brand}")
        if self.colour:
            parts.append(f"in the colour {self.colour}")
        if found := band(world, self.price):
            parts.append(f"in the price range {found.label}")
        if self.rating:
            parts.append(f"rated {dict(RATINGS)[self.rating]}")
        if self.stock:
            parts.append("that is in stock")
        return ", ".join(parts)


def draw_best(rng: Rng, world: World, filters: int, *, sold: bool = False) -> Best | None:
    """A description with so many filters that fits one product only, which has rivals."""
    shelf = rng.pick(world.categories)
    goods = world.listed(shelf.slug)
    order = rng.pick(tuple(ORDERS))
    names = rng.sample(("brand", "colour", "price", "rating", "stock"), filters)
    if sold and "stock" not in names:
        names = ["stock", *names[1:]]
    example = rng.pick(goods)
    limits: dict[str, str] = {}
    for name in names:
        match name:
            case "price":
                limits[name] = next(one.key for one in bands(world) if one.holds(example.price))
            case "rating":
                limits[name] = rng.pick(("4.5", "4", "3.5"))
            case "stock":
                limits[name] = "on"
            case _:
                limits[name] = getattr(example, name)
    passed = ordered(chosen(world, goods, limits), order)
    if len(passed) < 2 or _rank(passed[0], order) == _rank(passed[1], order):
        return None
    if passed[0].sku == ordered(goods, order)[0].sku and filters:
        return None
    stock = limits.pop("stock", "") == "on"
    return Best(passed[0].sku, shelf.slug, order, stock=stock, **limits)


def _rank(product: Product, order: str) -> tuple[int, ...]:
    """What is compared, without ties broken: ratings by themselves, prices by themselves."""
    match order:
        case "rating":
            return (product.rating,)
        case "reviews":
            return (product.reviews,)
        case _:
            return (product.price,)
