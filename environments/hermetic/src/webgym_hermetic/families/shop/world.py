"""Generates the world of a shop from its seed."""

from __future__ import annotations

from datetime import date, timedelta

from webgym.rng import Rng
from webgym_hermetic.families.shop import people
from webgym_hermetic.families.shop.goods import categories, products, slug
from webgym_hermetic.families.shop.people import shop_names
from webgym_hermetic.families.shop.records import (
    Bought,
    Code,
    Customer,
    Delivery,
    Past,
    Product,
    Store,
    Terms,
    World,
)
from webgym_hermetic.families.shop.trades import TRADES, trade_of
from webgym_hermetic.families.shop.trades.trade import Trade
from webgym_hermetic.site import Site

WIZARDS = ("catalog", "boutique")
"""Structures in which checkout goes step by step."""
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_SEASONS = ("SPRING", "WELCOME", "HELLO", "HOME", "TREAT", "FRIENDS", "WEEKEND", "SUNNY", "COSY", "FRESH")
_CARRIERS = ("Parcelway", "Swiftpost", "Blue Van", "Nordpak")
_STATUSES = ("Processing", "Shipped", "Delivered", "Delivered", "Delivered", "Returned")


def build(site: Site) -> World:
    """Everything in the shop."""
    rng = Rng("shop", site.seed)
    trade = trade_of(TRADES[(site.number * 7 + site.number // 10) % len(TRADES)])
    kept = categories(rng.fork("categories"), trade)
    goods = products(rng.fork("products"), trade, kept)
    today = date(2026, 2, 2) + timedelta(days=rng.fork("today").below(260))
    deliveries = _deliveries(rng.fork("deliveries"))
    return World(
        brand=site.brand,
        trade=trade.key,
        title=trade.title,
        slogan=rng.fork("slogan").pick(trade.slogans),
        maker_label=trade.maker_label,
        today=today.isoformat(),
        categories=kept,
        products=goods,
        stores=_stores(rng.fork("stores"), trade),
        codes=_codes(rng.fork("codes"), today),
        deliveries=deliveries,
        customer=_customer(rng.fork("customer")),
        orders=_orders(rng.fork("orders"), site.brand, today, goods, deliveries),
        terms=_terms(rng.fork("terms"), site),
        bands=_bands(goods),
        left=_left(rng.fork("left"), goods),
        wished=tuple(product.sku for product in rng.fork("wished").sample(goods, 3)),
        wizard=site.structure in WIZARDS,
        seed=site.seed,
    )


def _stores(rng: Rng, trade: Trade) -> tuple[Store, ...]:
    return tuple(
        Store(
            slug=slug(area),
            name=area,
            street=people.street(rng),
            city=rng.pick(shop_names().cities),
            phone=people.phone(rng),
            hours=_hours(rng),
            services=tuple(rng.sample(trade.services, 2)),
        )
        for area in rng.sample(shop_names().areas, rng.between(4, 6))
    )


def _hours(rng: Rng) -> tuple[tuple[str, str], ...]:
    opening, closing = rng.pick((8, 9, 10)), rng.pick((17, 18, 19, 20))
    late = rng.pick((2, 3, 4))
    week = [f"{opening}:00 \u2013 {closing + (2 if day == late else 0)}:00" for day in range(5)]
    saturday = f"{opening + rng.below(2)}:30 \u2013 {rng.pick((14, 15, 16, 17))}:00"
    sunday = rng.pick(("Closed", "Closed", "11:00 \u2013 15:00", "12:00 \u2013 16:30"))
    return tuple(zip(DAYS, (*week, saturday, sunday), strict=True))


def _codes(rng: Rng, today: date) -> tuple[Code, ...]:
    words = rng.sample(_SEASONS, 3)
    small, large, past = rng.sample((10, 12, 15, 20, 25, 30), 3)
    least = rng.pick((60, 80, 100, 120))
    post = rng.pick((30, 40, 50))
    later = (today + timedelta(days=rng.between(9, 60))).isoformat()
    soon = (today + timedelta(days=rng.between(3, 30))).isoformat()
    gone = (today - timedelta(days=rng.between(4, 40))).isoformat()
    return (
        Code(f"{words[0]}{small}", small, 0, later, f"{small}% off everything"),
        Code(f"{words[1]}{large}", large, least * 100, soon, f"{large}% off orders over ${least}"),
        Code(rng.pick(("SHIPFREE", "FREESHIP", "POSTPAID")), 0, post * 100, later, f"Free delivery over ${post}"),
        Code(f"{words[2]}{past}", past, 0, gone, f"{past}% off everything"),
    )


def _deliveries(rng: Rng) -> tuple[Delivery, ...]:
    cents = rng.pick((90, 95, 99, 50))
    options = (
        Delivery("standard", rng.pick(("Standard delivery", "Standard shipping")), 400 + cents, "3 to 5 working days"),
        Delivery("express", rng.pick(("Express delivery", "Next-day courier")), 1000 + cents, "1 working day"),
        Delivery("evening", rng.pick(("Evening delivery", "Delivery after 6 pm")), 800 + cents, "2 to 3 working days"),
        Delivery("green", rng.pick(("Bike courier", "Climate-neutral delivery")), 600 + cents, "4 to 7 working days"),
    )
    return options if rng.chance(0.6) else options[:3]


def _customer(rng: Rng) -> Customer:
    name = people.person(rng)
    return Customer(
        name=name,
        email=f"{name.lower().replace(' ', '.')}@mailbox.example",
        phone=people.phone(rng),
        address=people.address(rng, name),
        card=str(rng.between(1000, 9999)),
        gift_card=f"GC-{rng.between(1000, 9999)}-{rng.between(1000, 9999)}",
        gift_balance=rng.between(15, 90) * 100,
        points=rng.between(40, 2900),
        member_since=str(rng.between(2016, 2024)),
    )


def _orders(
    rng: Rng, brand: str, today: date, goods: tuple[Product, ...], deliveries: tuple[Delivery, ...]
) -> tuple[Past, ...]:
    prefix = "".join(word[0] for word in brand.split())[:2].upper()
    number, day = rng.between(61000, 69000), today - timedelta(days=rng.between(1, 3))
    orders: list[Past] = []
    for index in range(rng.between(6, 8)):
        lines = tuple(
            Bought(product.sku, rng.weighted(((1, 6), (2, 2), (3, 1))), product.price)
            for product in rng.sample(goods, rng.between(1, 4))
        )
        delivery = rng.pick(deliveries)
        orders.append(
            Past(
                number=f"{prefix}-{number}",
                day=day.isoformat(),
                status=_STATUSES[min(index, 1)] if index < 2 else rng.pick(_STATUSES[2:]),
                lines=lines,
                delivery=delivery.label,
                carrier=rng.pick(_CARRIERS),
                tracking=f"{rng.pick(('PW', 'SP', 'BV', 'NP'))}{rng.between(1000000, 9999999)}",
                total=sum(line.price * line.quantity for line in lines) + delivery.price,
            )
        )
        number -= rng.between(13, 900)
        day -= timedelta(days=rng.between(6, 48))
    return tuple(orders)


def _terms(rng: Rng, site: Site) -> Terms:
    return Terms(
        return_days=rng.pick((14, 21, 28, 30, 45, 60, 90, 100)),
        free_from=rng.pick((35, 45, 49, 59, 75, 79, 99, 120)) * 100,
        phone=people.phone(rng),
        email=f"help@{site.name}.example",
        phone_hours=f"Monday to Friday, {rng.pick((8, 9, 10))} am to {rng.pick((5, 6, 7, 8))} pm",
        wrap=rng.pick((250, 290, 350, 390, 450)),
        price_match_days=rng.pick((7, 10, 15, 20)),
        refund_days=rng.pick((3, 5, 6, 8, 12)),
        gift_card_years=rng.pick((2, 3, 4, 5)),
        return_fee=rng.pick((195, 295, 375, 425, 495)),
    )


def _bands(goods: tuple[Product, ...]) -> tuple[int, ...]:
    """Round prices that cut the goods into four parts of about the same size."""
    prices = sorted(product.price for product in goods)
    found: list[int] = []
    for part in (1, 2, 3):
        price = prices[len(prices) * part // 4]
        unit = 500 if price < 5000 else 1000 if price < 20000 else 5000
        rounded = max(price // unit, 1) * unit
        found.append(rounded if not found or rounded > found[-1] else found[-1] + unit)
    return tuple(found)


def _left(rng: Rng, goods: tuple[Product, ...]) -> tuple[tuple[str, str, int], ...]:
    if rng.chance(0.6):
        return ()
    sold = [product for product in goods if product.stock > 10 and product.option is None]
    return tuple((product.sku, "", 1) for product in rng.sample(sold, rng.between(1, 2)))
