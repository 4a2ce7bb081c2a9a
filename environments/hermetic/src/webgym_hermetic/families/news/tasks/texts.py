"""Texts that tasks ask to be entered: names, addresses, subjects, remarks."""

from __future__ import annotations

from functools import cache

from webgym.rng import Rng
from webgym_hermetic.families.news.bank import lists
from webgym_hermetic.families.news.people import name_id, person
from webgym_hermetic.families.news.records import World
from webgym_hermetic.kit.data import Table, read_table


class ReaderTexts(Table, frozen=True):
    """Texts that tasks ask to be entered."""

    remarks: tuple[str, ...]
    suggestions: tuple[str, ...]
    subjects: tuple[str, ...]
    messages: tuple[str, ...]
    events: tuple[str, ...]
    adverts: tuple[str, ...]
    descriptions: tuple[str, ...]
    venues: tuple[str, ...]
    codes: tuple[str, ...]


@cache
def reader_texts() -> ReaderTexts:
    return read_table(__name__, ReaderTexts)


def email(rng: Rng) -> str:
    return f"{name_id(person(rng)).replace('-', '.')}@{rng.pick(('example.org', 'example.net', 'mail.example'))}"


def text_for(rng: Rng, world: World, form: str, field: str) -> str:
    """Something to write into a field of a form."""
    del world
    simple = {
        "subject": reader_texts().subjects,
        "code": reader_texts().codes,
        "venue": reader_texts().venues,
        "title": reader_texts().events if form == "event" else reader_texts().adverts,
    }
    match field:
        case "town" | "city":
            return rng.pick(lists()["town"])
        case "name":
            return person(rng)
        case "street":
            return f"{rng.between(2, 98)} {rng.pick(lists()['street'])}".replace("\u2019", "'")
        case "postcode":
            return str(rng.between(10000, 99999))
        case "text":
            return rng.pick(reader_texts().descriptions)
        case _:
            return rng.pick(simple.get(field, reader_texts().messages))
