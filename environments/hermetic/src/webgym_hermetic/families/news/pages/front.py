"""The front page, and boxes that load after it."""

from __future__ import annotations

from webgym.rng import Rng
from webgym_hermetic.families.news.family import FAMILY
from webgym_hermetic.families.news.records import Article, Board, World
from webgym_hermetic.family import Page, Visit

_POPULAR = 5


@FAMILY.get("/")
def front(visit: Visit) -> Page:
    world: World = visit.world
    blocks = [(section, [one for one in world.articles if one.section == section.id][:5]) for section in world.sections]
    return Page(
        "front.html",
        visit.site.brand,
        {
            "blocks": blocks,
            "newest": world.articles[:12],
            "popular": popular(world),
            "boxes": [box(board) for board in world.boards if board.id != "plans"],
            "coming": world.events[:4],
            "poll": world.polls[0],
        },
    )


@FAMILY.get("/part/popular")
def popular_part(visit: Visit) -> Page:
    return Page("popular.html", "Most read", {"popular": popular(visit.world)}, part=True)


def popular(world: World) -> list[Article]:
    """What others read most."""
    return Rng(world.seed, "popular").sample(world.articles[:60], _POPULAR)


def box(board: Board) -> tuple[Board, list[tuple[str, ...]]]:
    """A table with its first few lines."""
    first = board.groups[0][0]
    return board, [line.cells for line in board.lines if line.group == first][:5]


def views(world: World, article: Article) -> int:
    return Rng(world.seed, "views", article.slug).between(140, 9800)
