"""Finding articles: words, filters, order, what the reader may mean."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import TypeVar

from webgym_hermetic.families.news.records import Article, World

PERIODS = (("7", "Past week"), ("30", "Past month"), ("90", "Past 3 months"), ("365", "Past year"))
SORTS = (
    ("relevance", "Relevance"),
    ("newest", "Newest first"),
    ("oldest", "Oldest first"),
    ("longest", "Longest read"),
    ("title", "Title A to Z"),
)
PAGE_SIZE = 8
_WORD = re.compile(r"[a-z0-9]+")
_COMMON = frozenset("a an and at by for from in is it of on or the to with what how why as its after that one".split())
T = TypeVar("T")


def folded(text: str) -> str:
    return text.lower().replace("\u2019", "").replace("'", "")


def word_list(text: str) -> list[str]:
    """The words of a text that say something, in order; all of them if none does."""
    found = _WORD.findall(folded(text))
    return [word for word in found if word not in _COMMON] or found


def search(world: World, query: Mapping[str, str]) -> list[Article]:
    """Articles that fit a search with its filters, in the order asked for."""
    words = word_list(query.get("q", ""))
    hits = [(score, one) for one in world.articles if (score := _score(world, one, words)) and _fits(world, one, query)]
    match query.get("sort", "relevance"):
        case "newest":
            hits.sort(key=lambda hit: hit[1].stamp, reverse=True)
        case "oldest":
            hits.sort(key=lambda hit: hit[1].stamp)
        case "longest":
            hits.sort(key=lambda hit: (-hit[1].minutes, hit[1].title))
        case "title":
            hits.sort(key=lambda hit: folded(hit[1].title))
        case _:
            hits.sort(key=lambda hit: (hit[0], hit[1].stamp), reverse=True)
    return [one for _, one in hits]


def query_for(world: World, article: Article) -> str:
    """A few words of the title that bring an article up among the first."""
    words = word_list(article.title)
    if len(words) < 3 or article.title.endswith("()"):
        return article.title.replace("\u2019", "'").replace("\u201c", "").replace("\u201d", "")
    for count in range(3, len(words) + 1):
        text = " ".join(words[:count])
        if article in search(world, {"q": text})[:3]:
            return text
    return " ".join(words)


def suggestions(world: World, text: str, most: int = 6) -> list[Article]:
    """Articles whose title has words that start so."""
    words = _WORD.findall(folded(text))
    if not words:
        return []
    found = [one for one in world.articles if _starts(_WORD.findall(folded(one.title)), words)]
    return found[:most]


def page_of(items: Sequence[T], number: str, size: int = PAGE_SIZE) -> tuple[Sequence[T], int, int]:
    """The items of one page, its number, and how many pages there are."""
    pages = max(1, -(-len(items) // size))
    page = min(max(1, int(number) if number.isdecimal() else 1), pages)
    return items[(page - 1) * size : page * size], page, pages


def _score(world: World, article: Article, words: Sequence[str]) -> int:
    if not words:
        return 1
    title = _WORD.findall(folded(article.title))
    rest = folded(f"{article.standfirst} {' '.join(article.tags)} {world.author(article.author).name}")
    score = matched = 0
    for word in words:
        value = 12 if word in title else 5 if any(one.startswith(word) for one in title) else 2 if word in rest else 0
        score += value
        matched += value > 0
    if matched * 2 <= len(words) and matched < len(words):
        return 0
    exact = title == list(words) or word_list(article.title) == list(words)
    return score + 8 * (matched == len(words)) + 40 * exact


def _fits(world: World, article: Article, query: Mapping[str, str]) -> bool:
    period = query.get("period", "")
    if period.isdecimal():
        since = date.fromisoformat(world.today) - timedelta(days=min(int(period), 9999))
        if article.stamp[:10] < since.isoformat():
            return False
    return (
        query.get("section", "") in ("", article.section)
        and query.get("author", "") in ("", article.author)
        and (not query.get("tag") or query["tag"] in (tag.replace(" ", "-") for tag in article.tags))
        and (not query.get("version") or query["version"] in article.versions)
    )


def _starts(title: Sequence[str], words: Sequence[str]) -> bool:
    return all(any(one.startswith(word) for one in title) for word in words)
