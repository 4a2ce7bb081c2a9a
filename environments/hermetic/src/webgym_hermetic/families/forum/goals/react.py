"""Things to do with one click in the right place: votes, bookmarks, following, accepting, polls."""

# ruff: noqa: ARG002  not every goal needs all that goals are given

from __future__ import annotations

from typing import Literal

from webgym_hermetic import controls
from webgym_hermetic.families.forum.goals.base import ForumGoal
from webgym_hermetic.families.forum.goals.figures import post_of
from webgym_hermetic.families.forum.goals.ways import find, first, home, to_post, to_thread
from webgym_hermetic.families.forum.records import World
from webgym_hermetic.families.forum.state import State
from webgym_hermetic.goal import End, Fact
from webgym_hermetic.view import Intent, View


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


class VoteFor(ForumGoal, frozen=True):
    """Vote posts of a thread up or down."""

    thread: str
    posts: tuple[str, ...]
    value: int = 1

    def facts(self, world: World) -> tuple[Fact, ...]:
        title, way = world.thread_of[self.thread].title, "up" if self.value > 0 else "down"
        return tuple(
            Fact(f"vote:{key}", f"The post by {post_of(world, key).author} in “{title}” is voted {way}.")
            for key in self.posts
        )

    def holds(self, fact: str, end: End) -> bool:
        return end.state.votes.get(fact.partition(":")[2], 0) == self.value

    def next(self, view: View) -> Intent | None:
        way = "up" if self.value > 0 else "down"
        for key in self.posts:
            if view.state.votes.get(key, 0) != self.value:
                return to_post(view, key) or view.tap(f"do:{way}:{key}") or home(view)
        return None

    def spoil(self, fact: str, world: World) -> VoteFor:
        return VoteFor(self.thread, tuple(key for key in self.posts if f"vote:{key}" != fact), self.value)

    def clauses(self, world: World) -> tuple[str, ...]:
        title, way = world.thread_of[self.thread].title, "up" if self.value > 0 else "down"
        named = [f"{post_of(world, key).author} (number {key.partition('-')[2]})" for key in self.posts]
        posts = "post" if len(named) == 1 else "posts"
        return (
            f"vote {way} the {posts} by {_listed(named)} in “{title}”",
            f"in the thread “{title}”, give {_listed(named)} a vote {way}",
            f"open “{title}” and {way}vote the {posts} of {_listed(named)}",
            f"find the discussion “{title}” and vote {way} what {_listed(named)} wrote",
        )

    def places(self, world: World) -> tuple[str, ...]:
        return (f"/thread/{self.thread}",)


class KeepThreads(ForumGoal, frozen=True):
    """Bookmark or follow threads."""

    threads: tuple[str, ...]
    how: Literal["bookmark", "follow"] = "bookmark"

    def _kept(self, state: State) -> tuple[str, ...]:
        return state.bookmarks if self.how == "bookmark" else state.following

    def facts(self, world: World) -> tuple[Fact, ...]:
        done = "bookmarked" if self.how == "bookmark" else "followed"
        return tuple(
            Fact(f"kept:{key}", f"The thread “{world.thread_of[key].title}” is {done}.") for key in self.threads
        )

    def holds(self, fact: str, end: End) -> bool:
        return fact.partition(":")[2] in self._kept(end.state)

    def next(self, view: View) -> Intent | None:
        for key in self.threads:
            if key not in self._kept(view.state):
                return to_thread(view, key) or view.tap(f"do:{self.how}:{key}") or home(view)
        return None

    def spoil(self, fact: str, world: World) -> KeepThreads:
        return KeepThreads(tuple(key for key in self.threads if f"kept:{key}" != fact), self.how)

    def clauses(self, world: World) -> tuple[str, ...]:
        titles = _listed([f"“{world.thread_of[key].title}”" for key in self.threads])
        if self.how == "bookmark":
            return (
                f"bookmark {titles}",
                f"add {titles} to my bookmarks",
                f"save {titles} for later with the bookmark button",
                f"put a bookmark on {titles}",
            )
        return (
            f"follow {titles} so that I hear about new replies",
            f"start following {titles}",
            f"switch on following for {titles}",
            f"make sure that I follow {titles}",
        )

    def places(self, world: World) -> tuple[str, ...]:
        return tuple(f"/thread/{key}" for key in self.threads)


