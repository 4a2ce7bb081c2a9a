"""What visitors do to a shop: the state, and how events change it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from webgym.errors import SiteStateError
from webgym.records.base import Record
from webgym.sites.families.shop.records import Address, Product, World
from webgym.sites.family import Event
from webgym.sites.rng import Rng

MOST = 10
"""Of one product in a cart."""
MOST_COMPARED = 4
ADDRESS = ("recipient", "street", "city", "postcode")
PAYMENTS = ("card", "invoice", "gift")
CURRENCIES = ("USD", "EUR", "GBP", "CAD")
DIGESTS = ("never", "weekly", "monthly")
LANGUAGES = (("en", "English"), ("fr", "French"), ("de", "German"), ("es", "Spanish"))
TOPICS = (
    ("delivery", "Delivery"),
    ("return", "Returns and refunds"),
    ("invoice", "Invoices and payment"),
    ("product", "Question about a product"),
    ("other", "Something else"),
)
REASONS = (
    ("size", "Does not fit"),
    ("damaged", "Arrived damaged"),
    ("wrong", "Wrong item sent"),
    ("changed", "Changed my mind"),
)
REFUNDS = (("card", "Back to the card"), ("gift", "As a gift card"), ("exchange", "Exchange for a new one"))
REPLIES = (("email", "By email"), ("phone", "By phone"), ("none", "No reply needed"))


class Line(Record, frozen=True):
    """So many of one product, with the option chosen."""

    sku: str
    option: str = ""
    quantity: int = 1

    @property
    def key(self) -> str:
        """Names the line within a cart."""
        return f"{self.sku}~{self.option.lower().replace(' ', '-')}" if self.option else self.sku


class Draft(Record, frozen=True):
    """A checkout under way."""

    recipient: str
    street: str
    city: str
    postcode: str
    delivery: str = "standard"
    payment: str = "card"
    gift_code: str = ""
    note: str = ""
    wrap: bool = False


class Order(Record, frozen=True):
    """An order that was placed."""

    number: str
    lines: tuple[Line, ...]
    how: Draft
    promo: str
    goods: int
    discount: int
    post: int
    total: int


class Written(Record, frozen=True):
    """A review by the visitor."""

    sku: str
    stars: int
    title: str
    body: str
    recommend: bool = False


class Message(Record, frozen=True):
    """Sent through the contact form."""

    topic: str
    order: str
    reply: str
    body: str


class Return(Record, frozen=True):
    """An item of a past order to be sent back."""

    order: str
    sku: str
    reason: str
    refund: str
    comment: str


class Subscription(Record, frozen=True):
    """To the shop's letters."""

    email: str
    interest: str
    digest: str


class Settings(Record, frozen=True):
    """Of the visitor's account."""

    offers: bool
    sms: bool
    restock: bool
    feedback: bool
    paperless: bool
    digest: str
    currency: str
    language: str
    store: str
    address: Address


class State(Record, frozen=True):
    """All that a session can change."""

    settings: Settings
    cart: tuple[Line, ...] = ()
    promo: str = ""
    draft: Draft | None = None
    orders: tuple[Order, ...] = ()
    wished: tuple[str, ...] = ()
    compared: tuple[str, ...] = ()
    reviews: tuple[Written, ...] = ()
    messages: tuple[Message, ...] = ()
    returns: tuple[Return, ...] = ()
    subscriptions: tuple[Subscription, ...] = ()
    alerts: tuple[str, ...] = ()
    """Products of which the visitor wants to hear when they are back."""


def start(world: World) -> State:
    """Before the visitor did anything."""
    rng = Rng("start", world.seed)
    settings = Settings(
        offers=rng.chance(0.5),
        sms=rng.chance(0.5),
        restock=rng.chance(0.5),
        feedback=rng.chance(0.5),
        paperless=rng.chance(0.5),
        digest=rng.pick(DIGESTS),
        currency=rng.pick(CURRENCIES[:2]),
        language="en",
        store=rng.pick(world.stores).slug,
        address=world.customer.address,
    )
    cart = tuple(Line(sku, option, quantity) for sku, option, quantity in world.left)
    return State(settings=settings, cart=cart, wished=world.wished)


def in_cart(state: State, key: str) -> Line | None:
    return next((line for line in state.cart if line.key == key), None)


def most_of(product: Product) -> int:
    """How many of it one may buy."""
    return min(MOST, product.stock)


def goods_price(world: World, state: State) -> int:
    return sum(world.by_sku[line.sku].price * line.quantity for line in state.cart)


def counts(world: World, state: State) -> bool:
    """Whether the promo code entered has an effect: its minimum is reached."""
    return bool(state.promo) and goods_price(world, state) >= world.by_code[state.promo].minimum


def discount(world: World, state: State) -> int:
    return goods_price(world, state) * world.by_code[state.promo].percent // 100 if counts(world, state) else 0


def post_price(world: World, state: State, key: str) -> int:
    """What delivery costs."""
    if counts(world, state) and world.by_code[state.promo].percent == 0:
        return 0
    if key == "standard" and goods_price(world, state) >= world.terms.free_from:
        return 0
    return next(delivery.price for delivery in world.deliveries if delivery.key == key)


def draft_of(state: State) -> Draft:
    """The checkout under way, or a new one from the account's address."""
    if state.draft is not None:
        return state.draft
    at = state.settings.address
    return Draft(at.recipient, at.street, at.city, at.postcode)


def number_of(world: World, count: int) -> str:
    """Of the next order."""
    first = world.orders[0].number
    prefix, _, digits = first.partition("-")
    return f"{prefix}-{int(digits) + 37 * (count + 1)}"


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
