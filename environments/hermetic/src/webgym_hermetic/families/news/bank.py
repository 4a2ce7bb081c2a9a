"""The words that articles and pages are made of, from the files in `bank/`."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from webgym.records.base import Record

_HERE = Path(__file__).parent / "bank"
_OPENING_QUOTE = re.compile(r'(^|[\s(])"')
NEWS_FILES = ("civic", "science", "business", "sports", "city", "food")


class Story(Record, frozen=True):
    """A kind of article: patterns, and the slots that fill them."""

    name: str
    tags: tuple[str, ...]
    picture: str
    headlines: tuple[str, ...]
    standfirsts: tuple[str, ...]
    paragraphs: tuple[str, ...]
    slots: dict[str, str]
    """Slot to how it is drawn: `number 3 14`, `pick town`, `date 4 30`, `person`."""
    asks: dict[str, str]
    """Slot to what one can ask about it."""
    annual: bool = False
    """Whether it comes again every year, about the same things: its `keep` slots."""
    keep: tuple[str, ...] = ()


class Filler(Record, frozen=True):
    """Texts that are not about anything in particular."""

    paragraphs: tuple[str, ...]
    quotes: tuple[str, ...]
    people: tuple[str, ...]
    corrections: tuple[str, ...]
    faq: tuple[tuple[str, str], ...]


class Chapter(Record, frozen=True):
    """A chapter of a manual."""

    id: str
    title: str
    icon: str
    blurb: str
    titles: tuple[str, ...]
    summaries: tuple[str, ...]
    paragraphs: tuple[str, ...]
    steps: tuple[str, ...]
    rows: tuple[str, ...] = ()
    """Names of the rows that fit; all of them if none are named."""


class Flavour(Record, frozen=True):
    """A kind of documentation."""

    name: str
    products: tuple[str, ...]
    tagline: str
    kicker: str
    row_heads: tuple[str, str, str, str]
    row_word: str
    value_word: str
    version_word: str
    rows_title: str
    steps_title: str
    code: bool
    versions: tuple[str, str]
    releases: tuple[str, ...]
    release_title: str
    release_changes: tuple[str, ...]
    codes_title: str
    codes_heads: tuple[str, ...]
    codes_prefix: str
    codes: tuple[str, ...]
    lists: dict[str, tuple[str, ...]]
    chapters: tuple[Chapter, ...]
    rows: tuple[str, ...]
    row_lists: dict[str, tuple[str, ...]]
    event_kinds: tuple[str, ...]
    event_titles: tuple[str, ...]
    event_venues: tuple[str, ...]
    advert_kinds: tuple[str, ...]
    advert_titles: tuple[str, ...]
    advert_price: tuple[int, int]
    price_word: str


@cache
def stories() -> dict[str, Story]:
    """Every kind of article by name."""
    return {entry["name"]: _story(entry) for name in NEWS_FILES for entry in _file(name)["story"]}


@cache
def lists() -> dict[str, tuple[str, ...]]:
    """Names of places, people's things, companies: what `pick` slots take from."""
    files = [_file(name) for name in ("places", *NEWS_FILES)]
    return {key: tuple(curly(one) for one in words) for file in files for key, words in file.get("lists", {}).items()}


@cache
def flavour(name: str) -> Flavour:
    """A kind of documentation: library, appliance, service or wiki."""
    file = _file(f"docs_{name}")
    codes, events, adverts, rows = file["codes"], file["events"], file["adverts"], file["rows"]
    heads: Any = tuple(file["row_heads"])
    versions: Any = tuple(file["versions"])
    return Flavour(
        name=file["name"],
        products=tuple(file["products"]),
        tagline=file["tagline"],
        kicker=file["kicker"],
        row_heads=heads,
        row_word=file["row_word"],
        value_word=file["value_word"],
        version_word=file["version_word"],
        rows_title=file["rows_title"],
        steps_title=file["steps_title"],
        code=file["code"],
        versions=versions,
        releases=tuple(file["releases"]),
        release_title=file["release_title"],
        release_changes=_texts(file["release_changes"]),
        codes_title=codes["title"],
        codes_heads=tuple(codes["heads"]),
        codes_prefix=codes["prefix"],
        codes=_texts(codes["entries"]),
        lists={key: tuple(words) for key, words in file["lists"].items()},
        chapters=tuple(_chapter(entry) for entry in file["chapter"]),
        rows=_texts(rows["all"]),
        row_lists={key: tuple(words) for key, words in rows["lists"].items()},
        event_kinds=tuple(events["kinds"]),
        event_titles=_texts(events["titles"]),
        event_venues=tuple(events["venues"]),
        advert_kinds=tuple(adverts["kinds"]),
        advert_titles=_texts(adverts["titles"]),
        advert_price=(adverts["low"], adverts["high"]),
        price_word=adverts["price_word"],
    )


@cache
def filler() -> Filler:
    """What fits any article."""
    file = _file("filler")
    return Filler(
        _texts(file["paragraphs"]),
        _texts(file["quotes"]),
        tuple(file["people"]),
        tuple(file["corrections"]),
        tuple((question, reply) for question, reply in file["faq"]),
    )


def curly(text: str) -> str:
    """The same text with typographic quotes and apostrophes."""
    return _OPENING_QUOTE.sub("\\1\u201c", text).replace('"', "\u201d").replace("'", "\u2019")


def _story(entry: dict[str, Any]) -> Story:
    return Story(
        name=entry["name"],
        tags=tuple(entry["tags"]),
        picture=entry["picture"],
        headlines=_texts(entry["headlines"]),
        standfirsts=_texts(entry["standfirsts"]),
        paragraphs=_texts(entry["paragraphs"]),
        slots=entry["slots"],
        asks={slot: curly(ask) for slot, ask in entry["asks"].items()},
        annual=entry.get("annual", False),
        keep=tuple(entry.get("keep", ())),
    )


def _chapter(entry: dict[str, Any]) -> Chapter:
    return Chapter(
        id=entry["id"],
        title=entry["title"],
        icon=entry["icon"],
        blurb=entry["blurb"],
        titles=tuple(entry["titles"]),
        summaries=_texts(entry["summaries"]),
        paragraphs=_texts(entry["paragraphs"]),
        steps=_texts(entry["steps"]),
        rows=tuple(entry.get("rows", ())),
    )


def _texts(patterns: list[str]) -> tuple[str, ...]:
    return tuple(curly(pattern) for pattern in patterns)


def _file(name: str) -> dict[str, Any]:
    return tomllib.loads((_HERE / f"{name}.toml").read_text(encoding="utf-8"))
