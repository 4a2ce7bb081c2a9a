"""Orders, parcels, subscriptions and tickets."""

from __future__ import annotations

from webgym_hermetic.families.mail.letters.pen import (
    Line,
    Pen,
    Plot,
    decimal,
    detail,
    house,
    money,
    short,
    spoken,
    swapped,
)  # fmt: skip
from webgym_hermetic.families.mail.words import mail_words


def order(pen: Pen) -> list[Plot]:
    """Confirmations of one shop, once with another order whose number looks alike."""
    shop, goods = pen.rng.pick(mail_words().shops)
    number = pen.code("##-####")
    numbers = [number, swapped(number)] if pen.rng.chance(0.5) else [number]
    return [_order(pen, shop, goods, one) for one in numbers]


def _order(pen: Pen, shop: str, goods: tuple[str, ...], number: str) -> Plot:
    items = pen.rng.sample(goods, pen.rng.between(1, 3))
    prices = [pen.cents(9, 140) for _ in items]
    shipping = pen.rng.pick((0, 490, 690, 990))
    total = sum(prices) + shipping
    arrives = pen.day(1, 12)
    street = pen.street()
    listing = "; ".join(f"1 x {item} at {money(price)}" for item, price in zip(items, prices, strict=True))
    body = (
        pen.hello,
        pen.say(
            f"thank you for your order at {shop}. We have received it and are packing it now.",
            f"great choice! Your order at {shop} is confirmed.",
            f"your order with {shop} is on our packing table.",
        ),
        f"Order number: {number}. Items: {listing}. Shipping: {money(shipping) if shipping else 'free'}.",
        f"Order total: {money(total)}, charged to your card ending in {pen.code('####')}.",
        f"We expect to deliver it on {spoken(arrives)} to {street}.",
        pen.say("You can return anything within 30 days.", "Questions? Just answer this message.", f"Your {shop} team"),
    )
    return Plot(
        "order",
        f"{shop}: order {number} confirmed",
        (Line(house(shop, "orders"), body),),
        (
            detail("total", "the order total", "money", decimal(total), [decimal(price) for price in prices]),
            detail("arrives", "the day the delivery is expected", "date", arrives),
            detail("street", "the delivery address", "text", street),
        ),
        labels=("Receipts", "Home"),
    )


def parcel(pen: Pen) -> list[Plot]:
    shop, goods = pen.rng.pick(mail_words().shops)
    carrier = pen.rng.pick(mail_words().carriers)
    item = pen.rng.pick(goods)
    number = pen.code("##-####")
    tracking = pen.code("@@ #### #### ##")
    arrives = pen.day(0, 6)
    low = pen.rng.between(8, 15)
    weight = f"{pen.rng.between(1, 9)}.{pen.rng.between(1, 9)}"
    body = (
        pen.hello,
        pen.say(
            f"good news: the {item} you ordered at {shop} has left our warehouse.",
            f"your parcel from {shop} is on its way.",
            f"{shop} has handed over your {item} to us.",
        ),
        f"Tracking number: {tracking}. Carrier: {carrier}. Weight: {weight} kg.",
        f"Delivery is planned for {spoken(arrives)} between {low:02d}:00 and {low + 3:02d}:00.",
        pen.say(
            "If nobody is at home, the driver leaves it with a neighbour or at the nearest parcel point.",
            "You can follow it on our website with the tracking number.",
            "Please have somebody at home to sign for it.",
        ),
    )
    return [
        Plot(
            "parcel",
            f"Your {shop} order {number} has shipped",
            (Line(house(carrier, "tracking"), body),),
            (
                detail("tracking", "the tracking number of the parcel", "text", tracking),
                detail("planned", "the planned delivery date", "date", arrives),
                detail("weight", "how many kilograms the parcel weighs", "number", weight),
            ),
            labels=("Receipts", "Home"),
        )
    ]


