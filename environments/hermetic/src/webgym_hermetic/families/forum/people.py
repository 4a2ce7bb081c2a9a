"""The members of a forum."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache

from webgym.rng import Rng
from webgym_hermetic.families.forum.communities.bank import Bank
from webgym_hermetic.families.forum.records import Member
from webgym_hermetic.kit.data import Table, read_table


class MemberWords(Table, frozen=True):
    """What members are called, where they live, and what they are given."""

    towns: tuple[str, ...]
    first_names: tuple[str, ...]
    last: tuple[str, ...]
    twins: tuple[tuple[str, str], ...]
    """Names that are easily taken for each other."""
    badges: tuple[str, ...]


@cache
def member_words() -> MemberWords:
    return read_table(__name__, MemberWords)


_ROLES = (("Member", 55), ("Regular", 28), ("Veteran", 12))


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
                location=draw.pick(member_words().towns),
                posts=posts[index],
                reputation=reputations[index],
                gear=draw.pick(bank.gear),
                signature=draw.pick(bank.signatures) if draw.chance(0.6) else "",
                badges=tuple(draw.sample(member_words().badges, draw.between(1, 5))),
                online=draw.chance(0.2),
            )
        )
    return tuple(members)


def _handles(rng: Rng, bank: Bank, count: int) -> list[str]:
    """Names of accounts, several of them easily mistaken for another one."""
    handles: dict[str, None] = {}
    for one, other in rng.sample(member_words().twins, 7):
        ending = rng.pick((rng.pick(bank.words), rng.pick(member_words().last)))
        handles[f"{one}_{ending}"] = handles[f"{other}_{ending}"] = None
    while len(handles) < count:
        first, word, last = rng.pick(member_words().first_names), rng.pick(bank.words), rng.pick(member_words().last)
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
