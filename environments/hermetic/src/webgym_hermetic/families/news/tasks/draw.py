"""Draws random goals from a world."""

from __future__ import annotations

from datetime import date, timedelta

from webgym.rng import Rng
from webgym_hermetic.families.news.comments import comments
from webgym_hermetic.families.news.details import byline, details
from webgym_hermetic.families.news.find import search, word_list
from webgym_hermetic.families.news.goals.compare import CompareArticles, CompareYears, measure
from webgym_hermetic.families.news.goals.fill import Submit
from webgym_hermetic.families.news.goals.lists import TellCheapest, TellListing, listing_details, ranked
from webgym_hermetic.families.news.goals.marks import Follow, Keep, Like, Vote
from webgym_hermetic.families.news.goals.seek import FilterSearch, OpenPage
from webgym_hermetic.families.news.goals.tables import CompareBoard, TellBoard, line_of, number_in
from webgym_hermetic.families.news.goals.tell import TellAuthor, TellDetails, TellLatest, latest
from webgym_hermetic.families.news.records import Article, Field, World
from webgym_hermetic.families.news.state import start, tag_id
from webgym_hermetic.families.news.tasks import texts
from webgym_hermetic.families.news.tasks.texts import reader_texts


def an_article(rng: Rng, world: World) -> Article:
    return rng.pick(world.articles)


def tell_details(rng: Rng, world: World, count: int = 1) -> TellDetails | None:
    """Details of one article that its headline does not give away."""
    article = an_article(rng, world)
    hidden = [one for one in details(world, article) if one.shown.lower() not in article.title.lower()]
    if world.kind == "docs":
        changed = [one for one in hidden if one.rivals]
        hidden = changed if changed and rng.chance(0.6) else hidden
    if count > 1 and rng.chance(0.4):
        hidden += byline(world, article)
    chosen = rng.sample(hidden, count)
    return TellDetails(article.slug, tuple(one.name for one in chosen)) if len(chosen) == count else None


def tell_byline(rng: Rng, world: World) -> TellDetails:
    article = an_article(rng, world)
    return TellDetails(article.slug, (rng.pick(byline(world, article)).name,))


def tell_author(rng: Rng, world: World) -> TellAuthor:
    author = rng.pick(world.authors)
    return TellAuthor(author.id, rng.pick(("joined", "town", "count", rng.pick(world.sections).id)))


def tell_latest(rng: Rng, world: World) -> TellLatest | None:
    group, names = rng.pick(
        (
            ("section", [one.id for one in world.sections]),
            ("author", [one.id for one in world.authors]),
            ("tag", [tag_id(tag) for tag in world.tags()]),
        )
    )
    name = rng.pick(names)
    found = latest(world, group, name)
    clear = len(found) > 2 and found[0].stamp[:10] != found[1].stamp[:10]
    return TellLatest(group, name) if clear else None


def tell_board(rng: Rng, world: World) -> TellBoard | None:
    board = rng.pick(world.boards)
    column = rng.pick([index for index, one in enumerate(board.columns) if one.ask])
    line = rng.pick(board.lines)
    same = [one for one in board.lines if one.label == line.label and one.group == line.group]
    if board.columns[column].title == "Result" or len(same) > 1:
        return None
    return TellBoard(board.id, line.group, line.label, column)


def compare(rng: Rng, world: World) -> CompareBoard | CompareArticles | CompareYears | None:
    match rng.below(3):
        case 0:
            return _compare_board(rng, world)
        case 1:
            return _compare_articles(rng, world)
        case _:
            return _compare_years(rng, world) if world.kind == "news" else _compare_rows(rng, world)


