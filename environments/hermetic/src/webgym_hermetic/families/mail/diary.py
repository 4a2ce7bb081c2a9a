"""What the calendar holds."""

from __future__ import annotations

from datetime import date, timedelta

from webgym.rng import Rng
from webgym_hermetic.families.mail.records import REMINDERS, Occasion, Person
from webgym_hermetic.families.mail.words import mail_words

CALENDARS = ("Work", "Personal", "Family")
FIRST_DAY, LAST_DAY = -14, 30
"""Of the calendar, in days from today."""


def draw_diary(rng: Rng, today: date, people: tuple[Person, ...]) -> tuple[Occasion, ...]:
    """About six weeks of events, some of them with the same title on several days."""
    titles = _titles(rng, people)
    days = [today + timedelta(days=offset) for offset in range(FIRST_DAY, LAST_DAY)]
    taken: dict[str, list[tuple[int, int]]] = {}
    occasions: list[Occasion] = []
    for number in range(rng.between(34, 46)):
        title, calendar, guests = titles[number % len(titles)]
        day = rng.pick(days if calendar != "Work" else [one for one in days if one.weekday() < 5])
        hour = rng.between(8, 16) if calendar == "Work" else rng.between(17, 20)
        start = f"{hour:02d}:{rng.pick(('00', '15', '30', '45'))}"
        minutes = rng.pick((30, 45, 60, 90))
        begin = hour * 60 + int(start[3:])
        busy = taken.setdefault(day.isoformat(), [])
        if any(begin < other + length and other < begin + max(60, minutes) for other, length in busy):
            continue
        if any(one.title == title and one.date == day.isoformat() for one in occasions):
            continue
        busy.append((begin, max(60, minutes)))
        occasions.append(
            Occasion(
                id=f"e{len(occasions) + 1}",
                title=title,
                date=day.isoformat(),
                start=start,
                minutes=minutes,
                location=_place(rng, calendar),
                guests=tuple(one.email for one in guests),
                reminder=rng.pick(REMINDERS)[0],
                calendar=calendar,
                notes=rng.pick(
                    ("", "", "Bring the printed version.", "Ask about the dates.", "Dial-in details follow.")
                ),
            )
        )
    return tuple(occasions)


def _titles(rng: Rng, people: tuple[Person, ...]) -> list[tuple[str, str, list[Person]]]:
    colleagues = [one for one in people if one.group == "Colleagues"]
    family = [one for one in people if one.group == "Family"]
    services = [one for one in people if one.group == "Services"]
    drawn: list[tuple[str, str, list[Person]]] = [
        (title, "Work", rng.sample(colleagues, rng.between(2, 4))) for title in rng.sample(mail_words().meetings, 8)
    ]
    drawn += [
        (f"{project} check-in", "Work", rng.sample(colleagues, 2)) for project in rng.sample(mail_words().projects, 5)
    ]
    drawn += [(f"1:1 with {one.name}", "Work", [one]) for one in (*colleagues[:2], *rng.sample(colleagues[2:], 2))]
    drawn += [(f"{one.company} appointment", "Personal", []) for one in rng.sample(services, 3)]
    drawn += [(f"Dinner with {one.name}", "Family", [one]) for one in rng.sample(family, 3)]
    drawn += [(show, "Family", []) for show, _ in rng.sample(mail_words().shows, 2)]
    drawn += [(what, "Personal", []) for what in ("Running group", "Choir rehearsal", "Parents' evening")]
    return rng.shuffled(drawn)


def _place(rng: Rng, calendar: str) -> str:
    if calendar == "Work":
        return f"Room {rng.pick(mail_words().rooms)} {rng.between(1, 4)}{rng.between(0, 2)}{rng.between(1, 9)}"
    if calendar == "Family":
        return rng.pick(mail_words().places_to_eat)
    return rng.pick(
        ("Community centre", "Riverside park", "Main Street 12", "Town hall", "Sports ground", "Station square")
    )
