"""The catalogue of a shop, drawn from its trade."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from webgym.rng import Rng
from webgym_hermetic.families.shop.people import person
from webgym_hermetic.families.shop.records import Category, Option, Product
from webgym_hermetic.families.shop.trades.trade import Kind, Shelf, Trade
from webgym_hermetic.families.shop.words import shop_words

_JOINTS = ("{} \u2013 {}", "{}, {}", "{} ({})", "{} / {}")


def slug(text: str) -> str:
    """Text as part of an address."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower().replace("\u00e9", "e").replace("\u00b0", "").replace("'", "")).strip(
        "-"
    )


@dataclass(frozen=True, slots=True)
class _Line:
    """Products that differ in one thing."""

    title: str
    kind: Kind
    brand: str
    material: str
    colour: str
    base: int
    grams: int
    warranty: int
    specs: tuple[tuple[str, str], ...]
    option: Option | None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a product stands, and how this shop writes names and prices."""

    category: str
    shelf: Shelf
    rank: int
    joint: str
    cents: int


def categories(rng: Rng, trade: Trade) -> tuple[Category, ...]:
    """Five to eight categories of the trade."""
    chosen = rng.sample(range(len(trade.shelves)), rng.between(5, min(8, len(trade.shelves))))
    shelves = [trade.shelves[index] for index in sorted(chosen)]
    return tuple(
        Category(
            slug=slug(shelf.name),
            name=shelf.name,
            icon=shelf.icon,
            blurb="For {}, {} and everything in between.".format(*rng.sample(shelf.uses, 2)),
            picture=shelf.kinds[0].picture,
        )
        for shelf in shelves
    )


def products(rng: Rng, trade: Trade, kept: tuple[Category, ...]) -> tuple[Product, ...]:
    """Everything for sale, category by category, in the shop's own order within each."""
    makers = tuple(rng.sample(trade.makers, rng.between(5, 7)))
    joint = rng.pick(_JOINTS)
    cents = rng.pick((99, 95, 0, 50))
    words = shop_words()
    models = rng.shuffled(words.models[trade.models])
    titles = rng.shuffled(
        [(f"{first} {one}", f"{first} {other}") for first in words.title_first for one, other in words.title_last]
    )
    made: list[Product] = []
    for index, category in enumerate(kept):
        shelf = next(one for one in trade.shelves if one.name == category.name)
        branch = rng.fork("category", category.slug)
        pairs = (titles if shelf.titled else models)[index :: len(kept)]
        goods = list(_goods(branch, trade, shelf, makers, pairs))[: branch.between(12, 16)]
        for rank, place in enumerate(branch.shuffled(range(len(goods)))):
            line, variant, step = goods[place]
            made.append(_product(_Place(category.slug, shelf, rank, joint, cents), line, variant, step, branch))
    return tuple(made)


def _goods(
    rng: Rng, trade: Trade, shelf: Shelf, makers: tuple[str, ...], pairs: list[tuple[str, str]]
) -> Iterator[tuple[_Line, str, int]]:
    """Lines one after the other, each with its variants and how big they are."""
    label, values = shelf.axis
    values = values or tuple(rng.sample(trade.colours, 5))
    for title, kind in _titles(rng, shelf, pairs):
        line = _line(rng, trade, shelf, makers, title, kind)
        count = rng.weighted(((1, 2), (2, 4), (3, 3)))
        steps = sorted(rng.sample(range(len(values)), count))
        for step in steps:
            yield line, f"{label}:{values[step]}", step


def _titles(rng: Rng, shelf: Shelf, pairs: list[tuple[str, str]]) -> Iterator[tuple[str, Kind]]:
    """Names that are easily mixed up: similar models of one kind, or one model of several kinds."""
    for one, other in pairs:
        kind = rng.pick(shelf.kinds)
        yield (one if shelf.titled else f"{one} {kind.name}"), kind
        if rng.chance(0.5):
            yield (other if shelf.titled else f"{other} {kind.name}"), kind
        elif not shelf.titled:
            second = rng.pick([each for each in shelf.kinds if each != kind])
            yield f"{one} {second.name}", second


