"""Meetings, projects and colleagues."""

from __future__ import annotations

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
    spoken,
    voice,
)  # fmt: skip
from webgym_hermetic.families.mail.records import Attachment, Person
from webgym_hermetic.families.mail.words import WEEKDAYS, mail_words


def meeting(pen: Pen) -> list[Plot]:
    """A meeting that is moved to another room or another time while people talk about it."""
    host, *guests = pen.others("Colleagues", 3)
    title = pen.rng.pick(mail_words().meetings)
    on, at, room = pen.workday(1, 20), pen.time(9, 15), pen.room()
    subject = f"{title} on {short(on)}"
    emails = tuple(one.email for one in guests)
    lines = [
        Line(
            voice(host),
            (
                pen.hey,
                pen.say(f"let us meet for the {title.lower()}.", f"I have set up the {title.lower()} we talked about."),
                f"When: {spoken(on)} at {at}. Where: room {room}. It takes {pen.rng.pick((30, 45, 60, 90))} minutes.",
                pen.say(
                    "Please bring your open points.",
                    "The agenda follows tomorrow.",
                    "Let me know if that does not work for you.",
                ),
                first(host),
            ),
            to=emails,
        ),
    ]
    rooms, times = [room], [at]
    if pen.rng.chance(0.8):
        words = pen.say(
            "Fine with me. I will prepare the figures.", "I will be there. Shall I order coffee?", "Works for me."
        )
        lines.append(Line(None, (words, first(pen.owner)), to=(host.email, *emails), wait=pen.rng.between(15, 400)))
    if pen.rng.chance(0.6):
        rooms.append(other := pen.room())
        words = f"room {room} is taken after all, so we meet in {other} instead. Same day, same time."
        lines.append(Line(voice(host), ("All,", words, first(host)), to=emails, wait=pen.rng.between(60, 2000)))
    if pen.rng.chance(0.4) and guests:
        times.append(late := f"{int(at[:2]) + 1:02d}:{at[3:]}")
        words = f"could we start at {late}? I have spoken to {first(host)}, who agrees. So: {late}."
        lines.append(
            Line(
                voice(guests[0]), ("Hi all,", words, first(guests[0])), to=(host.email,), wait=pen.rng.between(60, 900)
            )
        )
    return [
        Plot(
            "meeting",
            subject,
            tuple(lines),
            (
                detail("room", "the room in which the meeting finally takes place", "text", rooms[-1], rooms[:-1]),
                detail("begins", "the time at which the meeting finally starts", "time", times[-1], times[:-1]),
                detail("day", "the date of the meeting", "date", on),
            ),
            labels=("Work", "Follow up"),
        )
    ]


def project(pen: Pen) -> list[Plot]:
    lead, mate = pen.others("Colleagues", 2)
    title = pen.rng.pick(mail_words().projects)
    step = pen.say("status", "open points", "next steps", "budget", "schedule")
    budget, deadline = pen.cents(2400, 48000), pen.workday(5, 40)
    share = pen.rng.between(35, 92)
    lines = [
        Line(
            voice(lead),
            (
                pen.hey,
                f"a short update on the {title.lower()}: we are about {share} percent done.",
                f"The deadline is {spoken(deadline)} and the budget stands at {money(budget)}.",
                f"{mate.name} looks after the remaining work. Please send comments to both of us.",
                first(lead),
            ),
            tuple(_files(pen, title)) if pen.rng.chance(0.6) else (),
            to=(mate.email,),
        ),
    ]
    budgets, deadlines = [decimal(budget)], [deadline]
    if pen.rng.chance(0.55):
        extra = pen.cents(300, 2200)
        budgets.append(decimal(budget + extra))
        words = f"Finance has approved another {money(extra)}, so the budget is now {money(budget + extra)}."
        lines.append(
            Line(voice(mate), ("Hi both,", words, first(mate)), to=(lead.email,), wait=pen.rng.between(200, 3000))
        )
    if pen.rng.chance(0.4):
        deadlines.append(later := pen.workday(42, 55))
        words = f"the supplier needs more time. New deadline: {spoken(later)}."
        lines.append(
            Line(voice(lead), (pen.hey, words, first(lead)), to=(mate.email,), wait=pen.rng.between(300, 3000))
        )
    if pen.rng.chance(0.5):
        lines.append(
            Line(None, ("Thanks, noted.", first(pen.owner)), to=(lead.email, mate.email), wait=pen.rng.between(20, 500))
        )
    return [
        Plot(
            "project",
            f"{title}: {step}",
            tuple(lines),
            (
                detail("budget", "the current budget of the project", "money", budgets[-1], budgets[:-1]),
                detail("deadline", "the current deadline of the project", "date", deadlines[-1], deadlines[:-1]),
                detail("share", "how many percent of the project were done", "number", str(share)),
                detail("owner", "who looks after the remaining work", "text", mate.name, [lead.name]),
            ),
            labels=("Work", "Follow up"),
        )
    ]


def _files(pen: Pen, title: str) -> list[Attachment]:
    stem = title.lower().replace(" ", "-")
    return [
        pen.file(f"{stem}-{part}")
        for part in pen.rng.sample(("plan.xlsx", "notes.docx", "slides.pptx", "sketch.png"), 2)
    ]


