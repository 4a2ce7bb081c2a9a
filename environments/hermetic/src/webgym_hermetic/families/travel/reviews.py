"""What guests wrote about a hotel: computed when someone asks."""

from __future__ import annotations

from webgym.records.base import Record
from webgym.rng import Rng
from webgym_hermetic.families.travel import words
from webgym_hermetic.families.travel.words import travel_words
from webgym_hermetic.families.travel.world import Hotel, ahead


class GuestReview(Record, frozen=True):
    """One guest's words."""

    id: str
    author: str
    party: str
    day: str
    score: int
    """Of 10."""
    title: str
    text: str


def reviews(hotel: Hotel, today: str) -> tuple[GuestReview, ...]:
    """The newest ones first; no two by guests of the same name."""
    rng = Rng("reviews", hotel.id, hotel.phone)
    firsts = rng.sample(travel_words().first_names, rng.between(5, 8))
    days = 3
    made: list[GuestReview] = []
    for number, first in enumerate(firsts):
        days += rng.between(2, 40)
        made.append(
            GuestReview(
                id=f"{number + 1}",
                author=f"{first} {rng.pick(travel_words().last_names)}",
                party=rng.pick(words.PARTIES),
                day=ahead(today, -days),
                score=max(3, min(10, round(hotel.score / 10) + rng.between(-3, 2))),
                title=rng.pick(travel_words().review_titles),
                text=" ".join(rng.sample(travel_words().review_lines, rng.between(2, 3))),
            )
        )
    return tuple(made)
