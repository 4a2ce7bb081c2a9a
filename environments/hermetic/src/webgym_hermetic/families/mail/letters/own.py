"""What the owner wrote and nobody has answered, sent or not."""

from __future__ import annotations

from webgym_hermetic.families.mail.letters.pen import (
    Line,
    Pen,
    Plot,
    decimal,
    detail,
    first,
    money,
    spoken,
)  # fmt: skip
from webgym_hermetic.families.mail.words import mail_words


def request(pen: Pen) -> list[Plot]:
    person = pen.person("Colleagues", "Clients")
    project = pen.rng.pick(mail_words().projects)
    by, limit = pen.workday(2, 18), pen.cents(400, 9000)
    body = (
        f"Hi {first(person)},",
        f"could you send me the offer for the {project.lower()} by {spoken(by)}?",
        f"It must not be more than {money(limit)}, otherwise I need another signature.",
        f"Best, {pen.owner.name}",
    )
    return [
        Plot(
            "request",
            f"Offer for the {project.lower()}",
            (Line(None, body, to=(person.email,)),),
            (
                detail("by", "by which date the offer was asked for", "date", by),
                detail("limit", "the limit that the offer must not exceed", "money", decimal(limit)),
            ),
            labels=("Work",),
        )
    ]


def minutes(pen: Pen) -> list[Plot]:
    people = pen.others("Colleagues", 3)
    title = pen.rng.pick(mail_words().meetings)
    votes, again = pen.rng.between(3, 9), pen.workday(6, 25)
    body = (
        "Hi all,",
        f"attached are the minutes of the {title.lower()}. The proposal was accepted with {votes} votes.",
        f"We meet again on {spoken(again)}.",
        f"Best, {first(pen.owner)}",
    )
    stem = title.lower().replace(" ", "-")
    return [
        Plot(
            "minutes",
            f"Minutes of the {title.lower()}",
            (Line(None, body, (pen.file(f"minutes-{stem}.docx", 30, 200),), tuple(one.email for one in people)),),
            (
                detail("votes", "with how many votes the proposal was accepted", "number", str(votes)),
                detail("again", "on what date the group meets again", "date", again),
            ),
            labels=("Work",),
        )
    ]


def thanks(pen: Pen) -> list[Plot]:
    person = pen.person("Family", "Services")
    thing = pen.say("the weekend", "your help with the move", "the lovely evening", "the advice", "the flowers")
    back = pen.day(3, 25)
    body = (
        f"Dear {first(person)},",
        f"thank you so much for {thing}! We talked about it all the way home.",
        f"I will bring back your {pen.say('umbrella', 'book', 'bowl', 'jacket')} on {spoken(back)}.",
        first(pen.owner),
    )
    return [
        Plot(
            "thanks",
            f"Thank you for {thing}",
            (Line(None, body, to=(person.email,)),),
            (detail("back", "on what date you promised to bring something back", "date", back),),
            labels=("Family",),
        )
    ]
