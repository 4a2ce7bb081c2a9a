"""Saving, following, liking and voting."""

from __future__ import annotations

from typing import Any

from webgym_hermetic.answers import says_text
from webgym_hermetic.controls import choose
from webgym_hermetic.families.news.comments import comments
from webgym_hermetic.families.news.goals.ways import at_article, go, go_article, home, link
from webgym_hermetic.families.news.records import Poll, World
from webgym_hermetic.families.news.state import State, following
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View


class Keep(Goal, frozen=True):
    """Save articles, each in one of the reader's lists."""

    items: dict[str, str]
    """Slug to list."""

    def facts(self, world: Any) -> tuple[Fact, ...]:
        lists = dict(world.labels.lists)
        return tuple(
            Fact(slug, f"\u201c{world.by_slug[slug].title}\u201d is in {world.labels.saved} under {lists[name]}.")
            for slug, name in self.items.items()
        )

    def holds(self, fact: str, end: End) -> bool:
        return end.state.list_of(fact) == self.items[fact]

    def next(self, view: View) -> Intent | None:
        state: State = view.state
        for slug, name in self.items.items():
            if state.list_of(slug) == name:
                continue
            if not at_article(view, slug) or view.find("submit:save") is None:
                return go_article(view, slug) if not at_article(view, slug) else home(view)
            return choose(view, "save.list", name) or view.tap("submit:save")
        return None

    def spoil(self, fact: str, world: Any) -> Goal:
        other = next(name for name, _ in world.labels.lists if name != self.items[fact])
        return Keep({**self.items, fact: other})

    def clauses(self, world: Any) -> tuple[str, ...]:
        lists, labels = dict(world.labels.lists), world.labels
        parts = [f"\u201c{world.by_slug[slug].title}\u201d (list: {lists[name]})" for slug, name in self.items.items()]
        told = f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else parts[0]
        noun = labels.article if len(parts) == 1 else labels.articles
        return (
            f"save the {noun} {told} to {labels.saved}",
            f"put the {noun} {told} into {labels.saved}",
            f"add to {labels.saved} the {noun} {told}",
            f"keep the {noun} {told} for me under {labels.saved}",
        )


class Follow(Goal, frozen=True):
    """Follow topics, authors or sections, or stop following them."""

    topics: dict[str, bool]
    """`tag:roads` to whether it is to be followed."""

    def facts(self, world: Any) -> tuple[Fact, ...]:
        names = dict(following(world))
        return tuple(
            Fact(topic, f"\u201c{names[topic]}\u201d is {'' if on else 'not '}followed.")
            for topic, on in self.topics.items()
        )

    def holds(self, fact: str, end: End) -> bool:
        return (fact in end.state.followed) == self.topics[fact]

    def next(self, view: View) -> Intent | None:
        state: State = view.state
        for topic, on in self.topics.items():
            if (topic in state.followed) == on:
                continue
            button = f"do:{'follow' if on else 'unfollow'}:{topic}"
            return view.tap(button) or link(view, f"/{topic.replace(':', '/')}") or go(view, "/topics")
        return None

    def spoil(self, fact: str, world: Any) -> Goal:
        del world
        rest = {topic: on for topic, on in self.topics.items() if topic != fact}
        return Follow(rest)

    def clauses(self, world: Any) -> tuple[str, ...]:
        names = dict(following(world))
        new = [_topic(topic, names[topic]) for topic, on in self.topics.items() if on]
        old = [_topic(topic, names[topic]) for topic, on in self.topics.items() if not on]
        start = f"follow {' and '.join(new)}" if new else ""
        stop = f"stop following {' and '.join(old)}" if old else ""
        both = " and ".join(part for part in (start, stop) if part)
        return (
            both,
            f"on the topics page, {both}",
            f"change what I follow: {both}",
            f"{both}, so that my front page fits",
        )


