"""What other readers wrote below an article."""

from __future__ import annotations

from datetime import date, timedelta

from webgym.records.base import Record
from webgym.rng import Rng
from webgym.sites.families.news.people import people
from webgym.sites.families.news.records import World


class Comment(Record, frozen=True):
    """A comment that was there before the session."""

    id: str
    name: str
    date: str
    text: str
    likes: int


_NEWS = (
    "I read this twice and still think the second half is the more interesting one.",
    "Good piece. I would have liked to hear from the people who were there.",
    "My neighbour said exactly the same thing last week.",
    "Could somebody explain where that figure comes from?",
    "This is the kind of story I come here for.",
    "I was there. It was colder than it looks in the picture.",
    "We had the same in our street ten years ago, and it worked out in the end.",
    "The headline promises a little more than the article holds.",
    "Thank you for the numbers. Everyone else only printed opinions.",
    "Not convinced. Let us talk again in two years.",
    "Please follow this up in the autumn.",
    "I do not agree with a word of it, but it is well written.",
)
_DOCS = (
    "This took me an hour to find. Maybe mention it on the first page?",
    "Works as described. I only had to restart once.",
    "The table was exactly what I needed, thank you.",
    "Careful: the value differs from the one in the older edition.",
    "A picture of the second step would help.",
    "I followed the steps in a different order and that did not go well.",
    "Same here. The fourth step is easy to miss.",
    "Is there a printable edition of this page?",
    "The limit given here is on the safe side; ours is higher.",
    "Solved my problem in five minutes.",
    "The wording of the second paragraph confused me at first.",
    "Could you add an example with real numbers?",
)


def comments(world: World, slug: str) -> tuple[Comment, ...]:
    """The comments below an article, newest first; each by somebody else."""
    rng = Rng(world.seed, "comments", slug)
    texts = _DOCS if world.kind == "docs" else _NEWS
    count = rng.between(2, 5)
    published = date.fromisoformat(world.by_slug[slug].stamp[:10])
    ages = sorted(rng.sample(range(12), count), reverse=True)
    last = date.fromisoformat(world.today)
    likes = rng.sample(range(1, 60), count)
    return tuple(
        Comment(f"c{number}", name, min(last, published + timedelta(days=age)).isoformat(), text, liked)
        for number, (name, age, text, liked) in enumerate(
            zip(people(rng, count), ages, rng.sample(texts, count), likes, strict=True), start=1
        )
    )
