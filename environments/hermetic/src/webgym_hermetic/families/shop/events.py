"""Events of a shop, and how each changes the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from webgym.errors import SiteStateError
from webgym_hermetic.families.shop.records import Product, World
from webgym_hermetic.families.shop.state import (
    ADDRESS,
    CURRENCIES,
    MOST_COMPARED,
    PAYMENTS,
    Draft,
    Line,
    Message,
    Order,
    Return,
    Settings,
    State,
    Subscription,
    Written,
    counts,
    discount,
    draft_of,
    goods_price,
    in_cart,
    most_of,
    number_of,
    post_price,
)
from webgym_hermetic.family import Event


def _known(world: World, sku: str) -> Product:
    if sku not in world.by_sku:
        raise SiteStateError(f"there is no product {sku!r}")
    return world.by_sku[sku]


def _checked(world: World, line: Line) -> Line:
    product = _known(world, line.sku)
    allowed = product.option.values if product.option else ("",)
    if line.option not in allowed or (product.option and line.option in product.option.gone):
        raise SiteStateError(f"{line.sku} cannot be had as {line.option!r}")
    if not 1 <= line.quantity <= most_of(product):
        raise SiteStateError(f"{line.quantity} of {line.sku} cannot be had")
    return line


def _add(world: World, state: State, args: dict[str, Any]) -> State:
    new = msgspec.convert(args, Line)
    old = in_cart(state, new.key)
    if old is None:
        return _with(state, cart=(*state.cart, _checked(world, new)))
    total = min(old.quantity + new.quantity, most_of(_known(world, new.sku)))
    grown = _checked(world, Line(new.sku, new.option, total))
    return _with(state, cart=tuple(grown if line.key == new.key else line for line in state.cart))


def _set(world: World, state: State, args: dict[str, Any]) -> State:
    old = in_cart(state, args["line"])
    if old is None:
        raise SiteStateError(f"there is no {args['line']!r} in the cart")
    new = _checked(world, Line(old.sku, old.option, int(args["quantity"])))
    return _with(state, cart=tuple(new if line.key == old.key else line for line in state.cart))


def _remove(world: World, state: State, args: dict[str, Any]) -> State:
    del world
    return _with(state, cart=tuple(line for line in state.cart if line.key != args["line"]))


def _promo(world: World, state: State, args: dict[str, Any]) -> State:
    code = args["code"]
    if code and (code not in world.by_code or world.by_code[code].until < world.today):
        raise SiteStateError(f"there is no promo code {code!r}")
    return _with(state, promo=code)


def _draft(world: World, state: State, args: dict[str, Any]) -> State:
    merged = {**msgspec.to_builtins(draft_of(state)), **args}
    return _with(state, draft=_fitting(world, msgspec.convert(merged, Draft)))


def _order(world: World, state: State, args: dict[str, Any]) -> State:
    if not state.cart:
        raise SiteStateError("the cart is empty")
    how = _fitting(world, msgspec.convert(args, Draft))
    goods, off, post = goods_price(world, state), discount(world, state), post_price(world, state, how.delivery)
    order = Order(
        number=number_of(world, len(state.orders)),
        lines=state.cart,
        how=how,
        promo=state.promo if counts(world, state) else "",
        goods=goods,
        discount=off,
        post=post,
        total=goods - off + post + (world.terms.wrap if how.wrap else 0),
    )
    return _with(state, orders=(*state.orders, order), cart=(), promo="", draft=None)


def _fitting(world: World, draft: Draft) -> Draft:
    if draft.delivery not in {delivery.key for delivery in world.deliveries} or draft.payment not in PAYMENTS:
        raise SiteStateError(f"one cannot order by {draft.delivery!r} and {draft.payment!r}")
    return draft


def _wish(world: World, state: State, args: dict[str, Any]) -> State:
    sku = _known(world, args["sku"]).sku
    rest = tuple(one for one in state.wished if one != sku)
    return _with(state, wished=(*rest, sku) if args["on"] else rest)


def _compare(world: World, state: State, args: dict[str, Any]) -> State:
    sku = _known(world, args["sku"]).sku
    rest = tuple(one for one in state.compared if one != sku)
    if args["on"] and len(rest) >= MOST_COMPARED:
        raise SiteStateError(f"only {MOST_COMPARED} products can be compared")
    return _with(state, compared=(*rest, sku) if args["on"] else rest)


def _review(world: World, state: State, args: dict[str, Any]) -> State:
    new = msgspec.convert(args, Written)
    if not 1 <= new.stars <= 5:
        raise SiteStateError("reviews have one to five stars")
    others = tuple(one for one in state.reviews if one.sku != _known(world, new.sku).sku)
    return _with(state, reviews=(*others, new))


def _message(world: World, state: State, args: dict[str, Any]) -> State:
    del world
    return _with(state, messages=(*state.messages, msgspec.convert(args, Message)))


def _return(world: World, state: State, args: dict[str, Any]) -> State:
    new = msgspec.convert(args, Return)
    order = world.by_order[new.order]
    if new.sku not in {line.sku for line in order.lines}:
        raise SiteStateError(f"order {new.order} has no {new.sku!r}")
    others = tuple(one for one in state.returns if one.order != new.order)
    return _with(state, returns=(*others, new))


def _subscribe(world: World, state: State, args: dict[str, Any]) -> State:
    del world
    return _with(state, subscriptions=(*state.subscriptions, msgspec.convert(args, Subscription)))


def _alert(world: World, state: State, args: dict[str, Any]) -> State:
    sku = _known(world, args["sku"]).sku
    rest = tuple(one for one in state.alerts if one != sku)
    return _with(state, alerts=(*rest, sku) if args["on"] else rest)


def _settings(world: World, state: State, args: dict[str, Any]) -> State:
    parts = {name: args[name] for name in ADDRESS if name in args}
    address = {**msgspec.to_builtins(state.settings.address), **parts}
    new = msgspec.convert({**msgspec.to_builtins(state.settings), **args, "address": address}, Settings)
    if new.currency not in CURRENCIES or new.store not in {store.slug for store in world.stores}:
        raise SiteStateError(f"no such setting: {args}")
    return _with(state, settings=new)


def _with(state: State, **changes: Any) -> State:
    return msgspec.structs.replace(state, **changes)


_Change = Callable[[World, State, dict[str, Any]], State]


def _event(change: _Change) -> Callable[[World, State, Event], State]:
    def apply(world: World, state: State, event: Event) -> State:
        try:
            return change(world, state, dict(event.args))
        except msgspec.ValidationError as error:
            raise SiteStateError(f"event {event.name!r} does not fit: {error}") from error

    return apply


EVENTS = {
    "add": _event(_add),
    "set": _event(_set),
    "remove": _event(_remove),
    "promo": _event(_promo),
    "draft": _event(_draft),
    "order": _event(_order),
    "wish": _event(_wish),
    "compare": _event(_compare),
    "review": _event(_review),
    "message": _event(_message),
    "return": _event(_return),
    "subscribe": _event(_subscribe),
    "alert": _event(_alert),
    "settings": _event(_settings),
}
