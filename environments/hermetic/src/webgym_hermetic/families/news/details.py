"""What can be asked about an article: each detail with its value and the values it may be mistaken for."""

from __future__ import annotations

from datetime import date, timedelta

from webgym.records.base import Record
from webgym_hermetic.answers import says_date, says_number, says_text
from webgym_hermetic.families.news import stories
from webgym_hermetic.families.news.bank import flavour
from webgym_hermetic.families.news.records import Article, World
from webgym_hermetic.families.news.slots import Answer, answer_kind, answer_value, long_day, shown


class Detail(Record, frozen=True):
    """One thing that can be asked."""

    name: str
    ask: str
    """A noun phrase: "how many weeks Mill Bridge will be closed"."""
    value: str
    kind: Answer
    shown: str
    """As it stands on the page."""
    rivals: tuple[str, ...] = ()
    version: str = ""
    """The version of the page that shows it, if it is not the same in all."""


def details(world: World, article: Article) -> tuple[Detail, ...]:
    """All that can be asked about what an article says."""
    return _row_details(world, article) if world.kind == "docs" else _story_details(world, article)


def byline(world: World, article: Article) -> tuple[Detail, ...]:
    """All that can be asked about the article itself."""
    labels, author = world.labels, world.author(article.author)
    others = tuple(one.name for one in world.authors if one != author)
    day = article.stamp[:10]
    return (
        Detail("author", f"who {labels.wrote} it", author.name, "text", author.name, others),
        Detail("date", f"the date shown as \u201c{labels.published.lower()}\u201d", day, "date", long_day(day)),
        Detail("minutes", "its reading time in minutes", str(article.minutes), "number", str(article.minutes)),
    )


def says(answer: str, detail: Detail, claim: str = "") -> bool:
    """Whether an answer states a detail, and none of its rivals."""
    value = claim or detail.value
    match detail.kind:
        case "number":
            rivals = tuple(float(one) for one in detail.rivals)
            return says_number(answer, float(value), rivals=rivals)
        case "date":
            return says_date(answer, value)
        case _:
            return says_text(answer, value, rivals=detail.rivals)


def wrong(detail: Detail) -> str:
    """A plausible value that is not the right one."""
    if detail.rivals:
        return detail.rivals[0]
    match detail.kind:
        case "number":
            number = float(detail.value)
            return f"{number + 1 + round(number / 10):g}" if number == int(number) else f"{number + 0.7:.2f}"
        case "date":
            return (date.fromisoformat(detail.value) + timedelta(days=9)).isoformat()
        case _:
            return "Otto Nilsson" if detail.value != "Otto Nilsson" else "Anna Berg"


def said(detail: Detail, value: str) -> str:
    """A value as a person would say it."""
    match detail.kind:
        case "date":
            return long_day(value)
        case "number" if value == detail.value:
            return detail.shown
        case _:
            return value


def _story_details(world: World, article: Article) -> tuple[Detail, ...]:
    story = stories.story_of(article)
    twin = world.by_slug.get(article.twin)
    found: list[Detail] = []
    for slot in story.asks:
        spec, raw = story.slots[slot], article.slots[slot]
        kind, value = answer_kind(spec), answer_value(spec, raw)
        rivals = _story_rivals(story.slots, slot, article, twin) if kind != "date" else ()
        rivals = tuple(one for one in rivals if one != value)
        found.append(Detail(slot, stories.ask(article, slot), value, kind, shown(spec, raw), rivals))
    return tuple(found)


def _story_rivals(specs: dict[str, str], slot: str, article: Article, twin: Article | None) -> tuple[str, ...]:
    rivals = [answer_value(specs[slot], twin.slots[slot])] if twin else []
    if specs[slot] == "person":
        rivals += [value for name, value in article.slots.items() if specs[name] == "person" and name != slot]
    return tuple(rivals)


def _row_details(world: World, article: Article) -> tuple[Detail, ...]:
    manual = flavour(world.flavour)
    found: list[Detail] = []
    for row in article.rows:
        for index, version in enumerate(manual.versions):
            if version not in article.versions:
                continue
            value, other = row.values[index], row.values[1 - index]
            number = value.isdecimal()
            found.append(
                Detail(
                    name=f"{row.name}@{version}",
                    ask=f"the {manual.value_word} of the {manual.row_word} \u201c{row.name}\u201d "
                    f"({manual.version_word} {version})",
                    value=value,
                    kind="number" if number else "text",
                    shown=value,
                    rivals=(other,) if other != value else (),
                    version=version,
                )
            )
    return tuple(found)