def _compare_board(rng: Rng, world: World) -> CompareBoard | None:
    boards = [one for one in world.boards if any(column.compare for column in one.columns)]
    board = rng.pick(boards)
    column = rng.pick([index for index, one in enumerate(board.columns) if one.compare])
    group = rng.pick(board.groups)[0]
    labels = [one.label for one in board.lines if one.group == group]
    one, other = rng.sample(labels, 2)
    values = [number_in(line_of(board, group, label).cells[column]) for label in (one, other)]
    return CompareBoard(board.id, group, (one, other), column) if values[0] != values[1] else None


def _compare_articles(rng: Rng, world: World) -> CompareArticles | None:
    one = an_article(rng, world)
    near = [each for each in world.articles if each.section == one.section and each.slug != one.slug]
    other, by = rng.pick(near), rng.pick(("minutes", "stamp"))
    days = one.stamp[:10] != other.stamp[:10]
    different = days if by == "stamp" else one.minutes != other.minutes
    return CompareArticles((one.slug, other.slug), by) if different else None


def _compare_rows(rng: Rng, world: World) -> CompareArticles | None:
    one = an_article(rng, world)
    numbers = [each.name for each in details(world, one) if each.kind == "number"]
    if not numbers:
        return None
    by = rng.pick(numbers)
    near = [
        each.slug
        for each in world.articles
        if each.slug != one.slug and any(own.name == by and own.kind == "number" for own in details(world, each))
    ]
    other = rng.pick(near) if near else ""
    return (
        CompareArticles((one.slug, other), by)
        if other and measure(world, one.slug, by) != measure(world, other, by)
        else None
    )


def _compare_years(rng: Rng, world: World) -> CompareYears | None:
    twins = [one for one in world.articles if one.twin]
    if not twins:
        return None
    one = rng.pick(twins)
    names = [
        each.name
        for each in details(world, one)
        if each.kind == "number" and measure(world, one.slug, each.name) != measure(world, one.twin, each.name)
    ]
    different = one.stamp[:4] != world.by_slug[one.twin].stamp[:4]
    return CompareYears(one.slug, rng.pick(names)) if names and different else None


def tell_listing(rng: Rng, world: World, count: int = 1) -> TellListing:
    listing = rng.pick(("events", "adverts"))
    one = rng.pick(world.events if listing == "events" else world.adverts)
    known = listing_details(world, listing, one.id)
    return TellListing(listing, one.id, tuple(rng.sample(list(known), count)))


def tell_cheapest(rng: Rng, world: World) -> TellCheapest | None:
    kind = rng.pick(world.adverts).kind
    highest = rng.chance(0.4)
    return TellCheapest(kind, highest) if len(ranked(world, kind, highest=highest)) > 2 else None


def filter_search(rng: Rng, world: World, count: int) -> FilterSearch | None:
    """A search whose filters matter: what comes first with them is not what comes first without."""
    article = an_article(rng, world)
    words = [word for word in word_list(article.title) if len(word) > 3 and not word.isdecimal()]
    if not words:
        return None
    q = rng.pick((rng.pick(words), rng.pick(article.tags)))
    filters = {"section": article.section}
    extra = rng.pick(("author", "period", "version" if world.kind == "docs" else "period"))
    if extra == "author" and count > 2:
        filters["author"] = article.author
    elif extra == "version" and count > 2:
        filters["version"] = rng.pick(article.versions)
    elif count > 2:
        age = (date.fromisoformat(world.today) - date.fromisoformat(article.stamp[:10])).days
        filters["period"] = next((days for days in ("30", "90", "365") if age <= int(days)), "")
    filters["sort"] = rng.pick(("newest", "oldest", "longest", "title"))
    found = search(world, {"q": q, **filters})
    plain = search(world, {"q": q})
    usable = len(found) > 1 and "" not in filters.values() and found[0].slug != plain[0].slug
    return FilterSearch(q, filters) if usable else None


