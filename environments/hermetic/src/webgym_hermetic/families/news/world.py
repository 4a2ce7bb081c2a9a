"""Generates the world of a news or documentation site from its seed."""

from __future__ import annotations

from datetime import date, timedelta

from webgym.rng import Rng
from webgym_hermetic.families.news import docs, stories
from webgym_hermetic.families.news.bank import Flavour, flavour, lists
from webgym_hermetic.families.news.boards import docs_boards, news_boards, plans_board
from webgym_hermetic.families.news.forms import draw_forms
from webgym_hermetic.families.news.labels import docs_labels, news_labels
from webgym_hermetic.families.news.listings import draw_adverts, draw_events, draw_letters, draw_plans, draw_polls
from webgym_hermetic.families.news.papers import Paper, papers
from webgym_hermetic.families.news.people import name_id, people, person
from webgym_hermetic.families.news.records import Article, Author, Board, Kind, Release, Section, World
from webgym_hermetic.families.news.slots import fill
from webgym_hermetic.site import Site

DOCS_STRUCTURES = ("manual", "wiki")
MIXED_STRUCTURES = ("reader",)
"""Either a manual or a paper."""
_FLAVOURS = ("library", "appliance", "service", "wiki")


def draw_world(site: Site) -> World:
    """The world of a site."""
    rng = Rng(site.seed, "world")
    return _docs(site, rng) if kind_of(site) == "docs" else _news(site, rng)


def kind_of(site: Site) -> Kind:
    mixed = site.structure in MIXED_STRUCTURES and Rng(site.seed, "kind").chance(0.5)
    return "docs" if site.structure in DOCS_STRUCTURES or mixed else "news"


def _news(site: Site, rng: Rng) -> World:
    paper = rng.pick(papers())
    today = _today(rng)
    town = rng.pick(lists()["town"])
    sections = tuple(column.section for column in paper.sections)
    writers = _writers(paper.roles, 9, today, rng.fork("authors"))
    written = stories.articles(paper, writers, today, rng.fork("articles"))
    boards = news_boards(paper.boards, today, rng)
    tagline = fill(rng.pick(paper.taglines), {"town": town})
    return _assembled(site, rng, (paper, "news", town, tagline, today), (sections, writers, written, boards, (), ()))


def _docs(site: Site, rng: Rng) -> World:
    weights = (1, 1, 1, 3) if site.structure == "wiki" else (3, 2, 2, 1)
    manual = flavour(rng.weighted(tuple(zip(_FLAVOURS, weights, strict=True))))
    today = _today(rng)
    product = rng.pick(manual.products)
    sections = tuple(
        Section(chapter.id, chapter.title, chapter.icon, fill(chapter.blurb, {"product": product}))
        for chapter in manual.chapters
    )
    roles = ("Maintainer", "Technical writer", "Editor", "Support lead", "Reviewer")
    writers = _writers(roles, 7, today, rng.fork("authors"))
    written = docs.pages(manual, product, writers, today, rng.fork("pages"))
    releases = docs.releases(manual, today, rng.fork("releases"))
    boards = docs_boards(manual, releases, today, rng)
    tagline = fill(manual.tagline, {"product": product})
    parts = (sections, writers, written, boards, releases, manual.versions)
    return _assembled(site, rng, (manual, "docs", product, tagline, today), parts)


def _assembled(
    site: Site,
    rng: Rng,
    about: tuple[Paper | Flavour, Kind, str, str, str],
    parts: tuple[
        tuple[Section, ...],
        tuple[Author, ...],
        tuple[Article, ...],
        tuple[Board, ...],
        tuple[Release, ...],
        tuple[str, ...],
    ],
) -> World:
    source, kind, product, tagline, today = about
    sections, writers, written, boards, releases, versions = parts
    is_docs = kind == "docs"
    reader = person(rng.fork("reader"))
    email = f"{name_id(reader).replace('-', '.')}@example.com"
    labels = docs_labels(source) if isinstance(source, Flavour) else news_labels(rng.fork("labels"))
    plans = draw_plans(docs=is_docs, rng=rng.fork("plans"))
    letters = draw_letters(tuple(one.title for one in sections), docs=is_docs, rng=rng.fork("letters"))
    kinds = (source.event_kinds, source.advert_kinds)
    return World(
        seed=site.seed,
        brand=site.brand,
        kind=kind,
        flavour=source.name,
        product=product,
        tagline=tagline,
        today=today,
        reader=reader,
        email=email,
        labels=labels,
        sections=sections,
        authors=writers,
        articles=written,
        boards=(*boards, plans_board(plans)),
        events=draw_events(source, product, today, rng.fork("events")),
        adverts=draw_adverts(source, product, today, rng.fork("adverts")),
        polls=draw_polls(site.brand, docs=is_docs, rng=rng.fork("polls")),
        letters=letters,
        plans=plans,
        releases=releases,
        versions=versions,
        forms=draw_forms(labels, sections, kinds, letters, plans, (reader, email, today), docs=is_docs),
        by_slug={one.slug: one for one in written},
    )


def _today(rng: Rng) -> str:
    return (date(2026, 2, 10) + timedelta(days=rng.fork("today").between(0, 260))).isoformat()


def _writers(roles: tuple[str, ...], count: int, today: str, rng: Rng) -> tuple[Author, ...]:
    made: list[Author] = []
    for name in people(rng, count):
        own = rng.fork(name)
        town, joined = own.pick(lists()["town"]), own.between(2004, int(today[:4]) - 1)
        before = own.pick(lists()["company"])
        bio = own.pick(_BIOS).format(first=name.split()[0], joined=joined, town=town, before=before)
        made.append(Author(name_id(name), name, own.pick(roles), joined, town, bio))
    return tuple(made)


_BIOS = (
    "{first} joined in {joined} after six years at {before}. Lives in {town} and walks to work.",
    "Born in {town}, {first} came to us in {joined}. Before that: {before}, a bakery and a boat.",
    "{first} has written here since {joined}, most of the time about things that go wrong. Based in {town}.",
    "After studies in {town} and a spell at {before}, {first} joined the team in {joined}.",
)
