"""An article or a page of a manual, with what readers can do with it."""

from __future__ import annotations

from typing import Any

from webgym.records.base import Record
from webgym_hermetic.families.news import docs, stories
from webgym_hermetic.families.news.bank import flavour
from webgym_hermetic.families.news.comments import comments
from webgym_hermetic.families.news.family import FAMILY
from webgym_hermetic.families.news.forms import cleaned, problems
from webgym_hermetic.families.news.pages.front import views
from webgym_hermetic.families.news.records import Article, World
from webgym_hermetic.families.news.state import State, Submission, sent, target_exists
from webgym_hermetic.family import Event, Go, Missing, Page, Reply, Visit

OWN_PAGE = ("broadsheet", "wiki")
"""Structures that show comments on a page of their own."""


class Shown(Record, frozen=True):
    """A comment with what the session did to it."""

    id: str
    name: str
    date: str
    text: str
    likes: int
    liked: bool
    own: bool
    replies: tuple[str, ...] = ()


def read(visit: Visit, slug: str) -> Reply:
    world: World = visit.world
    if slug not in world.by_slug:
        return Missing()
    return _page(visit, slug, {}, {})


def talk(visit: Visit, slug: str) -> Reply:
    world: World = visit.world
    if slug not in world.by_slug:
        return Missing()
    return _comments_page(visit, slug, {}, {})


def save(visit: Visit, slug: str) -> Reply:
    world: World = visit.world
    chosen = visit.form.get("list", "")
    names = dict(world.labels.lists)
    if slug not in world.by_slug or chosen not in ("", *names):
        return Missing()
    said = f"Saved under {names[chosen]}." if chosen else f"Removed from {world.labels.saved}."
    to = "/saved" if visit.form.get("back") == "saved" else world.href(slug)
    return Go(to, (Event("save", {"slug": slug, "list": chosen}),), said)


def like(visit: Visit, slug: str) -> Reply:
    target, on = f"{slug}/{visit.form.get('comment', '')}", visit.form.get("on", "") == "1"
    if not target_exists(visit.world, "reply", target):
        return Missing()
    said = "Liked." if on else "Like removed."
    return Go(_comments_at(visit, slug), (Event("like", {"target": target, "on": on}),), said)


def comment(visit: Visit, slug: str) -> Reply:
    return _post(visit, "comment", slug, slug, "comment")


def reply(visit: Visit, slug: str) -> Reply:
    number = visit.form.get("comment", "")
    return _post(visit, "reply", f"{slug}/{number}", slug, f"reply-{number}")


def feedback(visit: Visit, slug: str) -> Reply:
    return _post(visit, "feedback", slug, slug, "feedback")


def _post(visit: Visit, form: str, target: str, slug: str, key: str) -> Reply:
    world: World = visit.world
    if not target_exists(world, form, target):
        return Missing()
    values = cleaned(world.forms[form], visit.form)
    errors = problems(world.forms[form], values)
    if errors:
        told = {f"{key}.{name}": text for name, text in errors.items()}
        kept = {f"{key}.{name}": value for name, value in values.items()}
        on_own_page = form != "feedback" and visit.site.structure in OWN_PAGE
        return _comments_page(visit, slug, told, kept) if on_own_page else _page(visit, slug, told, kept)
    to = world.href(slug) if form == "feedback" else _comments_at(visit, slug)
    return Go(to, (sent(form, target, values),), world.forms[form].thanks)


def _page(visit: Visit, slug: str, errors: dict[str, str], kept: dict[str, str]) -> Page:
    world: World = visit.world
    article = world.by_slug[slug]
    context = {
        **_common(visit, article, errors, kept),
        "related": related(world, article),
        "saved_list": visit.state.list_of(slug),
        "views": views(world, article),
        "rated": visit.state.latest("feedback", slug),
    }
    more = _docs_context(visit, article) if world.kind == "docs" else _news_context(world, article)
    return Page("article.html", article.title, {**context, **more})


