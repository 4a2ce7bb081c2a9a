"""Task templates of forums."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from webgym.rng import Rng
from webgym_hermetic.families.forum import draws
from webgym_hermetic.families.forum.goals.base import ForumGoal, Question
from webgym_hermetic.families.forum.records import World
from webgym_hermetic.family import Template

Draw = Callable[[Rng, World], ForumGoal | None]
_QUESTIONS: tuple[Draw, ...] = (
    draws.figure,
    draws.cause,
    draws.replies,
    draws.answered,
    draws.profile,
    draws.rule,
    draws.meetup,
    draws.letter,
    draws.poll_result,
)
_COMPARISONS: tuple[Draw, ...] = (draws.best_thread, draws.best_member)


def _task(name: str, facts: range, *parts: Draw | tuple[Draw, ...]) -> Template:
    """A template of so many goals; where there are several draws for a part, one of them is chosen."""
    choices: list[Sequence[Draw]] = [(part,) if callable(part) else part for part in parts]

    def make(rng: Rng, world: World) -> tuple[ForumGoal, ...] | None:
        drawn = [rng.pick(choice)(rng.fork(index), world) for index, choice in enumerate(choices)]
        goals = tuple(goal for goal in drawn if goal is not None)
        if len(goals) < len(parts) or not apart(goals, world) or not told_apart(goals, world):
            return None
        return goals if sum(len(goal.facts(world)) for goal in goals) in facts else None

    return Template(name, facts, make)


def apart(goals: tuple[ForumGoal, ...], world: World) -> bool:
    """Whether no two goals need the same page."""
    places = [place for goal in goals for place in goal.places(world)]
    return len(set(places)) == len(places)


def told_apart(goals: tuple[ForumGoal, ...], world: World) -> bool:
    """Whether all answers together say each thing, and with one of them wrong, all but that one."""
    for chosen in (None, *goals):
        for spoilt in (fact.name for fact in chosen.facts(world)) if isinstance(chosen, Question) else ("",):
            said = [(one.spoil(spoilt, world) if one is chosen and spoilt else one).answer(world) for one in goals]
            answer = " ".join(part for part in said if part)
            for one in goals:
                if not isinstance(one, Question):
                    continue
                for fact in one.facts(world):
                    if one.said(fact.name, world, answer) == (
                        one is chosen and fact.name == spoilt and fact.name != "opened"
                    ):
                        return False
    return True


_EASY = (
    _task("read-post", range(1, 2), (draws.figure, draws.figure, draws.cause)),
    _task("read-profile", range(1, 2), draws.profile),
    _task("read-thread-line", range(1, 2), (draws.replies, draws.answered, draws.poll_result)),
    _task("read-rules", range(2, 3), draws.rule, draws.rule),
    _task("read-around", range(2, 3), (draws.meetup, draws.letter), (draws.poll_result, draws.meetup, draws.rule)),
    _task("best-thread", range(1, 3), draws.best_thread),
    _task("best-member", range(1, 2), draws.best_member),
    _task("cheapest-offer", range(2, 3), draws.offers),
    _task("short-reply", range(1, 3), (draws.reply, draws.quoting)),
    _task("vote", range(1, 4), draws.votes),
    _task("keep", range(1, 4), partial(draws.keep, low=1, high=3)),
    _task("follow-members", range(1, 3), draws.befriend),
    _task("accept-and-vote", range(2, 4), draws.accept, (draws.poll_vote, draws.keep)),
    _task("small-setting", range(1, 3), draws.settings),
    _task("private-message", range(3, 4), draws.message),
    _task("answer-message", range(1, 2), draws.answer_letter),
    _task("invitation", range(3, 4), draws.invitation),
    _task("report", range(3, 4), draws.report),
)
_MEDIUM = (
    _task("new-thread", range(4, 6), draws.new_thread),
    _task("thread-with-poll", range(5, 7), partial(draws.new_thread, poll=True)),
    _task("many-settings", range(4, 7), partial(draws.settings, low=4, high=6)),
    _task("ask-and-write", range(4, 6), _QUESTIONS, draws.message),
    _task(
        "compare-and-react",
        range(4, 7),
        (*_COMPARISONS, draws.offers),
        (draws.quoting, draws.keep, draws.votes),
        draws.befriend,
    ),
    _task("three-questions", range(4, 6), _QUESTIONS, _QUESTIONS, _QUESTIONS, (draws.reply, draws.answer_letter)),
    _task("meet-and-tell", range(4, 6), draws.invitation, (draws.reply, draws.quoting, draws.poll_vote)),
    _task("clean-up", range(4, 7), draws.report, draws.votes),
    _task("house-keeping", range(4, 7), draws.settings, draws.keep, draws.befriend),
)
_HARD = (
    _task("thread-and-message", range(7, 10), draws.new_thread, draws.message),
    _task("newcomer", range(7, 12), partial(draws.settings, low=3, high=5), draws.befriend, draws.reply, _QUESTIONS),
    _task(
        "organiser", range(7, 12), draws.invitation, draws.message, (draws.poll_vote, draws.answer_letter), draws.meetup
    ),
    _task("moderator", range(7, 12), draws.report, partial(draws.votes, low=2), draws.rule, draws.quoting),
    _task("researcher", range(7, 12), draws.offers, _COMPARISONS, draws.figure, draws.message),
    _task("poll-maker", range(7, 13), partial(draws.new_thread, poll=True), _QUESTIONS, (draws.keep, draws.quoting)),
    _task(
        "all-round",
        range(7, 13),
        partial(draws.settings, low=3, high=6),
        draws.invitation,
        partial(draws.keep, low=2, high=3),
    ),
    _task(
        "curator",
        range(7, 13),
        partial(draws.keep, low=3, high=4),
        partial(draws.befriend, low=2, high=3),
        _QUESTIONS,
        draws.accept,
    ),
)
TEMPLATES = (*_EASY, *_MEDIUM, *_HARD)
