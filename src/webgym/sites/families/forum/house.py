"""Rules of a forum and what takes place around it."""

from __future__ import annotations

from datetime import date, timedelta

from webgym.rng import Rng
from webgym.sites.families.forum.communities.bank import Bank
from webgym.sites.families.forum.people import TOWNS
from webgym.sites.families.forum.records import Meetup, Member, Rule

_RULES: tuple[tuple[str, str, str, str, tuple[int, ...], str], ...] = (
    (
        "edit-window",
        "Posting",
        "You can edit a post for {} minutes after you sent it.",
        "for how long a post can be edited",
        (10, 15, 20, 30, 45, 60),
        "minutes",
    ),
    (
        "image-size",
        "Posting",
        "Attached pictures may be up to {} MB each.",
        "how large an attached picture may be",
        (2, 3, 4, 6, 8, 10),
        "MB",
    ),
    (
        "bump",
        "Posting",
        "Wait {} hours before you bring an unanswered thread back up.",
        "how long to wait before bumping a thread",
        (12, 24, 36, 48, 72),
        "hours",
    ),
    (
        "links",
        "Posting",
        "New members can post links after {} posts.",
        "after how many posts new members can post links",
        (3, 5, 7, 8, 12),
        "posts",
    ),
    (
        "sell-posts",
        "Marketplace",
        "You need {} posts before you can offer something for sale.",
        "how many posts are needed before selling",
        (10, 15, 20, 25, 40),
        "posts",
    ),
    (
        "sell-days",
        "Marketplace",
        "Offers are closed after {} days without a reply.",
        "after how many days without a reply offers are closed",
        (14, 21, 28, 35, 60),
        "days",
    ),
    (
        "pay-days",
        "Marketplace",
        "Buyers pay within {} days of agreeing on a price.",
        "within how many days buyers have to pay",
        (2, 3, 4, 5, 7),
        "days",
    ),
    (
        "price-limit",
        "Marketplace",
        "Items above ${} need pictures with your user name in them.",
        "above which price items need pictures with the user name",
        (50, 80, 100, 150, 250),
        "dollars",
    ),
    (
        "warnings",
        "Moderation",
        "After {} warnings an account is suspended.",
        "after how many warnings an account is suspended",
        (2, 3, 4, 5),
        "warnings",
    ),
    (
        "suspension",
        "Moderation",
        "The first suspension lasts {} days.",
        "how long the first suspension lasts",
        (3, 5, 7, 10, 14),
        "days",
    ),
    (
        "report-time",
        "Moderation",
        "Reports are looked at within {} hours.",
        "within how many hours reports are looked at",
        (6, 8, 18, 24, 48),
        "hours",
    ),
    (
        "downvotes",
        "Moderation",
        "A post with {} down votes is folded.",
        "how many down votes fold a post",
        (5, 6, 8, 9, 12),
        "down votes",
    ),
    (
        "name-change",
        "Accounts",
        "A user name can be changed once every {} months.",
        "how often in months a user name can be changed",
        (3, 4, 6, 9, 12),
        "months",
    ),
    (
        "inactive",
        "Accounts",
        "Accounts without a visit in {} months are archived.",
        "after how many months without a visit accounts are archived",
        (12, 18, 24, 30, 36),
        "months",
    ),
    (
        "signature",
        "Accounts",
        "Signatures have at most {} characters.",
        "how many characters a signature may have",
        (80, 100, 120, 140, 160),
        "characters",
    ),
    (
        "age",
        "Accounts",
        "You must be at least {} years old to register.",
        "from which age one may register",
        (13, 14, 16, 18),
        "years",
    ),
    (
        "host-posts",
        "Meetups",
        "Hosts of a meetup need a reputation of {} or more.",
        "which reputation hosts of a meetup need",
        (50, 90, 125, 200, 300),
        "points",
    ),
    (
        "cancel",
        "Meetups",
        "Cancel at least {} hours ahead if you cannot come.",
        "how many hours ahead to cancel a meetup",
        (6, 10, 12, 24, 48),
        "hours",
    ),
    (
        "guests",
        "Meetups",
        "You may bring up to {} guests.",
        "how many guests one may bring to a meetup",
        (4, 5, 6),
        "guests",
    ),
)
_VENUES = (
    "Old Tram Depot",
    "Riverside Hall",
    "Library basement",
    "Unit 4, Mill Yard",
    "The Blue Lantern",
    "Community centre",
    "Station cafe",
    "Cloth Market 12",
    "Botanical pavilion",
    "Workers' Club",
    "School gym",
    "Harbour shed",
)
_STARTS = ("09:30", "10:00", "11:15", "13:30", "14:00", "15:45", "17:30", "18:00", "18:45", "19:15", "20:00")
_ABOUT = (
    "No need to sign up for anything else, just turn up on time.",
    "Beginners are very welcome.",
    "We start with a short round of names.",
    "There is parking behind the building.",
    "Please be quiet in the stairwell.",
    "The room has step-free access.",
    "Last time we ran out of chairs, so come early.",
    "Tea and coffee are included.",
)
MOST_GUESTS = 6


def rules(rng: Rng, most_tags: int, least_title: int) -> tuple[Rule, ...]:
    """The house rules: some numbers are those that the forms insist on."""
    drawn = [
        Rule(key, section, text.format(value := rng.pick(values)), question, value, unit)
        for key, section, text, question, values, unit in _RULES
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
    places = rng.shuffled(TOWNS)
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
                start=draw.pick(_STARTS),
                venue=draw.pick(_VENUES),
                town=places[index],
                host=draw.pick(members[1:]).handle,
                fee=draw.pick((0, 0, 2, 3, 4, 5, 6, 8, 10, 12)),
                spots=spots,
                going=draw.between(2, spots - 2),
                about=" ".join(draw.sample(_ABOUT, 3)),
            )
        )
    return tuple(made)
