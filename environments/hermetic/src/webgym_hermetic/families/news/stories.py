"""Articles of a paper: drawn from stories, told in paragraphs."""

from __future__ import annotations

from datetime import date, timedelta

import msgspec

from webgym.rng import Rng
from webgym_hermetic.families.news.bank import Story, filler, lists, stories
from webgym_hermetic.families.news.papers import Paper
from webgym_hermetic.families.news.people import name_id
from webgym_hermetic.families.news.records import Article, Author
from webgym_hermetic.families.news.slots import capital, draw, fill, words

OLDEST_DAYS = 430


def articles(paper: Paper, writers: tuple[Author, ...], today: str, rng: Rng) -> tuple[Article, ...]:
    """All articles of a paper, newest first, no two with the same headline or published in the same minute."""
    made: dict[str, Article] = {}
    stamps: set[str] = set()
    for number in range(rng.between(98, 132)):
        own = rng.fork("article", number)
        column = paper.sections[number % len(paper.sections)]
        section, story = column.section, stories()[own.pick(column.stories)]
        stamp = _stamp(own, today, stamps, OLDEST_DAYS // 2 if story.annual else OLDEST_DAYS)
        author = own.pick(writers).id
        first = _article(story, section.id, author, stamp, own)
        if first.slug in made:
            continue
        if story.annual and own.chance(0.75):
            earlier = _stamp_near(own, _year_before(stamp), stamps)
            kept = {slot: first.slots[slot] for slot in story.keep}
            second = _article(story, section.id, own.pick(writers).id, earlier, own.fork("twin"), kept)
            if second.slug not in made and second.slug != first.slug:
                made[second.slug] = _twinned(second, first.slug)
                first = _twinned(first, second.slug)
                stamps.add(earlier)
        made[first.slug] = first
        stamps.add(stamp)
    return tuple(sorted(made.values(), key=lambda one: one.stamp, reverse=True))


def paragraphs(article: Article, seed: str) -> tuple[str, ...]:
    """The text of an article."""
    story = stories()[article.story]
    rng = Rng(seed, "text", article.slug)
    known = _words(story, article)
    told = [fill(pattern, known) for pattern in story.paragraphs]
    for pattern in rng.sample(filler().paragraphs, max(0, article.minutes - 3)):
        extra = {
            "quote": rng.pick(filler().quotes),
            "someone": _bystander(rng, known),
            "many": str(rng.between(3, 9) * 100),
        }
        told.insert(rng.between(1, len(told)), fill(pattern, extra))
    return tuple(told)


def caption(article: Article, seed: str) -> str:
    """What is said below the picture."""
    rng = Rng(seed, "caption", article.slug)
    tag = capital(rng.pick(article.tags))
    return rng.pick((f"{tag} in the news. Illustration", f"{tag}: file picture", f"Illustration: {article.title}"))


def story_of(article: Article) -> Story:
    return stories()[article.story]


def ask(article: Article, slot: str) -> str:
    """What one can ask about a slot of an article."""
    story = stories()[article.story]
    return fill(story.asks[slot], _words(story, article))


def _words(story: Story, article: Article) -> dict[str, str]:
    return {**words(story.slots, article.slots), "year": article.stamp[:4]}


def _article(
    story: Story, section: str, author: str, stamp: str, rng: Rng, kept: dict[str, str] | None = None
) -> Article:
    values = _values(story, stamp, rng, kept or {})
    known = {**words(story.slots, values), "year": stamp[:4]}
    title = capital(fill(rng.pick(story.headlines), known))
    correction = rng.pick(filler().corrections) if rng.chance(0.12) else ""
    return Article(
        slug=name_id(title),
        title=title,
        standfirst=capital(fill(rng.pick(story.standfirsts), known)),
        section=section,
        author=author,
        stamp=stamp,
        minutes=rng.between(3, 8),
        tags=story.tags,
        picture=story.picture,
        story=story.name,
        slots=values,
        correction=correction,
    )


def _values(story: Story, stamp: str, rng: Rng, kept: dict[str, str]) -> dict[str, str]:
    """A value for each slot. No name or place twice."""
    values = dict(kept)
    for slot, spec in story.slots.items():
        if slot in values:
            continue
        value = draw(spec, rng, lists(), stamp[:10])
        for _ in range(8):
            if not spec.startswith(("pick", "person")) or value not in values.values():
                break
            value = draw(spec, rng, lists(), stamp[:10])
        if value:
            values[slot] = value
    return values


def _stamp(rng: Rng, today: str, taken: set[str], oldest: int) -> str:
    """More recent articles are more common."""
    while True:
        age = int(rng.unit() ** 2 * oldest)
        day = date.fromisoformat(today) - timedelta(days=age)
        stamp = f"{day.isoformat()}T{rng.between(6, 17):02d}:{rng.between(0, 11) * 5:02d}"
        if stamp not in taken:
            return stamp


def _stamp_near(rng: Rng, day: date, taken: set[str]) -> str:
    while True:
        near = day + timedelta(days=rng.between(-6, 6))
        stamp = f"{near.isoformat()}T{rng.between(6, 17):02d}:{rng.between(0, 11) * 5:02d}"
        if stamp not in taken:
            return stamp


def _year_before(stamp: str) -> date:
    """About the same day of the year before, kept away from the turn of the year so that the years differ."""
    day = date.fromisoformat(stamp[:10])
    safe = min(max(day.timetuple().tm_yday, 8), 358)
    return date(day.year - 1, 1, 1) + timedelta(days=safe - 1)


def _twinned(article: Article, twin: str) -> Article:
    return msgspec.structs.replace(article, twin=twin)


def _bystander(rng: Rng, known: dict[str, str]) -> str:
    roles = filler().people
    town = known.get("town", "")
    return f"{rng.pick(roles)} from {town}" if town else rng.pick(roles)
