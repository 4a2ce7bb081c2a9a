"""The cart."""

from __future__ import annotations

from webgym_hermetic.families.shop.family import FAMILY
from webgym_hermetic.families.shop.records import World
from webgym_hermetic.families.shop.state import State, counts, discount, goods_price, in_cart, most_of, post_price
from webgym_hermetic.family import Event, Go, Page, Reply, Visit


@FAMILY.get("/cart")
def cart_page(visit: Visit) -> Reply:
    return _page(visit, {})


@FAMILY.post("/cart")
def cart_form(visit: Visit) -> Reply:
    state: State = visit.state
    match visit.form.get("do", ""):
        case "set":
            return _set(visit)
        case "remove" if in_cart(state, visit.form.get("line", "")):
            return Go("/cart", (Event("remove", {"line": visit.form["line"]}),), "Removed from your cart")
        case "promo":
            return _promo(visit)
        case "unpromo":
            return Go("/cart", (Event("promo", {"code": ""}),), "Promo code removed")
        case _:
            return Go("/cart")


def _set(visit: Visit) -> Reply:
    world, state = visit.world, visit.state
    line = in_cart(state, visit.form.get("line", ""))
    if line is None:
        return Go("/cart")
    text, most = visit.form.get("quantity", "").strip(), most_of(world.by_sku[line.sku])
    if not text.isdecimal() or not 1 <= int(text) <= most:
        return _page(visit, {line.key: f"From 1 to {most}"})
    return Go("/cart", (Event("set", {"line": line.key, "quantity": int(text)}),), "Cart updated")


def _promo(visit: Visit) -> Reply:
    world: World = visit.world
    text = visit.form.get("code", "").strip().upper()
    code = world.by_code.get(text)
    if not text:
        return _page(visit, {"code": "Please enter a code"})
    if code is None:
        return _page(visit, {"code": f"\u201c{text}\u201d is not a code we know"})
    if code.until < world.today:
        return _page(visit, {"code": f"{text} has expired"})
    if goods_price(world, visit.state) < code.minimum:
        return _page(visit, {"code": f"{text} needs goods for at least ${code.minimum // 100}"})
    return Go("/cart", (Event("promo", {"code": text}),), f"Promo code {text} applied")


def _page(visit: Visit, errors: dict[str, str]) -> Page:
    world: World = visit.world
    state: State = visit.state
    context = {
        "errors": errors,
        "lines": [(line, world.by_sku[line.sku]) for line in state.cart],
        "code": visit.form.get("code", ""),
        "typed": visit.form.get("quantity", ""),
        **sums(world, state, "standard"),
    }
    return Page("cart.html", "Your cart", context)


def sums(world: World, state: State, delivery: str, *, wrap: bool = False) -> dict[str, int | bool]:
    """What the cart comes to."""
    goods, off, post = goods_price(world, state), discount(world, state), post_price(world, state, delivery)
    wrapped = world.terms.wrap if wrap else 0
    return {
        "goods": goods,
        "off": off,
        "post": post,
        "wrapping": wrapped,
        "total": goods - off + post + wrapped,
        "promo_counts": counts(world, state),
    }
