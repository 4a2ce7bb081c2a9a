"""Lists of threads and members: filtered, sorted, searched and cut into pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import urlencode

from webgym_hermetic.families.forum.records import Member, Post, Thread, World
from webgym_hermetic.families.forum.state import State, posts_of
from webgym_hermetic.site import Site

T = TypeVar("T")

SORTS = (
    ("latest", "Latest"),
    ("new", "Newest"),
    ("top", "Most votes"),
    ("replies", "Most replies"),
    ("unanswered", "Unanswered"),
)
MEMBER_SORTS = (("name", "Name"), ("reputation", "Reputation"), ("posts", "Most posts"), ("newest", "Newest members"))
MEMBERS_SIZE = 16
_EXCERPT = 120
_NOT_WORDS = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class Row:
    """A thread as lists show it."""

    thread: Thread
    board: str
    replies: int
    votes: int
    last_at: str
    last_by: str
    answered: bool

    @property
    def excerpt(self) -> str:
        text = self.thread.posts[0].text.replace("\n\n", " ")
        return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT].rsplit(' ', 1)[0]}…"


def row(world: World, state: State, thread: Thread) -> Row:
    """A thread with all that was done to it."""
    posts = posts_of(state, thread)
    return Row(
        thread=thread,
        board=world.board_of[thread.board].name,
        replies=len(posts) - 1,
        votes=score(state, posts[0]),
        last_at=posts[-1].at,
        last_by=posts[-1].author,
        answered=bool(accepted(state, thread)),
    )


def rows(world: World, state: State) -> list[Row]:
    """All threads."""
    return [row(world, state, thread) for thread in (*world.threads, *state.threads)]


def score(state: State, post: Post) -> int:
    """Votes of a post, this session's included."""
    return post.votes + state.votes.get(post.id, 0)


def accepted(state: State, thread: Thread) -> str:
    """Id of the post that answers a thread's question."""
    return state.accepted.get(thread.id, thread.accepted)


def arranged(found: Iterable[Row], sort: str) -> list[Row]:
    """Sorted; what is pinned comes first where the newest or latest are asked for."""
    match sort:
        case "top":
            return sorted(found, key=lambda one: (-one.votes, one.thread.id))
        case "replies":
            return sorted(found, key=lambda one: (-one.replies, one.thread.id))
        case "new":
            return sorted(found, key=lambda one: (one.thread.pinned, one.thread.at, one.thread.id), reverse=True)
        case "unanswered":
            open_ones = (one for one in found if one.replies == 0)
            return sorted(open_ones, key=lambda one: (one.thread.at, one.thread.id), reverse=True)
        case _:
            return sorted(found, key=lambda one: (one.thread.pinned, one.last_at, one.thread.id), reverse=True)


def filtered(found: Iterable[Row], *, board: str = "", tag: str = "", author: str = "") -> list[Row]:
    """Those of a board, with a tag, by an author."""
    return [
        one
        for one in found
        if (not board or one.thread.board == board)
        and (not tag or tag in one.thread.tags)
        and (not author or one.thread.author == author)
    ]


def searched(found: Iterable[Row], text: str) -> list[Row]:
    """Those that have all the words, best first: in the title, then anywhere."""
    wanted = _plain(text)
    words = wanted.split()
    if not words:
        return []
    scored: list[tuple[int, str, Row]] = []
    for one in found:
        title = _plain(one.thread.title)
        missing = [word for word in words if word not in title]
        if missing:
            rest = _plain(" ".join((*one.thread.tags, one.thread.author, *(post.text for post in one.thread.posts))))
            if any(word not in rest for word in missing):
                continue
        rank = 0 if title == wanted else 1 if wanted in title else 2 if not missing else 3 + len(missing)
        scored.append((rank, one.thread.id, one))
    return [one for _, _, one in sorted(scored, key=lambda entry: entry[:2])]


def people_found(world: World, text: str) -> list[Member]:
    """Members whose name has the text in it."""
    wanted = text.strip().lower().lstrip("@")
    found = [member for member in world.members if wanted and wanted in member.handle]
    return sorted(found, key=lambda member: (member.handle != wanted, len(member.handle), member.handle))


def matching(members: Sequence[Member], text: str) -> list[Member]:
    """Members with the text in their name or place."""
    word = text.strip().lower()
    return [one for one in members if not word or word in one.handle or word in one.location.lower()]


def people_sorted(members: Sequence[Member], sort: str) -> list[Member]:
    """The directory's order."""
    match sort:
        case "reputation":
            return sorted(members, key=lambda member: -member.reputation)
        case "posts":
            return sorted(members, key=lambda member: -member.posts)
        case "newest":
            return sorted(members, key=lambda member: (member.joined, member.handle), reverse=True)
        case _:
            return sorted(members, key=lambda member: member.handle)


def page_of(query: Mapping[str, str], count: int, size: int) -> tuple[int, int]:
    """Which page is asked for, and how many there are."""
    pages = max(1, -(-count // size))
    asked = query.get("page", "1")
    return min(max(int(asked) if asked.isdecimal() else 1, 1), pages), pages


def cut(items: Sequence[T], page: int, size: int) -> Sequence[T]:
    """One page of the items."""
    return items[(page - 1) * size : page * size]


def url(path: str, query: Mapping[str, object]) -> str:
    """An address with the parts of the query that say something, always in the same order."""
    kept = {name: value for name, value in sorted(query.items()) if value not in ("", None)}
    return f"{path}?{urlencode(kept)}" if kept else path


def grows(site: Site) -> bool:
    """Whether lists grow in place instead of being turned page by page."""
    return site.controls.pager in ("more", "infinite")


def _plain(text: str) -> str:
    return _NOT_WORDS.sub(" ", text.lower().replace("'", "").replace("\u2019", "")).strip()
