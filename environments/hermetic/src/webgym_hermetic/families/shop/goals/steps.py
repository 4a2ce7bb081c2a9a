"""Ways that several goals go: to a product, to a page, into the cart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from webgym.records.observation import Element
from webgym_hermetic import controls
from webgym_hermetic.families.shop.goals.best import Best
from webgym_hermetic.families.shop.records import Product, World
from webgym_hermetic.families.shop.state import Line, State, in_cart
from webgym_hermetic.view import Bring, Home, Intent, Tap, View

_UNASKED = ("dismiss:cookies", "dismiss:promo")
"""What covers a page without having been opened."""
NARROWING = ("brand", "colour", "price", "rating", "stock", "sort")


def link(view: View, path: str) -> Tap | None:
    """A tap on the link to this path that takes the least to get at."""
    found = [element for element in view.elements if element.href == path and view.can_be_shown(element)]
    return Tap(min(found, key=lambda element: _effort(view, element))) if found else None


def tap(view: View, *keys: str) -> Tap | None:
    """A tap on the first of these that is on the page and can be got at."""
    found = (view.find(key) for key in keys)
    return next((Tap(element) for element in found if element and view.can_be_shown(element)), None)


def _effort(view: View, element: Element) -> int:
    if element.point is not None:
        return 0
    opener = view.find(element.via) if element.via else None
    if not element.shown:
        return 1 if opener is not None and (opener.point is not None or opener.cover) else 4
    return 2 if element.cover and _in_sight(element) else 3


def _in_sight(element: Element) -> bool:
    return 0 <= element.box.y <= 300


def walk(view: View, *trail: str) -> Intent:
    """Towards the last of these pages, each of which has a link to the next."""
    for path in reversed(trail):
        if path != view.path and (found := link(view, path)):
            return found
    return link(view, "/") or Home()


def at_hand(view: View, path: str) -> Tap | None:
    """A tap on a link to this path that is in sight or in a menu whose button is."""
    found = link(view, path)
    return found if found and _effort(view, found.element) <= 2 else None


def to_product(view: View, product: Product) -> Intent:
    """Towards a product's page: a link in sight or in this list, else the search."""
    listing = view.path == "/search" or view.path.startswith("/category/")
    if found := link(view, product.path) if listing else at_hand(view, product.path):
        return found
    if view.path == "/search" and view.query.get("q") == product.name and (more := controls.further(view)):
        return more
    return controls.search(view, product.name) or walk(view, f"/category/{product.category}")


def look_late(view: View, key: str, part: str) -> Intent | None:
    """The same for what is in a part of the page that comes late: wait there until it has come."""
    if view.find(key) is not None:
        return look(view, key)
    place = view.find(part)
    if place is None:
        return None
    return Bring(place) if place.shown else tap(view, place.via)


def look(view: View, key: str) -> Intent | None:
    """Bring something into sight; None if it is, or is not on this page, or lies behind what was opened to move on."""
    element = view.find(key)
    if element is None or element.point is not None:
        return None
    if not element.shown:
        return tap(view, element.via) if element.via else None
    if element.cover:
        return tap(view, element.cover) if element.cover in _UNASKED else None
    return Bring(element)


def through_list(view: View, best: Best) -> Intent:
    """Towards the page of a described product, by way of the filtered list."""
    listed = filter_list(view, best.path, best.query()) or link(view, f"/product/{best.sku}")
    return listed or to_product(view, view.world.by_sku[best.sku])


def fill_cart(view: View, lines: Sequence[Line], ways: Sequence[Best] = ()) -> Intent | None:
    """Towards a cart with exactly these lines; None when it has them. Described products are found in their lists."""
    world: World = view.world
    state: State = view.state
    for line in lines:
        if in_cart(state, line.key) is None:
            way = next((one for one in ways if one.sku == line.sku), None)
            return _add(view, world.by_sku[line.sku], line, way)
    wanted = {line.key: line for line in lines}
    for there in state.cart:
        if there.key not in wanted:
            return tap(view, f"do:remove:{there.key}") or walk(view, "/cart")
        quantity = wanted[there.key].quantity
        if there.quantity != quantity:
            name = f"quantity-{there.key}"
            return controls.count(view, name, quantity) or tap(view, f"submit:line-{there.key}") or walk(view, "/cart")
    return None


def _add(view: View, product: Product, line: Line, way: Best | None) -> Intent:
    if view.path != product.path:
        return through_list(view, way) if way else to_product(view, product)
    return (
        controls.choose(view, "option", line.option)
        or controls.count(view, "quantity", line.quantity)
        or tap(view, "submit:add")
        or walk(view, "/")
    )


def filter_list(view: View, path: str, wanted: Mapping[str, str]) -> Intent | None:
    """Towards a category filtered and sorted so; None when it is."""
    if view.path != path:
        return walk(view, path)
    wrong = [name for name in NARROWING if view.query.get(name, "") != wanted.get(name, "")]
    if not wrong:
        return None
    for name in wrong:
        if found := tap(view, f"filter:{name}={wanted.get(name, '')}"):
            return found
    for name in NARROWING:
        value = wanted.get(name, "")
        step = controls.switch(view, name, on=bool(value)) if name == "stock" else controls.choose(view, name, value)
        if step:
            return step
    return tap(view, "submit:filters") or walk(view, path)