def _comments_page(visit: Visit, slug: str, errors: dict[str, str], kept: dict[str, str]) -> Page:
    world: World = visit.world
    article = world.by_slug[slug]
    return Page("comments.html", f"{world.labels.comments}: {article.title}", _common(visit, article, errors, kept))


def _common(visit: Visit, article: Article, errors: dict[str, str], kept: dict[str, str]) -> dict[str, Any]:
    world: World = visit.world
    return {
        "article": article,
        "here": world.href(article.slug),
        "author": world.author(article.author),
        "section": world.section(article.section),
        "comments": _shown(world, visit.state, article.slug),
        "comments_apart": visit.site.structure in OWN_PAGE,
        "errors": errors,
        "kept": kept,
    }


def _news_context(world: World, article: Article) -> dict[str, Any]:
    return {
        "paragraphs": stories.paragraphs(article, world.seed),
        "caption": stories.caption(article, world.seed),
        "version": "",
        "twin": world.by_slug.get(article.twin),
    }


def _docs_context(visit: Visit, article: Article) -> dict[str, Any]:
    world: World = visit.world
    manual = flavour(world.flavour)
    asked = visit.query.get("version", "")
    version = asked if asked in article.versions else article.versions[-1]
    siblings = sorted((one for one in world.articles if one.section == article.section), key=lambda one: one.title)
    place = siblings.index(article)
    return {
        "manual": manual,
        "paragraphs": docs.paragraphs(manual, article),
        "steps": docs.steps(manual, article),
        "sample": docs.sample(article, world.product, version) if manual.code else "",
        "version": version,
        "column": manual.versions.index(version),
        "before": siblings[place - 1] if place else None,
        "after": siblings[place + 1] if place + 1 < len(siblings) else None,
        "siblings": siblings,
        "twin": None,
    }


def related(world: World, article: Article, most: int = 4) -> list[Article]:
    """Articles on the same things."""
    near = [one for one in world.articles if one.slug != article.slug and set(one.tags) & set(article.tags)]
    near.sort(key=lambda one: (one.story == article.story, one.section == article.section, one.stamp), reverse=True)
    return near[:most]


def _shown(world: World, state: State, slug: str) -> list[Shown]:
    """Own comments first, then those of others with own replies below them."""
    sent_here = [one for one in state.submissions if one.target.partition("/")[0] == slug]
    own = [_own(world, one) for one in reversed(sent_here) if one.form == "comment"]
    others: list[Shown] = []
    for one in comments(world, slug):
        target = f"{slug}/{one.id}"
        liked = target in state.likes
        replies = tuple(each.values["text"] for each in sent_here if each.form == "reply" and each.target == target)
        others.append(Shown(one.id, one.name, one.date, one.text, one.likes + liked, liked, own=False, replies=replies))
    return own + others


def _own(world: World, one: Submission) -> Shown:
    names = {"initials": "".join(part[0] for part in world.reader.split()), "anonymous": "Anonymous"}
    name = names.get(one.values.get("shown", ""), world.reader)
    return Shown(one.id, name, world.today, one.values["text"], 0, liked=False, own=True)


def _comments_at(visit: Visit, slug: str) -> str:
    href = visit.world.href(slug)
    return f"{href}/comments" if visit.site.structure in OWN_PAGE else href


for _root in ("story", "docs"):
    FAMILY.get(f"/{_root}/{{slug}}")(read)
    FAMILY.get(f"/{_root}/{{slug}}/comments")(talk)
    FAMILY.post(f"/{_root}/{{slug}}/save")(save)
    FAMILY.post(f"/{_root}/{{slug}}/like")(like)
    FAMILY.post(f"/{_root}/{{slug}}/comment")(comment)
    FAMILY.post(f"/{_root}/{{slug}}/reply")(reply)
    FAMILY.post(f"/{_root}/{{slug}}/feedback")(feedback)
