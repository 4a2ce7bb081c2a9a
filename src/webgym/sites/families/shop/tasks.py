"""The kinds of tasks on shops."""

from __future__ import annotations

from webgym.sites.errand import Errand
from webgym.sites.families.shop.errands.buying import FillCart, Purchase
from webgym.sites.families.shop.errands.lookup import LookUp, value_of
from webgym.sites.families.shop.people import address
from webgym.sites.families.shop.records import Product, World
from webgym.sites.families.shop.state import Line, most_of
from webgym.sites.family import Template
from webgym.sites.rng import Rng

Errands = tuple[Errand, ...]


def find_price(rng: Rng, world: World) -> Errands | None:
    topic = rng.pick(("price", "rating", "reviews", "left"))
    fitting = [product for product in world.products if value_of(product, topic)]
    return (LookUp(rng.pick(fitting).sku, topic),) if fitting else None


def cart(rng: Rng, world: World) -> Errands | None:
    return (FillCart(lines(rng, world, rng.between(1, 2))),)


def purchase(rng: Rng, world: World) -> Errands | None:
    delivery, payment = rng.pick(world.deliveries).key, rng.pick(("card", "invoice", "gift"))
    return (
        Purchase(lines(rng, world, rng.between(1, 2)), delivery, payment, address(rng) if rng.chance(0.5) else None),
    )


def lines(rng: Rng, world: World, count: int) -> tuple[Line, ...]:
    """So many products to buy, in quantities that are there."""
    sold = [product for product in world.products if most_of(product) >= 6]
    return tuple(line(rng, product) for product in rng.sample(sold, count))


def line(rng: Rng, product: Product) -> Line:
    option = ""
    if product.option:
        option = rng.pick([value for value in product.option.values if value not in product.option.gone])
    return Line(product.sku, option, rng.weighted(((1, 3), (2, 4), (3, 2), (4, 1))))


TEMPLATES = (
    Template("find-price", range(1, 2), find_price),
    Template("cart", range(2, 4), cart),
    Template("purchase", range(4, 10), purchase),
)
