"""Checks that goals can be combined: no goal's answer may be mistaken for another's."""

from __future__ import annotations

from webgym_hermetic.families.news.goals.compare import CompareArticles, CompareYears
from webgym_hermetic.families.news.goals.lists import TellCheapest, TellListing
from webgym_hermetic.families.news.goals.marks import Vote
from webgym_hermetic.families.news.goals.seek import FilterSearch
from webgym_hermetic.families.news.goals.tables import CompareBoard, TellBoard
from webgym_hermetic.families.news.goals.tell import TellAuthor, TellDetails, TellLatest
from webgym_hermetic.families.news.records import World
from webgym_hermetic.goal import End, Goal

_TELLING = (
    TellDetails,
    TellAuthor,
    TellLatest,
    TellBoard,
    CompareBoard,
    CompareArticles,
    CompareYears,
    TellListing,
    TellCheapest,
)


def fitting(world: World, *goals: Goal | None) -> tuple[Goal, ...] | None:
    """The goals, if each right answer is taken for right and each wrong one for wrong among the others."""
    chosen = tuple(goal for goal in goals if goal is not None)
    if len(chosen) < len(goals):
        return None
    if not all(_true(world, one, fact, chosen) for one in chosen for fact in _told(world, one)):
        return None
    for place, goal in enumerate(chosen):
        for fact in _told(world, goal):
            spoilt = (*chosen[:place], goal.spoil(fact, world), *chosen[place + 1 :])
            for one in chosen:
                for other in _told(world, one):
                    if _true(world, one, other, spoilt) != ((one, other) != (goal, fact)):
                        return None
    return chosen


def _told(world: World, goal: Goal) -> tuple[str, ...]:
    """Facts that the answer decides."""
    if isinstance(goal, _TELLING):
        return tuple(fact.name for fact in goal.facts(world))
    if isinstance(goal, FilterSearch):
        return ("top",)
    return ("leader",) if isinstance(goal, Vote) and goal.leader else ()


def _true(world: World, goal: Goal, fact: str, told_by: tuple[Goal, ...]) -> bool:
    said = " ".join(text for one in told_by if (text := one.answer(world)))
    return goal.holds(fact, End(world, None, (), said))