def _line(rng: Rng, trade: Trade, shelf: Shelf, makers: tuple[str, ...], title: str, kind: Kind) -> _Line:
    option = None
    if shelf.option and "option" not in kind.lacks and rng.chance(0.75):
        label, values = shelf.option
        option = Option(label, values, tuple(value for value in values[1:] if rng.chance(0.12)))
    own = (("Author", person(rng)),) if shelf.titled else ()
    return _Line(
        title=title,
        kind=kind,
        brand=rng.pick(makers),
        material=rng.pick(trade.materials),
        colour=rng.pick(trade.colours),
        base=rng.between(kind.low, kind.high),
        grams=rng.between(*shelf.grams),
        warranty=rng.pick((12, 24, 24, 36, 60, 120)),
        specs=(*own, *((name, rng.pick(values)) for name, values in shelf.specs if name not in kind.lacks)),
        option=option,
    )


def _product(place: _Place, line: _Line, variant: str, step: int, rng: Rng) -> Product:
    label, _, value = variant.partition(":")
    by_colour = label == "Colour"
    colour = value if by_colour else line.colour
    dollars = line.base + rng.pick((0, 0, 4, 9)) if by_colour else int(line.base * (1 + 0.16 * step)) + rng.below(4)
    price = max(dollars * 100 - (100 - place.cents) % 100, 250)
    was = (price * rng.pick((115, 125, 130, 140)) // 10000 + 1) * 100 if rng.chance(0.22) else 0
    stock = rng.weighted(((0, 13), (rng.between(1, 5), 15), (rng.between(12, 80), 72)))
    fast = rng.between(1, 4)
    blurb, points = _described(line, place.shelf, rng)
    grams = line.grams if by_colour else int(line.grams * (1 + 0.2 * step))
    return Product(
        sku=slug(f"{line.title} {value}"),
        title=line.title,
        variant=value,
        name=place.joint.format(line.title, value),
        line=slug(line.title),
        category=place.category,
        kind=line.kind.name,
        brand=line.brand,
        colour=colour,
        price=price,
        was=was,
        rating=rng.weighted(((rng.between(43, 49), 5), (rng.between(36, 42), 4), (rng.between(26, 35), 1.5))),
        reviews=rng.weighted(((rng.between(3, 40), 5), (rng.between(41, 400), 4), (rng.between(401, 2400), 1))),
        stock=stock,
        days=(fast, fast + rng.between(1, 4)),
        warranty=line.warranty,
        specs=(
            ("Colour", colour),
            *(() if by_colour else ((label, value),)),
            ("Material", line.material),
            *line.specs,
            ("Shipping weight", _weight(grams)),
            ("Warranty", f"{line.warranty} months"),
            ("Item number", f"{rng.between(100, 999)}.{rng.between(100, 999)}.{rng.between(10, 99)}"),
        ),
        blurb=blurb,
        points=points,
        picture=f"product:{line.kind.picture}:{shop_words().paint[colour]}",
        rank=place.rank,
        option=line.option,
    )


def _described(line: _Line, shelf: Shelf, rng: Rng) -> tuple[str, tuple[str, ...]]:
    """A paragraph and some points."""
    features = rng.sample(shelf.features, 3)
    kind = line.kind.name
    blurb = rng.pick(shop_words().blurbs).format(
        use=rng.pick(shelf.uses),
        feature=features[0],
        feature_low=features[0][0].lower() + features[0][1:],
        title=line.title,
        kind_low=kind.lower(),
        maker=line.brand,
    )
    return blurb, tuple(features[1:])


def _weight(grams: int) -> str:
    return f"{grams} g" if grams < 1000 else f"{grams / 1000:.1f} kg"
