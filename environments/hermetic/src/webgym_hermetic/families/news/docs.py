"""Pages of a manual: drawn from chapters, with tables, steps and samples."""

from __future__ import annotations

from datetime import date, timedelta

from webgym.rng import Rng
from webgym_hermetic.families.news.bank import Chapter, Flavour
from webgym_hermetic.families.news.people import name_id
from webgym_hermetic.families.news.records import Article, Author, Release, Row
from webgym_hermetic.families.news.slots import capital, draw, fill

_TAGS = ("beginner", "advanced", "reference", "safety", "new", "popular", "checklist", "limits")
_NUMBERS = """
    nodes cost calls size exit memory minutes space mm metres hours cm weeks limit days months times points stamina
    extra bonus hits group low camps bandages endings stirs count
""".split()
_PICTURES = {
    "library": "screenshot:table",
    "appliance": "abstract",
    "service": "business",
    "wiki": "scene:temple",
    "coffee": "product:coffee-maker",
    "ovens": "room:restaurant",
    "regions": "scene:mountains",
    "creatures": "scene:forest",
    "quests": "map",
    "potions": "product:bottle",
    "weapons": "product:hammer",
    "armour": "abstract",
    "waste": "scene:city",
    "transport": "scene:city",
}
"""By chapter, else by kind of manual."""


def pages(flavour: Flavour, product: str, writers: tuple[Author, ...], today: str, rng: Rng) -> tuple[Article, ...]:
    """All pages of a manual, last updated first. No two have the same title."""
    made: dict[str, Article] = {}
    each = rng.between(96, 132) // len(flavour.chapters)
    for chapter in flavour.chapters:
        found: dict[str, Article] = {}
        for number in range(each * 4):
            own = rng.fork(chapter.id, number)
            page = _page(flavour, chapter, product, own.pick(writers).id, today, own)
            if page.slug not in made and len(found) < each:
                found.setdefault(page.slug, page)
        made |= found
    return tuple(sorted(made.values(), key=lambda one: one.stamp, reverse=True))


def chapter_of(flavour: Flavour, article: Article) -> Chapter:
    return next(one for one in flavour.chapters if one.id == article.section)


def paragraphs(flavour: Flavour, article: Article) -> tuple[str, ...]:
    """The text of a page."""
    return tuple(capital(fill(one, article.slots)) for one in chapter_of(flavour, article).paragraphs)


def steps(flavour: Flavour, article: Article) -> tuple[str, ...]:
    """What to do, one after the other."""
    return tuple(fill(one, article.slots) for one in chapter_of(flavour, article).steps)


def sample(article: Article, product: str, version: str) -> str:
    """A few lines of code that use a page's options."""
    module = name_id(product).replace("-", "")
    old = version == "2.8"
    chosen = [f"{row.name}={_literal(row, 0 if old else 1)}" for row in article.rows[:2]]
    match article.section:
        case "cli":
            flags = " ".join(
                f"--{row.name.replace('_', '-')} {row.values[0 if old else 1]}" for row in article.rows[:2]
            )
            return f"$ {module} {article.title} {flags}\nchecking 3 workers ... ok\ndone in 0.4 s"
        case "server" | "operations" | "plugins":
            head = article.title.split()[0] if article.section == "server" else f"[{article.section}]"
            return "\n".join([f"# {module}.toml", head, *(one.replace("=", " = ") for one in chosen)])
        case _:
            call = article.title if article.section == "client" else "open_stream()"
            name = call.removesuffix("()")
            return "\n".join(
                [
                    f"from {module} import Client",
                    "",
                    f'with Client("{module}://localhost") as client:',
                    f"    result = client.{name}({', '.join(chosen)})",
                    "    print(result.count)",
                ]
            )


def releases(flavour: Flavour, today: str, rng: Rng) -> tuple[Release, ...]:
    """Versions with their dates and changes, newest first."""
    day = date.fromisoformat(today) - timedelta(days=rng.between(6, 30))
    made: list[Release] = []
    for name in reversed(flavour.releases):
        own = rng.fork(name)
        patterns = own.sample(flavour.release_changes, own.between(3, 5))
        changes = tuple(capital(fill(one, _slots(flavour, own.fork(one)))) for one in patterns)
        made.append(Release(name, day.isoformat(), changes))
        day -= timedelta(days=own.between(35, 95))
    return tuple(made)


def _page(flavour: Flavour, chapter: Chapter, product: str, author: str, today: str, rng: Rng) -> Article:
    slots = _slots(flavour, rng)
    slots |= {"product": product, "new": flavour.versions[1]}
    title = fill(rng.pick(chapter.titles), slots)
    slots |= {"name": title, "model": title.partition(":")[0]}
    stamp = date.fromisoformat(today) - timedelta(days=int(rng.unit() ** 1.6 * 700))
    lifetimes = ((flavour.versions, 0.78), (flavour.versions[1:], 0.15), (flavour.versions[:1], 0.07))
    return Article(
        slug=name_id(title.replace("_", "-")),
        title=title,
        standfirst=capital(fill(rng.pick(chapter.summaries), slots)),
        section=chapter.id,
        author=author,
        stamp=f"{stamp.isoformat()}T{rng.between(7, 18):02d}:{rng.between(0, 59):02d}",
        minutes=rng.between(2, 9),
        tags=tuple(sorted(rng.sample(_TAGS, rng.between(1, 3)))),
        picture=_PICTURES.get(chapter.id, _PICTURES[flavour.name]),
        story=chapter.id,
        slots=_needed(chapter, slots),
        rows=_rows(flavour, chapter, slots, rng),
        versions=rng.weighted(lifetimes),
    )


def _slots(flavour: Flavour, rng: Rng) -> dict[str, str]:
    slots = {key: rng.pick(options) for key, options in flavour.lists.items()}
    slots |= {key: str(rng.between(3, 60)) for key in _NUMBERS}
    slots["hour"] = f"{rng.between(5, 8)} pm"
    slots["place2"] = rng.pick(flavour.lists.get("place", ("",)))
    slots |= {f"{key}_low": text[0].lower() + text[1:] for key, text in slots.items() if text}
    slots |= {f"{key}_cap": capital(text) for key, text in slots.items() if not key.endswith("_low")}
    return slots


def _needed(chapter: Chapter, slots: dict[str, str]) -> dict[str, str]:
    text = " ".join((*chapter.paragraphs, *chapter.steps))
    return {key: value for key, value in slots.items() if f"{{{key}}}" in text}


def _rows(flavour: Flavour, chapter: Chapter, slots: dict[str, str], rng: Rng) -> tuple[Row, ...]:
    rows: list[Row] = []
    fitting = [line for line in flavour.rows if not chapter.rows or line.split("|")[0].strip() in chapter.rows]
    for line in sorted(rng.sample(range(len(fitting)), rng.between(4, 8))):
        name, unit, spec, text = (part.strip() for part in fitting[line].split("|"))
        new = draw(spec, rng, flavour.row_lists, "2026-01-01")
        old = draw(spec, rng, flavour.row_lists, "2026-01-01") if rng.chance(0.45) else new
        rows.append(Row(name, unit, (old, new), fill(text, slots), rng.pick(flavour.releases[:4])))
    return tuple(rows)


def _literal(row: Row, index: int) -> str:
    value = row.values[index]
    if row.unit == "boolean":
        return value.capitalize()
    return f'"{value}"' if row.unit == "string" else value
