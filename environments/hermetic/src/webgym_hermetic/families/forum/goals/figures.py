"""Things to find out in threads."""

# ruff: noqa: ARG002  not every goal needs all that goals are given

from __future__ import annotations

import re

from webgym_hermetic.answers import says_number, says_text
from webgym_hermetic.families.forum.goals.base import Question
from webgym_hermetic.families.forum.goals.ways import look, saw_post, to_post, to_thread
from webgym_hermetic.families.forum.records import Figure, Post, Thread, World
from webgym_hermetic.goal import Fact
from webgym_hermetic.view import Intent, View

_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def post_of(world: World, key: str) -> Post:
    """A post of the world's."""
    thread = world.thread_of[key.partition("-")[0]]
    return next(post for post in thread.posts if post.id == key)


def _named(text: str) -> set[float]:
    return {float(number) for number in _NUMBER.findall(text)}


class ReadFigure(Question, frozen=True):
    """Which figure somebody gives in a thread."""

    post: str
    index: int = 0
    claim: str = ""

    def _figure(self, world: World) -> Figure:
        return post_of(world, self.post).figures[self.index]

    def _thread(self, world: World) -> Thread:
        return world.thread_of[self.post.partition("-")[0]]

    def rivals(self, world: World) -> tuple[float, ...]:
        """Other figures of the thread that the answer must not name."""
        thread, own = self._thread(world), self._figure(world).value
        named = _named(thread.title) | _named(post_of(world, self.post).author)
        others = (figure.value for post in thread.posts for figure in post.figures)
        return tuple(value for value in others if value != own and value not in named)

    def facts(self, world: World) -> tuple[Fact, ...]:
        figure, thread = self._figure(world), self._thread(world)
        author = post_of(world, self.post).author
        return (
            Fact(
                "figure",
                f"The answer gives the {figure.what} that {author} mentions in “{thread.title}”: {figure.text}.",
            ),
        )

    def said(self, fact: str, world: World, answer: str) -> bool:
        return says_number(answer, self._figure(world).value, rivals=self.rivals(world))

    def next(self, view: View) -> Intent | None:
        if view.path != self._thread(view.world).path and saw_post(view, self.post):
            return None
        return to_post(view, self.post) or look(view, f"text:{self.post}")

    def spoil(self, fact: str, world: World) -> ReadFigure:
        value = self._figure(world).value
        wrong = (self.rivals(world) or (value * 3 + 2,))[0]
        return ReadFigure(self.post, self.index, f"{wrong:g}")

    def clauses(self, world: World) -> tuple[str, ...]:
        figure, title, author = self._figure(world), self._thread(world).title, post_of(world, self.post).author
        what = figure.what
        return (
            f"find the thread “{title}” and tell me the {what} that {author} mentions there",
            f"look up which {what} {author} gives in the thread “{title}”",
            f"open the discussion “{title}” and find out what {author} says about the {what}; I need the figure",
            f"tell me the figure that {author} names for the {what} in “{title}”",
            f"read what {author} wrote in “{title}” and report the {what}",
        )

    def answer(self, world: World) -> str:
        figure = self._figure(world)
        text = figure.form.format(self.claim) if self.claim else figure.text
        return f"{post_of(world, self.post).author} says: {text}."

    def places(self, world: World) -> tuple[str, ...]:
        return (self._thread(world).path,)


class ReadCause(Question, frozen=True):
    """What somebody, or the accepted answer, blames for a trouble."""

    post: str
    accepted: bool = False
    claim: str = ""

    def _thread(self, world: World) -> Thread:
        return world.thread_of[self.post.partition("-")[0]]

    def _rivals(self, world: World) -> tuple[str, ...]:
        own = post_of(world, self.post).cause
        return tuple(post.cause for post in self._thread(world).posts if post.cause and post.cause != own)

    def facts(self, world: World) -> tuple[Fact, ...]:
        post, title = post_of(world, self.post), self._thread(world).title
        who = "the accepted answer" if self.accepted else post.author
        return (Fact("cause", f"The answer says what {who} in “{title}” blames: {post.cause}."),)

    def said(self, fact: str, world: World, answer: str) -> bool:
        return says_text(answer, _bare(post_of(world, self.post).cause), rivals=tuple(map(_bare, self._rivals(world))))

    def next(self, view: View) -> Intent | None:
        if view.path != self._thread(view.world).path and saw_post(view, self.post):
            return None
        return to_post(view, self.post) or look(view, f"text:{self.post}")

    def spoil(self, fact: str, world: World) -> ReadCause:
        return ReadCause(self.post, self.accepted, (self._rivals(world) or ("bad luck",))[0])

    def clauses(self, world: World) -> tuple[str, ...]:
        title, author = self._thread(world).title, post_of(world, self.post).author
        if self.accepted:
            return (
                f"find the thread “{title}” and tell me what the accepted answer names as the cause",
                f"look at “{title}” and report which cause the accepted answer blames",
                f"open “{title}”: what does the answer that was accepted say is to blame",
                f"tell me the cause according to the accepted answer in “{title}”",
            )
        return (
            f"find the thread “{title}” and tell me what {author} suspects as the cause",
            f"look at “{title}” and report which cause {author} blames",
            f"tell me what is to blame according to {author} in the thread “{title}”",
            f"open “{title}” and find out which cause {author} suggests",
        )

    def answer(self, world: World) -> str:
        return f"The cause named there is {self.claim or post_of(world, self.post).cause}."

    def places(self, world: World) -> tuple[str, ...]:
        return (self._thread(world).path,)


