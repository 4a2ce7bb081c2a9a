"""Lists of articles: sections, authors, topics, months, search results, what was saved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from webgym_hermetic.families.news.family import FAMILY
from webgym_hermetic.families.news.find import PERIODS, SORTS, page_of, search, suggestions
from webgym_hermetic.families.news.goals.seek import month_title
from webgym_hermetic.families.news.goals.tell import latest
from webgym_hermetic.families.news.records import Article, World
from webgym_hermetic.families.news.state import Saved, State, following
from webgym_hermetic.family import Data, Event, Go, Missing, Page, Reply, Visit

_ORDERS = (("newest", "Newest first"), ("oldest", "Oldest first"))


@FAMILY.get("/section/{name}")
def section(visit: Visit, name: str) -> Reply:
    world: World = visit.world
    if name not in {one.id for one in world.sections}:
        return Missing()
    one = world.section(name)
    more = {"heading": one.title, "blurb": one.blurb, "topic": f"section:{name}", "icon_name": one.icon}
    return _list(visit, latest(world, "section", name), one.title, more)


@FAMILY.get("/tag/{name}")
def tag(visit: Visit, name: str) -> Reply:
    world: World = visit.world
    found = latest(world, "tag", name)
    if not found:
        return Missing()
    title = name.replace("-", " ").capitalize()
    more = {
        "heading": title,
        "blurb": f"{len(found)} {world.labels.articles}",
        "topic": f"tag:{name}",
        "icon_name": "tag",
    }
    return _list(visit, found, title, more)


@FAMILY.get("/author/{name}")
def author(visit: Visit, name: str) -> Reply:
    world: World = visit.world
    if name not in {one.id for one in world.authors}:
        return Missing()
    one = world.author(name)
    found = latest(world, "author", name)
    counts = Counter(each.section for each in found)
    more = {
        "heading": one.name,
        "blurb": "",
        "topic": f"author:{name}",
        "icon_name": "user",
        "author": one,
        "counts": [(each, counts[each.id]) for each in world.sections],
        "total": len(found),
    }
    return _list(visit, found, one.name, more)


@FAMILY.get("/archive")
def archive(visit: Visit) -> Page:
    world: World = visit.world
    months = Counter(one.stamp[:7] for one in world.articles)
    rows = [(month, month_title(month), months[month]) for month in sorted(months, reverse=True)]
    return Page("archive.html", world.labels.archive, {"months": rows})


@FAMILY.get("/archive/{month}")
def month(visit: Visit, month: str) -> Reply:
    world: World = visit.world
    found = [one for one in world.articles if one.stamp[:7] == month]
    if not found:
        return Missing()
    more = {"heading": month_title(month), "blurb": world.labels.archive, "topic": "", "icon_name": "calendar"}
    return _list(visit, found, month_title(month), more)


@FAMILY.get("/authors")
def authors(visit: Visit) -> Page:
    world: World = visit.world
    counts = Counter(one.author for one in world.articles)
    return Page("authors.html", world.labels.authors, {"counts": counts})


@FAMILY.get("/topics")
def topics(visit: Visit) -> Page:
    return Page("topics.html", "Topics", {"topics": following(visit.world)})


@FAMILY.post("/follow")
def follow(visit: Visit) -> Reply:
    topic, on = visit.form.get("topic", ""), visit.form.get("on", "") == "1"
    names = dict(following(visit.world))
    if topic not in names:
        return Missing()
    said = f"You now follow {names[topic]}." if on else f"You no longer follow {names[topic]}."
    return Go(_back(visit), (Event("follow", {"topic": topic, "on": on}),), said)


@FAMILY.get("/saved")
def saved(visit: Visit) -> Page:
    world: World = visit.world
    state: State = visit.state
    chosen = visit.query.get("list", "")
    rows = [_kept(world, one) for one in reversed(state.saved) if chosen in ("", one.list)]
    return Page("saved.html", world.labels.saved, {"rows": rows, "chosen": chosen, "lists": dict(world.labels.lists)})


@FAMILY.get("/search")
def results(visit: Visit) -> Page:
    world: World = visit.world
    q = visit.query.get("q", "").strip()
    found = search(world, visit.query)
    shown, page, pages = page_of(found, visit.query.get("page", "1"))
    chosen = {name: visit.query.get(name, "") for name in ("section", "author", "period", "version", "sort")}
    chosen["sort"] = chosen["sort"] or "relevance"
    context = {
        "q": q,
        "found": len(found),
        "articles": shown,
        "page": page,
        "pages": pages,
        "href": _pages("/search", visit.query),
        "chosen": chosen,
        "filters": _filters(world),
        "facets": _facets(world, q, chosen),
        "hints": _hints(world, q) if not found else [],
    }
    return Page("search.html", f"Search: {q}" if q else "Search", context)


@FAMILY.get("/suggest")
def suggest(visit: Visit) -> Data:
    world: World = visit.world
    found = suggestions(world, visit.query.get("q", ""))
    return Data(
        [{"label": one.title, "href": world.href(one.slug), "hint": world.section(one.section).title} for one in found]
    )


def _list(visit: Visit, found: Sequence[Article], title: str, more: dict[str, Any]) -> Page:
    order = visit.query.get("sort", "newest")
    ordered = sorted(found, key=lambda one: one.stamp, reverse=order != "oldest")
    shown, page, pages = page_of(ordered, visit.query.get("page", "1"))
    orders = [
        (value, label, _with(visit.path, {"sort": value} if value != "newest" else {})) for value, label in _ORDERS
    ]
    context = {
        "articles": shown,
        "page": page,
        "pages": pages,
        "href": _pages(visit.path, visit.query),
        "found": len(found),
        "orders": orders,
        "order": order if order == "oldest" else "newest",
        "author": None,
        **more,
    }
    return Page("list.html", title, context)


def _kept(world: World, one: Saved) -> tuple[Article, str]:
    return world.by_slug[one.slug], one.list


def _filters(world: World) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """The filters of a search: name, label, options."""
    labels = world.labels
    filters = [
        (
            "section",
            labels.section.capitalize(),
            [("", f"All {labels.sections.lower()}"), *((one.id, one.title) for one in world.sections)],
        ),
        ("author", "Author", [("", "Anyone"), *((one.id, one.name) for one in world.authors)]),
        ("period", "Date", [("", "Any time"), *PERIODS]),
    ]
    if world.versions:
        filters.append(("version", "Version", [("", "All"), *((one, one) for one in world.versions)]))
    return [*filters, ("sort", "Order", list(SORTS))]


def _facets(world: World, q: str, chosen: dict[str, str]) -> list[tuple[str, str, list[tuple[str, str, str, bool]]]]:
    """The same as links: value, label, address, whether it is chosen."""
    facets: list[tuple[str, str, list[tuple[str, str, str, bool]]]] = []
    for name, label, options in _filters(world):
        links: list[tuple[str, str, str, bool]] = []
        for value, text in options:
            query = {
                "q": q,
                **{key: each for key, each in chosen.items() if each and (key, each) != ("sort", "relevance")},
            }
            query[name] = value
            if (name, value) == ("sort", "relevance"):
                query[name] = ""
            links.append((value, text, _with("/search", query), chosen[name] == value))
        facets.append((name, label, links))
    return facets


def _hints(world: World, q: str) -> list[Article]:
    del q
    return list(world.articles[:3])


def _pages(path: str, query: Any) -> str:
    kept = {name: value for name, value in query.items() if name != "page" and value}
    return f"{path}?{urlencode(kept)}&page={{page}}" if kept else f"{path}?page={{page}}"


def _with(path: str, query: dict[str, str]) -> str:
    kept = {name: value for name, value in query.items() if value}
    return f"{path}?{urlencode(kept)}" if kept else path


def _back(visit: Visit) -> str:
    to = visit.form.get("back", "/topics")
    return to if to.startswith("/") and not to.startswith("//") else "/topics"
