"""What readers find beside the articles: events, adverts, polls, newsletters, plans."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache

from webgym.rng import Rng
from webgym_hermetic.families.news.bank import Flavour, lists
from webgym_hermetic.families.news.papers import Paper
from webgym_hermetic.families.news.people import name_id, person
from webgym_hermetic.families.news.records import Advert, Event, Letter, Plan, Poll
from webgym_hermetic.families.news.slots import capital, fill
from webgym_hermetic.kit.data import Table, read_table


class ListingWords(Table, frozen=True):
    """What events, adverts and polls are made of."""

    event_titles: tuple[str, ...]
    """Each with the place of its category among those of the paper."""
    advert_titles: tuple[str, ...]
    event_texts: tuple[str, ...]
    advert_texts: tuple[str, ...]
    news_polls: tuple[tuple[str, tuple[str, ...]], ...]
    docs_polls: tuple[tuple[str, tuple[str, ...]], ...]


@cache
def _words() -> ListingWords:
    return read_table(__name__, ListingWords)


_NAMES = """
    library walk exhibition artist park street bookshop play restaurant district maker company museum town bakery
""".split()


def draw_events(source: Paper | Flavour, product: str, today: str, rng: Rng) -> tuple[Event, ...]:
    """Events of the weeks ahead, soonest first; no two have the same title."""
    made: dict[str, Event] = {}
    for number in range(rng.between(30, 40)):
        own = rng.fork("event", number)
        kind, title = _title(source, product, _words().event_titles, own, adverts=False)
        day = date.fromisoformat(today) + timedelta(days=own.between(1, 85))
        venues = source.event_venues if isinstance(source, Flavour) else _venues(own)
        event = Event(
            id=name_id(title),
            title=title,
            kind=kind,
            date=day.isoformat(),
            time=f"{own.between(10, 20)}:{own.pick(('00', '30'))}",
            venue=own.pick(venues),
            price=0 if own.chance(0.2) else own.between(4, 60) * 50,
            host=person(own),
            places=own.between(12, 240),
            text=own.pick(_words().event_texts),
        )
        made.setdefault(event.id, event)
    return tuple(sorted(made.values(), key=lambda one: (one.date, one.time, one.id)))


def draw_adverts(source: Paper | Flavour, product: str, today: str, rng: Rng) -> tuple[Advert, ...]:
    """Adverts, newest first; no two have the same title or price."""
    made: dict[str, Advert] = {}
    prices: set[int] = set()
    low, high = source.advert_price if isinstance(source, Flavour) else (5, 900)
    for number in range(rng.between(36, 48)):
        own = rng.fork("advert", number)
        kind, title = _title(source, product, _words().advert_titles, own, adverts=True)
        price = own.between(low * 2, high * 2) * 50
        if name_id(title) in made or price in prices:
            continue
        prices.add(price)
        made[name_id(title)] = Advert(
            id=name_id(title),
            title=title,
            kind=kind,
            price=price,
            town=own.pick(lists()["town"]),
            posted=(date.fromisoformat(today) - timedelta(days=own.between(0, 40))).isoformat(),
            seller=person(own),
            phone=f"555-{own.between(0, 9999):04d}",
            text=own.pick(_words().advert_texts),
        )
    return tuple(sorted(made.values(), key=lambda one: (one.posted, one.id), reverse=True))


def draw_polls(brand: str, *, docs: bool, rng: Rng) -> tuple[Poll, ...]:
    made: list[Poll] = []
    for question, answers in rng.sample(_words().docs_polls if docs else _words().news_polls, 4):
        own = rng.fork("poll", question)
        teams = own.sample(lists()["football"], 3)
        known = {key: own.pick(lists()[key]) for key in ("district", "park", "street")}
        known |= {"football": teams[0], "football2": teams[1], "football3": teams[2], "brand": brand}
        texts = [fill(one, known) for one in answers]
        votes = [one * 7 for one in own.sample(range(9, 140), len(texts))]
        made.append(
            Poll(
                id=name_id(fill(question, known))[:40].strip("-"),
                question=fill(question, known),
                options=tuple((name_id(text), text) for text in texts),
                votes=tuple(votes),
            )
        )
    return tuple(made)


def draw_letters(names: tuple[str, ...], *, docs: bool, rng: Rng) -> tuple[Letter, ...]:
    """Newsletters: some for everyone, some about sections."""
    general = (
        ("Release announcements", "Every new edition, on the day it appears"),
        ("Security notes", "Rare and important"),
        ("Tips and tricks", "One short hint"),
    )
    if not docs:
        general = (
            ("Morning briefing", "Five stories before breakfast"),
            ("Weekend edition", "Long reads for slow days"),
            ("Breaking news", "Only when it matters"),
        )
    special = [(f"{name} {rng.pick(('notes', 'letter', 'digest'))}", f"All about {name.lower()}") for name in names[:5]]
    return tuple(Letter(name_id(title), title, text) for title, text in (*general, *special))


def draw_plans(*, docs: bool, rng: Rng) -> tuple[Plan, ...]:
    names = (("Reader", "Plus", "Complete", "Family"), ("Basic", "Digital", "Print and digital", "Household"))
    docs_names = (("Community", "Standard", "Professional", "Team"), ("Starter", "Care", "Care Plus", "Business"))
    texts = ("For occasional readers", "For every day", "Everything we make", "For up to five people")
    made: list[Plan] = []
    price = rng.between(3, 7) * 100 + 99
    devices, archive = 1, rng.between(1, 3)
    for name, text in zip(rng.pick(docs_names if docs else names), texts, strict=True):
        yearly = price * 10 + rng.between(0, 9) * 100
        made.append(Plan(name_id(name), name, price, yearly, devices, archive, text))
        price += rng.between(4, 11) * 100
        devices += rng.between(1, 3)
        archive += rng.between(2, 12)
    return tuple(made)


def _title(
    source: Paper | Flavour, product: str, patterns: tuple[str, ...], rng: Rng, *, adverts: bool
) -> tuple[str, str]:
    """A category and a title that fits it."""
    known = {"count": str(rng.between(2, 12)), "product": product}
    if isinstance(source, Flavour):
        patterns = source.advert_titles if adverts else source.event_titles
        known |= {key: rng.pick(options) for key, options in source.lists.items()}
    else:
        known |= {key: rng.pick(lists()[key]) for key in _NAMES}
    known |= {f"{key}_low": text[:1].lower() + text[1:] for key, text in known.items()}
    known |= {f"{key}_cap": capital(text) for key, text in known.items() if not key.endswith("_low")}
    kind, _, pattern = rng.pick(patterns).partition(" | ")
    if isinstance(source, Paper):
        kind = (source.advert_kinds if adverts else source.event_kinds)[int(kind)]
    return kind, capital(fill(pattern, known))


def _venues(rng: Rng) -> tuple[str, ...]:
    return tuple(capital(rng.pick(lists()[key])) for key in ("library", "park", "museum", "theatre", "street"))
