"""What customers wrote about products."""

from __future__ import annotations

from datetime import date, timedelta

from webgym.records.base import Record
from webgym.rng import Rng
from webgym_hermetic.families.shop.people import shop_names
from webgym_hermetic.families.shop.records import Product, World
from webgym_hermetic.families.shop.words import shop_words


class Review(Record, frozen=True):
    """One customer's opinion."""

    author: str
    stars: int
    title: str
    body: str
    day: str


def reviews_of(world: World, product: Product) -> tuple[Review, ...]:
    """The reviews shown with a product, newest first. No two share a title or an author."""
    rng = Rng("reviews", world.seed, product.sku)
    count = min(product.reviews, rng.between(4, 7))
    words, names = shop_words(), shop_names()
    praise, mixed, blame = rng.shuffled(words.praise), rng.shuffled(words.mixed), rng.shuffled(words.blame)
    first, last = rng.sample(names.first, count), rng.sample(names.last, count)
    day = date.fromisoformat(world.today)
    made: list[Review] = []
    for index in range(count):
        day -= timedelta(days=rng.between(2, 40))
        drawn = rng.weighted(((5, product.rating - 25), (4, 8), (3, 5), (2, 50 - product.rating)))
        pool = praise if drawn >= 4 else mixed if drawn == 3 else blame
        title, body = (pool or praise).pop()
        made.append(Review(f"{first[index]} {last[index][0]}.", drawn, title, body, day.isoformat()))
    return tuple(made)
