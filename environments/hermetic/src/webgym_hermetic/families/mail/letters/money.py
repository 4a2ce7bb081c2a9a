"""Invoices, bills and the bank."""

from __future__ import annotations

from datetime import timedelta

from webgym_hermetic.families.mail.letters.pen import (
    Line,
    Pen,
    Plot,
    decimal,
    detail,
    first,
    house,
    money,
    short,
    slug,
    spoken,
    swapped,
    voice,
)  # fmt: skip
from webgym_hermetic.families.mail.records import Person
from webgym_hermetic.families.mail.words import mail_words


def invoice(pen: Pen) -> list[Plot]:
    """Two invoices whose numbers look alike, of two senders or of one."""
    number = str(pen.rng.between(1012, 8987))
    one, other = pen.person("Clients"), pen.person("Clients")
    return [_invoice(pen, one, number), _invoice(pen, other, swapped(number))]


def _invoice(pen: Pen, sender: Person, number: str) -> Plot:
    net = pen.cents(180, 4200)
    tax = net * pen.rng.pick((5, 6, 8)) // 100
    due = pen.workday(4, 35)
    job = pen.say(
        "the work of last month", "the delivery of last week", "our services this quarter", "the second instalment"
    )
    account = pen.code("#### ####")
    body = (
        pen.hello,
        pen.say(
            f"please find attached our invoice {number} for {job}.",
            f"attached is invoice {number} for {job}. Thank you for working with us.",
        ),
        f"Net amount: {money(net)}. Tax: {money(tax)}. Amount due: {money(net + tax)}.",
        f"Please pay by {spoken(due)} to account {account}, quoting the invoice number.",
        pen.say("Kind regards", "Best wishes", "Many thanks"),
        f"{sender.name}, {sender.company}",
    )
    return Plot(
        "invoice",
        f"Invoice {number}",
        (Line(voice(sender), body, (pen.file(f"invoice-{number}-{slug(sender.company)}.pdf", 60, 480),)),),
        (
            detail("due amount", "the amount due", "money", decimal(net + tax), [decimal(net), decimal(tax)]),
            detail("due", "the date by which it has to be paid", "date", due),
            detail("account", "the account number to pay to", "text", account),
        ),
        labels=("Clients", "Finance", "Work"),
    )


def quote(pen: Pen) -> list[Plot]:
    sender = pen.person("Clients")
    number = pen.code("Q####")
    what = pen.say(
        "the new shelves", "printing the brochures", "cleaning the windows", "the cabling", "translating the manual"
    )
    price, valid = pen.cents(240, 6400), pen.workday(8, 30)
    weeks = pen.rng.between(2, 9)
    lower = price - price * pen.rng.pick((5, 8, 10)) // 100
    lines = [
        Line(
            voice(sender),
            (
                pen.hello,
                f"thank you for asking about {what}. We can do it for {money(price)}, within {weeks} weeks.",
                f"The offer is valid until {spoken(valid)}. Our reference is {number}.",
                f"Regards, {sender.name}",
            ),
            (pen.file(f"quote-{number}.pdf", 50, 400),),
        ),
    ]
    final = price
    if pen.rng.chance(0.6):
        final = lower
        ask = f"Dear {first(sender)}, thank you. This is a little more than planned. Is there room for a discount?"
        lines.append(Line(None, (ask, f"Best, {first(pen.owner)}"), to=(sender.email,), wait=pen.rng.between(60, 1300)))
        yes = f"for you we can go down to {money(lower)}. Everything else stays as it was."
        lines.append(Line(voice(sender), (pen.hey, yes, first(sender)), wait=pen.rng.between(90, 1900)))
    rivals = [decimal(price)] if final != price else []
    return [
        Plot(
            "quote",
            f"Quote {number} for {what}",
            tuple(lines),
            (
                detail("price", "the final price offered", "money", decimal(final), rivals),
                detail("valid", "the date until which the offer is valid", "date", valid),
                detail("weeks", "within how many weeks they can deliver", "number", str(weeks)),
            ),
            labels=("Clients", "Work"),
        )
    ]


def statement(pen: Pen) -> list[Plot]:
    bank = pen.rng.pick(mail_words().banks)
    month = f"{pen.today - timedelta(days=pen.today.day + pen.rng.pick((0, 30))):%B}"
    account = pen.code("####")
    balance, spent = pen.cents(820, 9400), pen.cents(300, 3100)
    minimum, due = pen.cents(25, 180), pen.workday(3, 25)
    body = (
        pen.hello,
        f"your {month} statement for the card ending in {account} is ready.",
        f"Spent this month: {money(spent)}. Balance: {money(balance)}.",
        f"A minimum payment of {money(minimum)} is due on {spoken(due)}.",
        "This is an automatic notice. We never ask for your password by e-mail.",
        bank,
    )
    return [
        Plot(
            "statement",
            f"{bank}: your {month} statement, card {account}",
            (Line(house(bank, "notices"), body, (pen.file(f"statement-{month.lower()}-{account}.pdf", 80, 300),)),),
            (
                detail("minimum", "the minimum payment", "money", decimal(minimum), [decimal(balance), decimal(spent)]),
                detail("balance", "the balance", "money", decimal(balance), [decimal(minimum), decimal(spent)]),
                detail("payment", "the day the minimum payment is due", "date", due),
            ),
            labels=("Finance",),
        )
    ]


def card(pen: Pen) -> list[Plot]:
    bank = pen.rng.pick(mail_words().banks)
    merchant = pen.rng.pick(mail_words().clients)
    amount, account = pen.cents(12, 940), pen.code("####")
    at = pen.time(8, 21)
    body = (
        pen.hello,
        f"your card ending in {account} was used: {money(amount)} at {merchant}, at {at}.",
        f"Reference of the payment: {(reference := pen.code('@@#####'))}.",
        "If this was you, there is nothing to do. If not, call the number on the back of your card.",
        bank,
    )
    return [
        Plot(
            "card",
            f"Card payment at {merchant}, reference {reference[:4]}",
            (Line(house(bank, "alerts"), body),),
            (
                detail("amount", "the amount of the payment", "money", decimal(amount)),
                detail("reference", "the full payment reference", "text", reference),
                detail("at", "at what time the card was used", "time", at),
            ),
            labels=("Finance", "Receipts"),
        )
    ]


def bill(pen: Pen) -> list[Plot]:
    name, kind = pen.rng.pick(mail_words().utilities)
    amount, due = pen.cents(21, 260), pen.workday(4, 24)
    customer = pen.code("C###-###")
    used, unit = pen.rng.between(2, 890), "GB" if kind in ("internet", "mobile phone") else "units"
    body = (
        pen.hello,
        f"your {kind} bill is attached. Customer number: {customer}.",
        f"You used {used} {unit}. The bill comes to {money(amount)} and will be collected on {spoken(due)}.",
        pen.say(
            "Moving home? Tell us two weeks before.",
            "Save paper: you get your bills by e-mail only.",
            "Thank you for being with us.",
        ),
        name,
    )
    return [
        Plot(
            "bill",
            f"Your {kind} bill of {short(pen.day(-40, -3))}",
            (Line(house(name, "billing"), body, (pen.file(f"{kind.replace(' ', '-')}-bill.pdf", 60, 240),)),),
            (
                detail("bill", f"the amount of the {kind} bill", "money", decimal(amount)),
                detail("collected", "the day on which it will be collected", "date", due),
                detail("customer", "the customer number", "text", customer),
                detail("used", f"how many {unit} were used according to the {kind} bill", "number", str(used)),
            ),
            labels=("Home", "Finance"),
        )
    ]