def open_page(rng: Rng, world: World) -> OpenPage | None:
    match rng.below(8):
        case 0:
            return OpenPage("archive", rng.pick(sorted({one.stamp[:7] for one in world.articles})))
        case 1:
            return OpenPage("author", rng.pick(world.authors).id)
        case 2:
            return OpenPage("tag", tag_id(rng.pick(world.tags())))
        case 3:
            board = rng.pick([one for one in world.boards if len(one.groups) > 2])
            return OpenPage("board", board.id, rng.pick(board.groups[1:])[0])
        case _:
            article = an_article(rng, world)
            old = len(article.versions) > 1 and rng.chance(0.5)
            return OpenPage("article", article.slug, version=next(iter(article.versions)) if old else "")


def keep(rng: Rng, world: World, count: int) -> Keep | None:
    saved = {one.slug for one in start(world).saved}
    chosen = rng.sample([one for one in world.articles if one.slug not in saved], count)
    return Keep({one.slug: rng.pick(world.labels.lists)[0] for one in chosen})


def follow(rng: Rng, world: World, count: int) -> Follow:
    """Some new topics and, at times, the end of an old one."""
    now = start(world).followed
    tags = [f"tag:{tag_id(tag)}" for tag in world.tags() if f"tag:{tag_id(tag)}" not in now]
    authors = [f"author:{one.id}" for one in world.authors]
    topics = dict.fromkeys((rng.pick(authors), *rng.sample(tags, count - 1)), True)
    if count > 2 and rng.chance(0.5):
        topics = {**dict(list(topics.items())[:-1]), rng.pick(now): False}
    return Follow(topics)


def like(rng: Rng, world: World, count: int = 1) -> Like:
    article = an_article(rng, world)
    chosen = rng.sample(comments(world, article.slug), count)
    return Like(tuple(f"{article.slug}/{one.id}" for one in chosen))


def reply(rng: Rng, world: World) -> Submit:
    article = an_article(rng, world)
    comment = rng.pick(comments(world, article.slug))
    return Submit("reply", {"text": rng.pick(reader_texts().remarks)}, f"{article.slug}/{comment.id}")


def comment(rng: Rng, world: World) -> Submit:
    shown = rng.pick(("initials", "anonymous"))
    values = {"text": rng.pick(reader_texts().remarks), "shown": shown, "notify": "on"}
    return Submit("comment", values, an_article(rng, world).slug)


def feedback(rng: Rng, world: World) -> Submit:
    form = world.forms["feedback"]
    values = {name: rng.pick(form.field(name).options)[0] for name in ("helpful", "reason")}
    return Submit("feedback", {**values, "text": rng.pick(reader_texts().suggestions)}, an_article(rng, world).slug)


def vote(rng: Rng, world: World) -> Vote:
    poll = rng.pick(world.polls)
    return Vote(poll.id, rng.pick(poll.options)[0], leader=True)


def form(rng: Rng, world: World, name: str, must: tuple[str, ...], more: int = 0) -> Submit:
    """A form with these fields, and some others, to be filled in."""
    spec = world.forms[name]
    others = [field.name for field in spec.fields if field.name not in must]
    chosen = {*must, *rng.sample(others, more)}
    now = start(world).latest(name) or {}
    values = {
        field.name: _value(rng, world, name, field, now.get(field.name, field.default))
        for field in spec.fields
        if field.name in chosen
    }
    return Submit(name, values)


def _value(rng: Rng, world: World, form_name: str, field: Field, now: str) -> str:
    """A value other than what is there now."""
    match field.kind:
        case "choice":
            return rng.pick([option for option, _ in field.options if option != now])
        case "toggle":
            return "" if now == "on" else "on"
        case "date":
            low = date.fromisoformat(field.low)
            return (low + timedelta(days=rng.between(2, 55))).isoformat()
        case "number":
            near = int(field.default) + rng.pick((-4, -3, -2, -1, 1, 2, 3, 4))
            return str(near)
        case "price":
            return rng.pick((str(rng.between(5, 90)), f"{rng.between(5, 90)}.50"))
        case "email":
            return texts.email(rng)
        case _:
            return texts.text_for(rng, world, form_name, field.name)
