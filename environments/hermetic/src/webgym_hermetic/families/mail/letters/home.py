"""Family, friends and the people who keep a household running."""

from __future__ import annotations

from webgym_hermetic.families.mail.letters.pen import (
    Line,
    Pen,
    Plot,
    decimal,
    detail,
    first,
    money,
    short,
    spoken,
    voice,
)  # fmt: skip
from webgym_hermetic.families.mail.words import mail_words


def dinner(pen: Pen) -> list[Plot]:
    host, place = pen.person("Family"), pen.rng.pick(mail_words().places_to_eat)
    on, at = pen.day(2, 25), pen.time(18, 20)
    why = pen.say("my birthday", "our anniversary", "a small reunion", "the end of term", "the new job")
    lines = [
        Line(
            voice(host),
            (
                pen.hey,
                f"we would like to celebrate {why} with you. We have a table at {place} on {spoken(on)} at {at}.",
                f"It is at {(street := pen.street())}. There will be {(count := pen.rng.between(5, 16))} of us.",
                pen.say("No presents, please!", "Tell me if anybody does not eat fish.", "Please say yes."),
                first(host),
            ),
        ),
    ]
    places = [place]
    if pen.rng.chance(0.7):
        words = pen.say("How lovely, count me in!", "I would not miss it. Can I bring a cake?", "Yes, with pleasure.")
        lines.append(Line(None, (words, first(pen.owner)), to=(host.email,), wait=pen.rng.between(30, 900)))
    if pen.rng.chance(0.4):
        places.append(other := pen.rng.pick([one for one in mail_words().places_to_eat if one != place]))
        words = f"change of plan: they lost our booking, so we go to {other} instead. Same day, same time."
        lines.append(Line(voice(host), (pen.hey, words, first(host)), wait=pen.rng.between(300, 4000)))
    return [
        Plot(
            "dinner",
            f"Dinner for {why} on {short(on)}",
            tuple(lines),
            (
                detail("place", "the restaurant where the dinner finally takes place", "text", places[-1], places[:-1]),
                detail("table", "the time of the dinner", "time", at),
                detail("on", "the date of the dinner", "date", on),
                detail("count", "how many people will come to the dinner", "number", str(count)),
                *([detail("street", "the address of the restaurant", "text", street)] if len(places) == 1 else []),
            ),
            labels=("Family",),
        )
    ]


def photos(pen: Pen) -> list[Plot]:
    sender = pen.person("Family")
    what = pen.say(
        "the lake", "the wedding", "the old garden", "the school play", "the mountain hut", "Grandma's attic"
    )
    count = pen.rng.between(3, 5)
    names = [f"{what.split()[-1].lower()}-{number:02d}.jpg" for number in range(1, count + 1)]
    visit = pen.day(5, 30)
    body = (
        pen.hey,
        f"here are the pictures of {what} that I promised. There are {pen.rng.between(40, 220)} more on my camera.",
        f"I am coming through town on {spoken(visit)}. Shall I drop by around {(at := pen.time(10, 17))}?",
        pen.say("Hugs", "Lots of love", "See you soon"),
        first(sender),
    )
    return [
        Plot(
            "photos",
            f"Pictures of {what}",
            (Line(voice(sender), body, tuple(pen.file(name, 700, 5200) for name in names)),),
            (
                detail("visit", f"on what date {first(sender)} will come through town", "date", visit),
                detail("drop by", f"at what time {first(sender)} would drop by", "time", at),
                detail("attached", "how many pictures are attached", "number", str(count)),
            ),
            labels=("Family",),
        )
    ]


def favour(pen: Pen) -> list[Plot]:
    sender = pen.person("Family")
    thing = pen.say("drill", "camping stove", "ladder", "suitcase", "sewing machine", "projector", "roof box")
    on, code = pen.day(1, 14), pen.code("####")
    body = (
        pen.hey,
        f"could I borrow your {thing} for the weekend? I would pick it up on {spoken(on)}.",
        f"If you are out: the code of my garage is now {code}, you can leave it there.",
        f"I owe you {money(owed := pen.cents(8, 70))} for the concert as well, I have not forgotten.",
        f"Thanks! {first(sender)}",
    )
    return [
        Plot(
            "favour",
            f"Could I borrow your {thing}?",
            (Line(voice(sender), body),),
            (
                detail("garage", "the code of the garage", "text", code),
                detail("borrow", f"on what date {first(sender)} wants to pick up the {thing}", "date", on),
                detail("owed", f"how much {first(sender)} owes for the concert", "money", decimal(owed)),
            ),
            labels=("Family", "Follow up"),
        )
    ]


def appointment(pen: Pen) -> list[Plot]:
    sender = pen.person("Services")
    on, at = pen.workday(2, 26), pen.time(8, 17)
    number = pen.code("A-####")
    old = pen.workday(-2, 1)
    body = (
        pen.hello,
        f"this is to confirm your appointment with {sender.name} at {sender.company}.",
        f"Date: {spoken(on)}. Time: {at}. Your number: {number}.",
        f"It replaces the appointment of {short(old)}, which we had to cancel.",
        f"If you cannot come, please call {sender.phone} at least a day before.",
    )
    return [
        Plot(
            "appointment",
            f"{sender.company}: appointment {number}",
            (Line(voice(sender), body),),
            (
                detail("appointment", "the date of the new appointment", "date", on, [old]),
                detail("hour", "the time of the appointment", "time", at),
            ),
            labels=("Health", "Home"),
        )
    ]


def repair(pen: Pen) -> list[Plot]:
    sender = pen.person("Services")
    thing = pen.say("car", "boiler", "washing machine", "bicycle", "kitchen tap", "dishwasher")
    cost, ready = pen.cents(60, 780), pen.workday(1, 10)
    estimate = cost - pen.cents(10, 40)
    part = pen.code("@@-###")
    body = (
        pen.hello,
        f"we have had a look at your {thing}. Part {part} has to be replaced.",
        f"We had estimated {money(estimate)}; with the part it comes to {money(cost)}. Ready on {spoken(ready)}.",
        "Please let us know whether we should go ahead.",
        f"{sender.name}, {sender.company}",
    )
    return [
        Plot(
            "repair",
            f"Repair of your {thing}: part {part}",
            (Line(voice(sender), body),),
            (
                detail("cost", "what the repair costs with the part", "money", decimal(cost), [decimal(estimate)]),
                detail("ready", "the day the repair will be done", "date", ready),
            ),
            labels=("Home", "Receipts"),
        )
    ]


def notice(pen: Pen) -> list[Plot]:
    sender = pen.person("Services")
    topic = pen.say(
        "Change of opening hours",
        "New address from next month",
        "Yearly inspection",
        "Price list",
        "Closed for holidays",
    )
    on, door = pen.workday(3, 30), pen.code("###")
    fee = pen.cents(15, 120)
    body = (
        pen.hello,
        pen.say("a short notice to all our customers.", "we would like to let you know about a change."),
        f"It takes effect on {spoken(on)}. You find us at {(street := pen.street())}, door {door}.",
        f"The yearly fee stays at {money(fee)}. Any question? Call {sender.phone}.",
        f"{sender.name}, {sender.company}",
    )
    return [
        Plot(
            "notice",
            f"{topic} at {sender.company}",
            (Line(voice(sender), body),),
            (
                detail("effect", "from which date the change takes effect", "date", on),
                detail("fee", "the yearly fee", "money", decimal(fee)),
                detail("found", "the address at which they can be found", "text", street),
                detail("door", "the number of the door", "number", door),
            ),
            labels=("Home", "Health"),
        )
    ]
