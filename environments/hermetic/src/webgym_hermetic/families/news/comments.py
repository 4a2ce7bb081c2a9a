"""What other readers wrote below an article."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache

from webgym.records.base import Record
from webgym.rng import Rng
from webgym_hermetic.families.news.people import people
from webgym_hermetic.families.news.records import World
from webgym_hermetic.kit.data import Table, read_table


class CommentTexts(Table, frozen=True):
    """What readers write below articles and below pages of manuals."""

    news: tuple[str, ...]
    docs: tuple[str, ...]


@cache
def _texts() -> CommentTexts:
    return read_table(__name__, CommentTexts)


class Comment(Record, frozen=True):
    """A comment that was there before the session."""

    id: str
    name: str
    date: str
    text: str
    likes: int


def comments(world: World, slug: str) -> tuple[Comment, ...]:
    """The comments below an article, newest first; each by somebody else."""
    rng = Rng(world.seed, "comments", slug)
    texts = _texts().docs if world.kind == "docs" else _texts().news
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