def _bare(text: str) -> str:
    for article in ("a ", "an ", "the ", "no "):
        if text.startswith(article) and article != "no ":
            return text.removeprefix(article)
    return text


class CountReplies(Question, frozen=True):
    """How many replies a thread has."""

    thread: str
    claim: int = -1

    def _count(self, world: World) -> int:
        return len(world.thread_of[self.thread].posts) - 1

    def facts(self, world: World) -> tuple[Fact, ...]:
        title = world.thread_of[self.thread].title
        return (Fact("replies", f"The answer says that “{title}” has {self._count(world)} replies."),)

    def said(self, fact: str, world: World, answer: str) -> bool:
        thread, count = world.thread_of[self.thread], self._count(world)
        named = _named(thread.title) | {count}
        rivals = {float(thread.views), float(thread.posts[0].votes), count + 1.0, count - 1.0} - named
        return says_number(answer, count, rivals=tuple(sorted(rivals)))

    def next(self, view: View) -> Intent | None:
        path = f"/thread/{self.thread}"
        if view.visited(path) and view.path != path:
            return None
        return to_thread(view, self.thread) or look(view, "fact:replies")

    def spoil(self, fact: str, world: World) -> CountReplies:
        return CountReplies(self.thread, self._count(world) + 1)

    def clauses(self, world: World) -> tuple[str, ...]:
        title = world.thread_of[self.thread].title
        return (
            f"tell me how many replies the thread “{title}” has",
            f"find “{title}” and report its number of replies",
            f"look up how many replies were written to “{title}”",
            f"open the discussion “{title}” and say how many replies it got",
        )

    def answer(self, world: World) -> str:
        count = self._count(world) if self.claim < 0 else self.claim
        return f"That thread has {count} replies."

    def places(self, world: World) -> tuple[str, ...]:
        return (f"/thread/{self.thread}",)


class WhoAnswered(Question, frozen=True):
    """Who wrote the accepted answer of a thread."""

    thread: str
    claim: str = ""

    def _author(self, world: World) -> str:
        return post_of(world, world.thread_of[self.thread].accepted).author

    def _rivals(self, world: World) -> tuple[str, ...]:
        thread = world.thread_of[self.thread]
        own = self._author(world)
        return tuple(post.author for post in thread.posts[1:] if post.author not in (own, thread.author))

    def facts(self, world: World) -> tuple[Fact, ...]:
        title = world.thread_of[self.thread].title
        return (
            Fact(
                "author", f"The answer names {self._author(world)} as the author of the accepted answer in “{title}”."
            ),
        )

    def said(self, fact: str, world: World, answer: str) -> bool:
        return says_text(answer, self._author(world), rivals=self._rivals(world))

    def next(self, view: View) -> Intent | None:
        post = view.world.thread_of[self.thread].accepted
        if view.path != f"/thread/{self.thread}" and saw_post(view, post):
            return None
        return to_post(view, post) or look(view, f"text:{post}")

    def spoil(self, fact: str, world: World) -> WhoAnswered:
        return WhoAnswered(self.thread, (self._rivals(world) or (world.me.handle,))[0])

    def clauses(self, world: World) -> tuple[str, ...]:
        title = world.thread_of[self.thread].title
        return (
            f"find out who wrote the accepted answer in “{title}”",
            f"tell me the user name of whoever gave the accepted answer in the thread “{title}”",
            f"look at “{title}” and say whose answer was accepted",
            f"open “{title}” and report which member wrote the answer that was accepted",
        )

    def answer(self, world: World) -> str:
        return f"The accepted answer is by {self.claim or self._author(world)}."

    def places(self, world: World) -> tuple[str, ...]:
        return (f"/thread/{self.thread}",)
