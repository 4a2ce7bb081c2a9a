"""What visitors can change in a shop."""

from __future__ import annotations

from datetime import date, timedelta

from webgym.records.base import Record
from webgym.rng import Rng
from webgym_hermetic.families.shop.records import Address, Product, World

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
    day: str = ""
    """When it should arrive, ISO; empty: whenever it does."""
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


def delivery_days(world: World) -> tuple[str, str]:
    """The first and the last day one can ask for."""
    today = date.fromisoformat(world.today)
    return (today + timedelta(days=2)).isoformat(), (today + timedelta(days=40)).isoformat()


def number_of(world: World, count: int) -> str:
    """Of the next order."""
    first = world.orders[0].number
    prefix, _, digits = first.partition("-")
    return f"{prefix}-{int(digits) + 37 * (count + 1)}"