class Like(Goal, frozen=True):
    """Like comments."""

    targets: tuple[str, ...]
    """`slug/comment`."""

    def facts(self, world: Any) -> tuple[Fact, ...]:
        return tuple(Fact(target, f"{_comment(world, target)} is liked.") for target in self.targets)

    def holds(self, fact: str, end: End) -> bool:
        return fact in end.state.likes

    def next(self, view: View) -> Intent | None:
        world: World = view.world
        for target in self.targets:
            if target in view.state.likes:
                continue
            slug, _, comment = target.partition("/")
            near = view.path in (world.href(slug), f"{world.href(slug)}/comments")
            if near and (tap := view.tap(f"do:like:{comment}") or link(view, f"{world.href(slug)}/comments")):
                return tap
            return go_article(view, slug) if not at_article(view, slug) else home(view)
        return None

    def spoil(self, fact: str, world: Any) -> Goal:
        del world
        return Like(tuple(target for target in self.targets if target != fact))

    def clauses(self, world: Any) -> tuple[str, ...]:
        parts = " and ".join(_comment(world, target) for target in self.targets)
        return (f"like {parts}", f"give a like to {parts}", f"find and like {parts}", f"press like on {parts}")


class Vote(Goal, frozen=True):
    """Vote in a poll, and say which answer leads."""

    poll: str
    option: str
    leader: bool = False
    claim: str = ""

    def facts(self, world: Any) -> tuple[Fact, ...]:
        poll: Poll = world.poll(self.poll)
        voted = Fact(
            "vote", f"The vote in \u201c{poll.question}\u201d is for \u201c{dict(poll.options)[self.option]}\u201d."
        )
        if not self.leader:
            return (voted,)
        return voted, Fact("leader", f"The answer names the leading option: \u201c{_leading(poll)[0]}\u201d.")

    def holds(self, fact: str, end: End) -> bool:
        if fact == "vote":
            return end.state.votes.get(self.poll) == self.option
        first, *rest = _leading(end.world.poll(self.poll))
        return says_text(end.answer, first, rivals=tuple(rest))

    def next(self, view: View) -> Intent | None:
        if view.state.votes.get(self.poll) == self.option:
            return None
        path = f"/poll/{self.poll}"
        if view.path == path:
            if view.find("submit:vote") is None:
                return link(view, f"{path}?change=1") or home(view)
            return choose(view, "vote.option", self.option) or view.tap("submit:vote")
        return link(view, path) or go(view, "/polls")

    def spoil(self, fact: str, world: Any) -> Goal:
        poll: Poll = world.poll(self.poll)
        if fact == "leader":
            return Vote(self.poll, self.option, self.leader, _leading(poll)[1])
        other = next(option for option, _ in poll.options if option != self.option)
        return Vote(self.poll, other, self.leader)

    def clauses(self, world: Any) -> tuple[str, ...]:
        poll: Poll = world.poll(self.poll)
        option = dict(poll.options)[self.option]
        more = " and tell me which answer is in the lead" if self.leader else ""
        page = world.labels.polls
        return (
            f"under {page}, vote \u201c{option}\u201d on \u201c{poll.question}\u201d{more}",
            f"take part in the poll \u201c{poll.question}\u201d: choose \u201c{option}\u201d{more}",
            f"find the poll \u201c{poll.question}\u201d, give my vote to \u201c{option}\u201d{more}",
            f"answer \u201c{option}\u201d in the poll that asks \u201c{poll.question}\u201d{more}",
        )

    def answer(self, world: Any) -> str:
        if not self.leader:
            return ""
        return f"{self.claim or _leading(world.poll(self.poll))[0]}."


def _leading(poll: Poll) -> list[str]:
    """The options by votes. One more vote never changes who leads."""
    ranked = sorted(zip(poll.options, poll.votes, strict=True), key=lambda pair: pair[1], reverse=True)
    return [label for (_, label), _ in ranked]


def _topic(topic: str, name: str) -> str:
    kind = topic.partition(":")[0]
    return f"the {'topic' if kind == 'tag' else kind} \u201c{name}\u201d" if kind != "author" else name


def _comment(world: World, target: str) -> str:
    slug, _, comment = target.partition("/")
    name = next(one.name for one in comments(world, slug) if one.id == comment)
    return f"the {world.labels.comment} by {name} on \u201c{world.by_slug[slug].title}\u201d"