class FollowMembers(ForumGoal, frozen=True):
    """Follow members."""

    members: tuple[str, ...]

    def facts(self, world: World) -> tuple[Fact, ...]:
        return tuple(Fact(f"member:{handle}", f"The member {handle} is followed.") for handle in self.members)

    def holds(self, fact: str, end: End) -> bool:
        return fact.partition(":")[2] in end.state.friends

    def next(self, view: View) -> Intent | None:
        for handle in self.members:
            if handle not in view.state.friends:
                return find(view, f"/member/{handle}", handle) or view.tap(f"do:befriend:{handle}") or home(view)
        return None

    def spoil(self, fact: str, world: World) -> FollowMembers:
        return FollowMembers(tuple(handle for handle in self.members if f"member:{handle}" != fact))

    def clauses(self, world: World) -> tuple[str, ...]:
        names = _listed(list(self.members))
        plural = "members" if len(self.members) > 1 else "member"
        return (
            f"follow the {plural} {names}",
            f"start following {names} from the profile",
            f"open the profile and follow: {names}",
            f"make sure that I follow {names}",
        )

    def places(self, world: World) -> tuple[str, ...]:
        return tuple(f"/member/{handle}" for handle in self.members)


class AcceptAnswer(ForumGoal, frozen=True):
    """Accept an answer to one's own question."""

    post: str

    def _thread(self) -> str:
        return self.post.partition("-")[0]

    def facts(self, world: World) -> tuple[Fact, ...]:
        title, author = world.thread_of[self._thread()].title, post_of(world, self.post).author
        return (Fact("accepted", f"The accepted answer in “{title}” is the one by {author}."),)

    def holds(self, fact: str, end: End) -> bool:
        return end.state.accepted.get(self._thread(), "") == self.post

    def next(self, view: View) -> Intent | None:
        if view.state.accepted.get(self._thread(), "") == self.post:
            return None
        return to_post(view, self.post) or view.tap(f"do:accept:{self.post}") or home(view)

    def spoil(self, fact: str, world: World) -> AcceptAnswer:
        posts = world.thread_of[self._thread()].posts
        return AcceptAnswer(next(post.id for post in posts[1:] if post.id != self.post))

    def clauses(self, world: World) -> tuple[str, ...]:
        title, author = world.thread_of[self._thread()].title, post_of(world, self.post).author
        return (
            f"in my thread “{title}”, accept the answer by {author}",
            f"mark {author}'s post as the accepted answer to my question “{title}”",
            f"open my question “{title}” and accept what {author} wrote",
            f"accept {author}'s reply as the solution in “{title}”, which I started",
        )

    def places(self, world: World) -> tuple[str, ...]:
        return (f"/thread/{self._thread()}",)


class VoteInPoll(ForumGoal, frozen=True):
    """Vote in a poll."""

    thread: str
    option: str

    def facts(self, world: World) -> tuple[Fact, ...]:
        return (Fact("option", f"The vote in the poll “{world.thread_of[self.thread].title}” is for “{self.option}”."),)

    def holds(self, fact: str, end: End) -> bool:
        return end.state.polls.get(self.thread) == self.option

    def next(self, view: View) -> Intent | None:
        if view.state.polls.get(self.thread) == self.option:
            return None
        return first(
            to_thread(view, self.thread),
            controls.choose(view, "option", self.option),
            view.tap("submit:poll"),
            home(view),
        )

    def spoil(self, fact: str, world: World) -> VoteInPoll:
        poll = world.thread_of[self.thread].poll
        assert poll is not None  # noqa: S101
        return VoteInPoll(self.thread, next(one for one in poll.options if one != self.option))

    def clauses(self, world: World) -> tuple[str, ...]:
        title = world.thread_of[self.thread].title
        return (
            f"vote for “{self.option}” in the poll “{title}”",
            f"take part in the poll “{title}” and choose “{self.option}”",
            f"open the thread “{title}” and cast my poll vote for “{self.option}”",
            f"in the poll of “{title}”, vote “{self.option}”",
        )

    def places(self, world: World) -> tuple[str, ...]:
        return (f"/thread/{self.thread}",)
