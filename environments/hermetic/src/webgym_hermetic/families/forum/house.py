"""Rules of a forum and what takes place around it."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache

from webgym.rng import Rng
from webgym_hermetic.families.forum.communities.bank import Bank
from webgym_hermetic.families.forum.people import member_words
from webgym_hermetic.families.forum.records import Meetup, Member, Rule
from webgym_hermetic.kit.data import Table, read_table


class HouseWords(Table, frozen=True):
    """Rules, and where and how members meet."""

    rules: tuple[tuple[str, str, str, str, tuple[int, ...], str], ...]
    venues: tuple[str, ...]
    starts: tuple[str, ...]
    about: tuple[str, ...]


@cache
def _words() -> HouseWords:
    return read_table(__name__, HouseWords)


MOST_GUESTS = 6


def rules(rng: Rng, most_tags: int, least_title: int) -> tuple[Rule, ...]:
    """The house rules: some numbers are those that the forms insist on."""
    drawn = [
        Rule(key, section, text.format(value := rng.pick(values)), question, value, unit)
        for key, section, text, question, values, unit in _words().rules
        if key != "guests"
    ]
    tags = Rule(
        "tags",
        "Posting",
        f"A thread can have up to {most_tags} tags.",
        "how many tags a thread can have",
        most_tags,
        "tags",
    )
    title = Rule(
        "title",
        "Posting",
        f"Titles have at least {least_title} characters.",
        "how long a title has to be",
        least_title,
        "characters",
    )
    return (title, tags, *drawn)


def meetups(rng: Rng, bank: Bank, members: tuple[Member, ...], today: str) -> tuple[Meetup, ...]:
    """What takes place in the next weeks, in order of its date; several have the same name in another town."""
    now = date.fromisoformat(today)
    count = rng.between(9, 13)
    days = sorted(rng.sample(range(3, 95), count))
    places = rng.shuffled(member_words().towns)
    numbers = sorted(rng.sample(range(20, 99), count))
    made: list[Meetup] = []
    for index in range(count):
        draw = rng.fork("meetup", index)
        title = draw.pick(bank.meetups)
        spots = draw.between(3, 16) * 5
        made.append(
            Meetup(
                id=str(numbers[index]),
                title=f"{title} in {places[index]}",
                date=str(now + timedelta(days=days[index])),
                start=draw.pick(_words().starts),
                venue=draw.pick(_words().venues),
                town=places[index],
                host=draw.pick(members[1:]).handle,
                fee=draw.pick((0, 0, 2, 3, 4, 5, 6, 8, 10, 12)),
                spots=spots,
                going=draw.between(2, spots - 2),
                about=" ".join(draw.sample(_words().about, 3)),
            )
        )
    return tuple(made)
