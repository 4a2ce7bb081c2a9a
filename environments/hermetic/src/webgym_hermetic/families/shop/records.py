"""What there is in a shop."""

from __future__ import annotations

from functools import cached_property

from webgym.records.base import Record


class Option(Record, frozen=True):
    """What has to be chosen when a product is bought."""

    label: str
    values: tuple[str, ...]
    gone: tuple[str, ...] = ()
    """Values that are sold out."""


class Product(Record, frozen=True):
    """Something for sale."""

    sku: str
    title: str
    """What all products of its line are called."""
    variant: str
    """What tells it apart from the others of its line; may be empty."""
    name: str
    """Title and variant, as shown: no two products share it."""
    line: str
    category: str
    kind: str
    brand: str
    colour: str
    price: int
    """Cents."""
    was: int
    """Price before it was reduced; 0 if it was not."""
    rating: int
    """Tenths of stars."""
    reviews: int
    stock: int
    days: tuple[int, int]
    """Delivery takes so many working days."""
    warranty: int
    """Months."""
    specs: tuple[tuple[str, str], ...]
    blurb: str
    points: tuple[str, ...]
    picture: str
    rank: int
    """Place in the list before anyone sorts it."""
    option: Option | None = None

    @property
    def stars(self) -> float:
        return self.rating / 10

    @property
    def path(self) -> str:
        return f"/product/{self.sku}"


class Category(Record, frozen=True):
    """Products that are listed together."""

    slug: str
    name: str
    icon: str
    blurb: str
    picture: str

    @property
    def path(self) -> str:
        return f"/category/{self.slug}"


class Store(Record, frozen=True):
    """A shop one can walk into."""

    slug: str
    name: str
    street: str
    city: str
    phone: str
    hours: tuple[tuple[str, str], ...]
    """Day and opening hours."""
    services: tuple[str, ...]


class Code(Record, frozen=True):
    """A promo code."""

    code: str
    percent: int
    """Off the goods; 0: delivery is free."""
    minimum: int
    """Cents that the goods must cost."""
    until: str
    """Last day it is good, ISO."""
    title: str


class Delivery(Record, frozen=True):
    """A way to have an order delivered."""

    key: str
    label: str
    price: int
    days: str


class Bought(Record, frozen=True):
    """A line of a past order."""

    sku: str
    quantity: int
    price: int


class Past(Record, frozen=True):
    """An order from before."""

    number: str
    day: str
    status: str
    lines: tuple[Bought, ...]
    delivery: str
    carrier: str
    tracking: str
    total: int


class Address(Record, frozen=True):
    """Where to send things."""

    recipient: str
    street: str
    city: str
    postcode: str


class Customer(Record, frozen=True):
    """Who is signed in."""

    name: str
    email: str
    phone: str
    address: Address
    card: str
    """Last digits of the card on file."""
    gift_card: str
    gift_balance: int
    points: int
    member_since: str


class Terms(Record, frozen=True):
    """What the help pages say."""

    return_days: int
    free_from: int
    """Cents from which standard delivery is free."""
    phone: str
    email: str
    phone_hours: str
    wrap: int
    price_match_days: int
    refund_days: int
    gift_card_years: int
    return_fee: int


class World(Record, frozen=True, dict=True, gc=True):
    """Everything in a shop before anyone touched it."""

    brand: str
    trade: str
    title: str
    slogan: str
    maker_label: str
    today: str
    categories: tuple[Category, ...]
    products: tuple[Product, ...]
    stores: tuple[Store, ...]
    codes: tuple[Code, ...]
    deliveries: tuple[Delivery, ...]
    customer: Customer
    orders: tuple[Past, ...]
    terms: Terms
    bands: tuple[int, ...]
    """Cents between the price bands of the filters."""
    left: tuple[tuple[str, str, int], ...]
    """What lies in the cart from the last visit: sku, option, quantity."""
    wished: tuple[str, ...]
    wizard: bool
    """Whether checkout goes step by step."""
    seed: str

    @cached_property
    def by_sku(self) -> dict[str, Product]:
        return {product.sku: product for product in self.products}

    @cached_property
    def by_slug(self) -> dict[str, Category]:
        return {category.slug: category for category in self.categories}

    @cached_property
    def by_line(self) -> dict[str, tuple[Product, ...]]:
        lines: dict[str, tuple[Product, ...]] = {}
        for product in self.products:
            lines[product.line] = (*lines.get(product.line, ()), product)
        return lines

    @cached_property
    def by_order(self) -> dict[str, Past]:
        return {order.number: order for order in self.orders}

    @cached_property
    def by_code(self) -> dict[str, Code]:
        return {code.code: code for code in self.codes}

    def listed(self, category: str) -> tuple[Product, ...]:
        """A category's products, in the order of the shop."""
        return tuple(product for product in self.products if product.category == category)

    def siblings(self, product: Product) -> tuple[Product, ...]:
        """The others of its line."""
        return tuple(other for other in self.by_line[product.line] if other.sku != product.sku)