def shared_file(pen: Pen) -> list[Plot]:
    sender = pen.person("Colleagues")
    name = pen.say(
        "sales-figures", "price-list", "team-handbook", "floor-plan", "press-kit", "survey-results", "holiday-rota"
    )
    version = f"{pen.rng.between(1, 6)}.{pen.rng.between(0, 9)}"
    pages, key = pen.rng.between(4, 86), pen.code("@@-####")
    back = pen.workday(1, 12)
    words = name.replace("-", " ")
    body = (
        pen.hey,
        f"attached is version {version} of the {words}, {pages} pages in all. The document number is {key}.",
        f"Could you send me your remarks by {spoken(back)}?",
        pen.say(
            "Page three is the one that matters.",
            "The appendix is still missing.",
            "Numbers are final, the layout is not.",
        ),
        f"Thanks, {first(sender)}",
    )
    kind = pen.rng.pick(("pdf", "xlsx", "docx"))
    return [
        Plot(
            "file",
            f"{words.capitalize()}, version {version}",
            (Line(voice(sender), body, (pen.file(f"{name}-v{version}.{kind}"),)),),
            (
                detail("remarks", "the date by which remarks are wanted", "date", back),
                detail("pages", "how many pages the document has", "number", str(pages)),
                detail("document", "the document number", "text", key),
            ),
            labels=("Work", "Follow up"),
        )
    ]


def support(pen: Pen) -> list[Plot]:
    product = pen.say(
        "the label printer", "your account export", "the payment terminal", "the booking widget", "the mail import"
    )
    number = pen.code("#####")
    agent = f"{pen.say('Kim', 'Robin', 'Sasha', 'Alex', 'Jo')} {pen.code('@')}."
    fixed, version = pen.workday(1, 14), f"{pen.rng.between(2, 9)}.{pen.rng.between(0, 19)}"
    desk = house(pen.say("Quantum Hosting", "Orbit Helpdesk", "Ledgerly"), "support")
    return [
        Plot(
            "support",
            f"[Ticket {number}] Problem with {product}",
            (
                Line(
                    desk,
                    (
                        pen.hello,
                        f"we have received your request about {product}. Your ticket number is {number}.",
                        "The support team",
                    ),
                ),
                Line(
                    None,
                    ("Thank you. It still happens about twice a day.", pen.owner.name),
                    to=(desk.address,),
                    wait=pen.rng.between(60, 900),
                ),
                Line(
                    desk,
                    (
                        pen.hello,
                        f"we found the cause. It will be fixed with version {version}, planned for {spoken(fixed)}.",
                        f"Until then, please restart it once a day. Your contact is {agent}",
                    ),
                    wait=pen.rng.between(200, 2500),
                ),
            ),
            (
                detail("version", "the version that fixes the problem", "text", version),
                detail("fixed", "the date planned for the fix", "date", fixed),
            ),
            labels=("Work", "Follow up"),
        )
    ]


def candidate(pen: Pen) -> list[Plot]:
    sender = pen.person("Colleagues")
    role = pen.say("data analyst", "warehouse lead", "junior designer", "office assistant", "key account manager")
    name = pen.say("Mr. Bartok", "Ms. Oyelaran", "Ms. Lindholm", "Mr. Escobar", "Ms. Tran", "Mr. Whitlock")
    on, at, room = pen.workday(2, 15), pen.time(9, 16), pen.room()
    pay = pen.rng.between(42, 88) * 100000
    body = (
        pen.hey,
        f"{name} has applied for the position of {role}. The CV is attached.",
        f"The interview is on {spoken(on)} at {at} in room {room}. Expected salary: {money(pay)} a year.",
        "Could you prepare two or three questions?",
        first(sender),
    )
    return [
        Plot(
            "candidate",
            f"Interview with {name}, {role}",
            (Line(voice(sender), body, (pen.file(f"cv-{name.split()[-1].lower()}.pdf", 90, 900),)),),
            (
                detail("interview", "the date of the interview", "date", on),
                detail("at", "the time of the interview", "time", at),
                detail("pay", "the expected salary", "money", decimal(pay)),
                detail("place", "the room of the interview", "text", room),
            ),
            labels=("Work",),
        )
    ]


def lunch(pen: Pen) -> list[Plot]:
    """Two people with one first name ask nearly the same."""
    people = _namesakes(pen)
    days = pen.rng.sample(WEEKDAYS[:5], len(people))
    return [_lunch(pen, person, day) for person, day in zip(people, days, strict=True)]


def _lunch(pen: Pen, person: Person, weekday: str) -> Plot:
    at, place = pen.time(11, 13), pen.say("the canteen", "the soup bar downstairs", "the market hall", "the new deli")
    seats, until = pen.rng.between(3, 9), pen.time(14, 15)
    body = (
        pen.hey,
        f"would you like to have lunch on {weekday}? I have kept a table for {seats} at {place} at {at}.",
        f"I have to be back by {until}.",
        pen.say("Bring whoever you like.", "My treat this time.", "We could talk about the handover."),
        person.name,
    )
    return Plot(
        "lunch",
        f"Lunch on {weekday}?",
        (Line(voice(person), body),),
        (
            detail("lunch", f"at what time {person.name} wants to have lunch", "time", at, [until]),
            detail("seats", "for how many people the table is kept", "number", str(seats)),
        ),
        labels=("Work", "Follow up"),
    )


def _namesakes(pen: Pen) -> list[Person]:
    colleagues = [one for one in pen.people if one.group == "Colleagues"]
    for person in pen.rng.shuffled(colleagues):
        same = [one for one in colleagues if first(one) == first(person)]
        if len(same) > 1:
            return same[:2]
    return pen.rng.sample(colleagues, 2)