def subscription(pen: Pen) -> list[Plot]:
    name, plan = pen.rng.pick(mail_words().subscriptions)
    old, new = sorted((pen.cents(4, 14), pen.cents(15, 29)))
    starts = pen.day(6, 30)
    member = pen.code("#######")
    body = (
        pen.hello,
        f"we are writing about your {plan} at {name}.",
        f"From {spoken(starts)} the price of your plan changes from {money(old)} to {money(new)} a month.",
        f"Your member number is {member}. You do not need to do anything to keep your plan.",
        pen.say(
            "If you would rather leave, you can cancel in your account until the day before.",
            "The new price helps us to add more of what you like.",
            "You have been with us for two years: thank you.",
        ),
    )
    return [
        Plot(
            "subscription",
            pen.say(f"{name}: the price of your plan changes", f"An update to your {plan} at {name}"),
            (Line(house(name, "members"), body),),
            (
                detail("price", "the new monthly price", "money", decimal(new), [decimal(old)]),
                detail("starts", "the day the new price starts", "date", starts),
                detail("member", "the member number", "text", member),
            ),
            labels=("Finance", "Receipts"),
        )
    ]


def ticket(pen: Pen) -> list[Plot]:
    show, venue = pen.rng.pick(mail_words().shows)
    on, doors = pen.day(3, 30), pen.time(17, 19)
    row, seat = pen.code("@"), pen.rng.between(2, 38)
    booking = pen.code("@@####")
    body = (
        pen.hello,
        f"your tickets for {show} at {venue} are attached. Please bring them on your phone or on paper.",
        f"Date: {spoken(on)}. Doors open at {doors}. Booking code: {booking}.",
        f"Your seats: row {row}, seats {seat} and {seat + 1}, {pen.say('stalls', 'balcony', 'circle')}.",
        pen.say(
            "Latecomers are let in at the interval.",
            "Coats and large bags must be left at the cloakroom.",
            "Enjoy the show!",
        ),
    )
    return [
        Plot(
            "ticket",
            f"Your tickets for {show} on {short(on)}",
            (Line(house("Box Office Direct", "tickets"), body, (pen.file(f"tickets-{booking}.pdf"),)),),
            (
                detail("doors", "when the doors open", "time", doors),
                detail("show", "the date of the show", "date", on),
                detail("booking", "the booking code", "text", booking),
            ),
            labels=("Receipts", "Family"),
        )
    ]


def refund(pen: Pen) -> list[Plot]:
    shop, goods = pen.rng.pick(mail_words().shops)
    item = pen.rng.pick(goods)
    paid = pen.cents(30, 160)
    fee = pen.rng.pick((350, 495, 590))
    number = pen.code("R-#####")
    arrives = pen.workday(2, 9)
    body = (
        pen.hello,
        f"we have received the {item} you sent back. Thank you for packing it so well.",
        f"You paid {money(paid)}. Less {money(fee)} for return shipping, we refund {money(paid - fee)} to your card.",
        f"Your refund number is {number}. The amount should be on your account by {spoken(arrives)}.",
        f"Your {shop} team",
    )
    return [
        Plot(
            "refund",
            f"Refund {number} for your {item}",
            (Line(house(shop, "returns"), body),),
            (
                detail(
                    "refund", "the amount that is refunded", "money", decimal(paid - fee), [decimal(paid), decimal(fee)]
                ),
                detail("credited", "the day by which the refund should arrive", "date", arrives),
            ),
            labels=("Receipts", "Finance"),
        )
    ]


def pickup(pen: Pen) -> list[Plot]:
    shop, goods = pen.rng.pick(mail_words().shops)
    code, until, street = pen.code("####"), pen.day(3, 9), pen.street()
    body = (
        pen.hello,
        f"the {pen.rng.pick(goods)} you reserved at {shop} is ready to be picked up at {street}.",
        f"Please show the pickup code {code} at the counter. We keep it for you until {spoken(until)}.",
        f"The shop is open from 9:30 to {pen.rng.between(18, 20)}:00, on Saturdays until {pen.rng.between(14, 17)}:00.",
    )
    return [
        Plot(
            "pickup",
            f"Ready for pickup at {shop}: reservation {pen.code('###')}",
            (Line(house(shop, "store"), body),),
            (
                detail("code", "the pickup code", "text", code),
                detail("until", "until when the reservation is kept", "date", until),
                detail("counter", "the address of the shop", "text", street),
            ),
            labels=("Home", "Receipts"),
        )
    ]
