"""The members of a forum."""

from __future__ import annotations

from datetime import date, timedelta

from webgym.rng import Rng
from webgym.sites.families.forum.communities.bank import Bank
from webgym.sites.families.forum.records import Member

TOWNS = (
    "Leeds",
    "Bath",
    "Utrecht",
    "Portland",
    "Halifax",
    "Ghent",
    "Tampere",
    "Freiburg",
    "Galway",
    "Boise",
    "Aarhus",
    "Hobart",
    "Bergen",
    "Lyon",
    "Cork",
    "Madison",
    "Graz",
    "Dundee",
    "Porto",
    "Tucson",
    "Dunedin",
    "Basel",
    "Uppsala",
    "Norwich",
    "Quebec City",
    "Bologna",
    "Sheffield",
    "Asheville",
    "Brno",
    "Limerick",
    "Girona",
    "Duluth",
    "Trondheim",
    "Exeter",
    "Leuven",
    "Spokane",
)
FIRST_NAMES = (
    "anna",
    "hanna",
    "maria",
    "marie",
    "jon",
    "john",
    "tim",
    "tom",
    "erik",
    "eric",
    "sara",
    "sarah",
    "kate",
    "katie",
    "ben",
    "bela",
    "olga",
    "inga",
    "paul",
    "paula",
    "carl",
    "carla",
    "nils",
    "niels",
    "rosa",
    "rose",
    "max",
    "mats",
    "lena",
    "lina",
    "victor",
    "viktor",
    "hugo",
    "ingrid",
    "pedro",
    "yusuf",
    "amara",
    "kofi",
    "priya",
    "mei",
    "dario",
    "elif",
    "goran",
    "tove",
    "walt",
)
_LAST = ("hill", "holm", "holt", "brook", "lund", "marsh", "vale", "stone", "wells", "field", "croft", "north", "west")
_TWINS = (
    ("anna", "hanna"),
    ("maria", "marie"),
    ("jon", "john"),
    ("tim", "tom"),
    ("erik", "eric"),
    ("sara", "sarah"),
    ("kate", "katie"),
    ("paul", "paula"),
    ("carl", "carla"),
    ("nils", "niels"),
    ("rosa", "rose"),
    ("lena", "lina"),
    ("victor", "viktor"),
)
"""Names that are easily taken for each other."""
_ROLES = (("Member", 55), ("Regular", 28), ("Veteran", 12))
_BADGES = (
    "First post",
    "One year",
    "Five years",
    "Helpful answer",
    "Great question",
    "Night owl",
    "Meetup host",
    "Photographer",
    "Trusted seller",
    "Fifty answers",
    "Early bird",
    "Welcomer",
    "Poll maker",
    "Bookworm",
)


def people(rng: Rng, bank: Bank, today: str) -> tuple[Member, ...]:
    """60 to 100 members; the first is the one who is signed in, the next two are the team."""
    count = rng.between(60, 100)
    handles = _handles(rng.fork("handles"), bank, count)
    now = date.fromisoformat(today)
    reputations = rng.sample(range(12, 9800), count)
    posts = rng.sample(range(3, 6400), count)
    members: list[Member] = []
    for index, handle in enumerate(handles):
        draw = rng.fork(handle)
        role = {1: "Admin", 2: "Moderator", 3: "Moderator"}.get(index) or draw.weighted(_ROLES)
        members.append(
            Member(
                handle=handle,
                role="Member" if index == 0 else role,
                joined=str(now - timedelta(days=draw.between(40, 4200))),
                location=draw.pick(TOWNS),
                posts=posts[index],
                reputation=reputations[index],
                gear=draw.pick(bank.gear),
                signature=draw.pick(bank.signatures) if draw.chance(0.6) else "",
                badges=tuple(draw.sample(_BADGES, draw.between(1, 5))),
                online=draw.chance(0.2),
            )
        )
    return tuple(members)


def _handles(rng: Rng, bank: Bank, count: int) -> list[str]:
    """Names of accounts, several of them easily mistaken for another one."""
    handles: dict[str, None] = {}
    for one, other in rng.sample(_TWINS, 7):
        ending = rng.pick((rng.pick(bank.words), rng.pick(_LAST)))
        handles[f"{one}_{ending}"] = handles[f"{other}_{ending}"] = None
    while len(handles) < count:
        first, word, last = rng.pick(FIRST_NAMES), rng.pick(bank.words), rng.pick(_LAST)
        handles[
            rng.pick(
                (
                    f"{first}_{word}",
                    f"{word}_{first}",
                    f"{first}_{last}",
                    f"{word}{rng.between(11, 99)}",
                    f"{first}{last}",
                )
            )
        ] = None
    return rng.shuffled(tuple(handles))
