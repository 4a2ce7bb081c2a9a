"""In which order a thread is read."""

from __future__ import annotations

from collections.abc import Sequence

from webgym_hermetic.families.forum.records import Post, Thread, World
from webgym_hermetic.families.forum.state import State, posts_of

_DEEPEST = 3


def ordered(structure: str, posts: Sequence[Post], accepted: str) -> list[tuple[Post, int]]:
    """The posts in the order a structure shows them, each with how deep it is nested."""
    first, *rest = posts
    match structure:
        case "qanda":
            best = [post for post in rest if post.id == accepted]
            return [(post, 0) for post in (first, *best, *(post for post in rest if post.id != accepted))]
        case "feed":
            return [(first, 0), *_nested(rest, first.id)]
        case _:
            return [(post, 0) for post in posts]


def _nested(posts: Sequence[Post], root: str) -> list[tuple[Post, int]]:
    below: dict[str, list[Post]] = {}
    for post in posts:
        below.setdefault("" if post.quote in ("", root) else post.quote, []).append(post)
    flat: list[tuple[Post, int]] = []

    def walk(key: str, depth: int) -> None:
        for post in below.get(key, ()):
            flat.append((post, min(depth, _DEEPEST)))
            walk(post.id, depth + 1)

    walk("", 0)
    return flat


def page_with(structure: str, world: World, state: State, thread: Thread, post: str) -> int:
    """The page of a thread on which a post is."""
    best = state.accepted.get(thread.id, thread.accepted)
    order = [one.id for one, _ in ordered(structure, posts_of(state, thread), best)]
    return order.index(post) // world.page_size + 1
