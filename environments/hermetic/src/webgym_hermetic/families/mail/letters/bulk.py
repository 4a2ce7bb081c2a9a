"""Newsletters, automatic notices and spam."""

from __future__ import annotations

from webgym_hermetic.families.mail.letters.pen import (
    Line,
    Pen,
    Plot,
    Voice,
    detail,
    house,
    money,
    spoken,
)  # fmt: skip
from webgym_hermetic.families.mail.words import mail_words


def newsletter(pen: Pen) -> list[Plot]:
    name, field, headlines = pen.rng.pick(mail_words().newsletters)
    issue = pen.rng.between(41, 389)
    lead, second, third = pen.rng.sample(headlines, 3)
    code, until = pen.code("@@@@##"), pen.day(2, 20)
    city, on = pen.rng.pick(mail_words().cities), pen.day(6, 40)
    percent = pen.rng.pick((10, 15, 20, 25, 30))
    body = (
        f"{name}, issue {issue}",
        f"Good morning! In this issue: {lead}. Also: {second}, and {third}.",
        f"Readers meet in {city} on {spoken(on)}. Places are free but few.",
        f"For subscribers: {percent} percent off in our shop with the code {code}, valid until {spoken(until)}.",
        f"You get this letter because you care about {field}. Answer with STOP to unsubscribe.",
    )
    return [
        Plot(
            "newsletter",
            f"{name} {issue}: {lead}",
            (Line(house(name, "letters"), body),),
            (
                detail("code", "the discount code", "text", code),
                detail("until", "until when the discount code is valid", "date", until),
                detail("city", "the city in which readers meet", "text", city),
                detail("meet", "the date on which readers meet", "date", on),
            ),
            labels=("Newsletters",),
        )
    ]


def sign_in(pen: Pen) -> list[Plot]:
    service = pen.say("Cloudcrate", "Ledgerly", "Streamhaus", "Quantum Hosting")
    city, device = pen.rng.pick(mail_words().cities), pen.say("a phone", "a tablet", "a Linux computer", "a laptop")
    at, code = pen.time(6, 22), pen.code("######")
    body = (
        pen.hello,
        f"somebody signed in to your {service} account from {device} in {city} at {at}.",
        f"If it was you, please confirm with the code {code}. It is valid for one day.",
        f"If it was not you, change your password now. The {service} team",
    )
    return [
        Plot(
            "sign-in",
            f"{service}: new sign-in from {city}",
            (Line(house(service, "security"), body),),
            (
                detail("confirm", "the confirmation code", "text", code),
                detail("from", "from what kind of device somebody signed in", "text", device.split(" ", 1)[1]),
                detail("signed", "the time of the sign-in", "time", at),
            ),
            labels=("Follow up",),
        )
    ]


def survey(pen: Pen) -> list[Plot]:
    club = pen.say(
        "Riverside Choir", "Hill Street Gardeners", "Lakeside Rowing Club", "Chess Club North", "Film Society"
    )
    on, at, fee = pen.day(4, 30), pen.time(17, 20), pen.cents(10, 60)
    place = pen.say("the town hall", "the boathouse", "the old library", "the parish room", "the school gym")
    body = (
        "Dear members,",
        f"our yearly meeting takes place on {spoken(on)} at {at} in {place}.",
        f"We will vote on the membership fee, which is to rise to {money(fee)}.",
        "Please send topics for the agenda to this address. Coffee and cake as always.",
        f"The committee of {club}",
    )
    return [
        Plot(
            "club",
            f"{club}: yearly meeting",
            (Line(house(club, "committee"), body),),
            (
                detail("meeting", "the date of the yearly meeting", "date", on),
                detail("where", "where the yearly meeting takes place", "text", place),
                detail("start", "the time of the yearly meeting", "time", at),
            ),
            labels=("Family", "Home"),
        )
    ]


def spam(pen: Pen) -> list[Plot]:
    amount = pen.rng.between(2, 90) * 100000
    kind = pen.rng.below(5)
    name = (
        pen.say("Prize Desk", "Lucky Draw Office", "Winners Bureau"),
        pen.say("Fast Loans 24", "Easy Credit Team", "Cash Express"),
        pen.say("Account Verification", "Mailbox Support", "Security Centre"),
        pen.say("Miracle Diet", "Slim Tea Direct", "Vital Drops"),
        pen.say("Crypto Doubler", "Trade Genius", "Golden Signals"),
    )[kind]
    number = pen.code("###")
    subject, words = (
        (
            f"You have won {money(amount)[:-3]}!!!",
            f"your address was drawn as number {number}. Claim your prize within 48 hours.",
        ),
        (
            f"Loan of {money(amount)[:-3]} approved",
            f"your loan is approved without any check, case {number}. Send us a copy of your card.",
        ),
        (
            f"Your mailbox will be closed, case {number}",
            "we could not verify your account. Confirm your password to keep your messages.",
        ),
        (
            f"Lose {5 + amount // 1000000} kg in {number} hours",
            "doctors do not want you to know this. Order three boxes, pay for two.",
        ),
        (f"Turn $250 into {money(amount)[:-3]}", f"our robot number {number} never loses. Only a few places are left."),
    )[kind]
    box = Voice(
        name, f"{pen.code('@@##').lower()}@{''.join(c for c in name.lower() if c.isalnum())}-{pen.code('##')}.biz"
    )
    body = (
        "Dear friend,",
        words,
        pen.say("Act now!", "Reply at once with your details.", "This offer is only for you."),
        name,
    )
    return [Plot("spam", subject, (Line(box, body),))]
