"""One product: looking at it, putting it into the cart, onto the wishlist or beside others."""

from __future__ import annotations

from typing import Any

from webgym.rng import Rng
from webgym_hermetic.families.shop.family import FAMILY
from webgym_hermetic.families.shop.records import Product, World
from webgym_hermetic.families.shop.reviews import Review, reviews_of
from webgym_hermetic.families.shop.state import MOST_COMPARED, Line, State, in_cart, most_of
from webgym_hermetic.family import Event, Go, Missing, Page, Reply, Visit

_SWITCHES = {
    "wish": ("wish", True, "Added to your wishlist"),
    "unwish": ("wish", False, "Removed from your wishlist"),
    "compare": ("compare", True, "Added to the comparison"),
    "uncompare": ("compare", False, "Removed from the comparison"),
    "alert": ("alert", True, "We will write to you when it is back"),
    "unalert": ("alert", False, "You will not hear from us about this product"),
}


@FAMILY.get("/product/{sku}")
def product_page(visit: Visit, sku: str) -> Reply:
    world: World = visit.world
    return _page(visit, world.by_sku[sku], {}) if sku in world.by_sku else Missing()


@FAMILY.get("/product/{sku}/reviews")
def reviews_part(visit: Visit, sku: str) -> Reply:
    world, state = visit.world, visit.state
    if sku not in world.by_sku:
        return Missing()
    product: Product = world.by_sku[sku]
    context = {"product": product, "reviews": shown_reviews(world, state, product)}
    return Page("reviews.html", product.name, context, part=True)


@FAMILY.post("/product/{sku}")
def product_form(visit: Visit, sku: str) -> Reply:
    world, state = visit.world, visit.state
    if sku not in world.by_sku:
        return Missing()
    product: Product = world.by_sku[sku]
    wanted = visit.form.get("do", "add")
    if wanted == "add":
        return _add(visit, product)
    if wanted not in _SWITCHES:
        return _page(visit, product, {})
    name, on, notice = _SWITCHES[wanted]
    if wanted == "compare" and sku not in state.compared and len(state.compared) >= MOST_COMPARED:
        return Go("/compare", notice=f"You can compare {MOST_COMPARED} products at most: remove one first")
    back = visit.form.get("back", "")
    return Go(back if back.startswith("/") else product.path, (Event(name, {"sku": sku, "on": on}),), notice)


def _add(visit: Visit, product: Product) -> Reply:
    state: State = visit.state
    text = visit.form.get("quantity", "1").strip()
    option = visit.form.get("option", "")
    errors: dict[str, str] = {}
    if product.option and option not in product.option.values:
        errors["option"] = f"Please choose: {product.option.label.lower()}"
    elif product.option and option in product.option.gone:
        errors["option"] = f"{option} is sold out"
    most = most_of(product)
    if not most:
        errors["quantity"] = "This product is out of stock"
    elif not text.isdecimal() or not 1 <= int(text) <= most:
        errors["quantity"] = f"Please enter a number from 1 to {most}"
    if errors:
        return _page(visit, product, errors)
    line = Line(product.sku, option if product.option else "", int(text))
    there = in_cart(state, line.key)
    if there and there.quantity + line.quantity > most:
        return _page(visit, product, {"quantity": f"You have {there.quantity} in your cart and can buy {most} at most"})
    event = Event("add", {"sku": line.sku, "option": line.option, "quantity": line.quantity})
    return Go(
        "/cart" if visit.site.structure in ("classic", "catalog") else product.path, (event,), "Added to your cart"
    )


def _page(visit: Visit, product: Product, errors: dict[str, str]) -> Page:
    world: World = visit.world
    state: State = visit.state
    first = next((one for one in product.option.values if one not in product.option.gone), "") if product.option else ""
    others = [one for one in world.listed(product.category) if one.line != product.line]
    context: dict[str, Any] = {
        "product": product,
        "category": world.by_slug[product.category],
        "variants": world.by_line[product.line],
        "related": Rng("related", world.seed, product.sku).sample(others, 4),
        "errors": errors,
        "option": visit.form.get("option", first),
        "quantity": visit.form.get("quantity", "1"),
        "most": max(1, most_of(product)),
        "wished": product.sku in state.wished,
        "compared": product.sku in state.compared,
        "alerted": product.sku in state.alerts,
    }
    return Page("product.html", product.name, context)


def shown_reviews(world: World, state: State, product: Product) -> list[Review]:
    """The visitor's own review, if there is one, and those of others."""
    own = [one for one in state.reviews if one.sku == product.sku]
    mine = [Review("You", one.stars, one.title, one.body, world.today) for one in own]
    return [*mine, *reviews_of(world, product)]
