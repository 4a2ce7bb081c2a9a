"""Lessons for other tasks on the same page: a page visited for one task can teach many."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from webgym_hermetic.goal import Goal
from webgym_hermetic.oracle.oracle import decide
from webgym_hermetic.site import Site
from webgym_hermetic.states import Snapshot
from webgym_hermetic.tasks.generate import tasks_of
from webgym_hermetic.tasks.goals import goals_of

from webgym.agent.dialects.nano import NANO, verb_of
from webgym.records.action import Answer, Wait
from webgym.records.decision import Decision
from webgym.records.lesson import Question
from webgym.records.observation import Observation
from webgym.records.task import Task
from webgym.rng import Rng
from webgym_nano.lessons.agent_settings import MOST_FACTS
from webgym_nano.lessons.answers import shortest_answer
from webgym_nano.lessons.decisions import answered, as_seen
from webgym_nano.lessons.names import sides_of
from webgym_nano.lessons.siblings import NO_SUCH, siblings

MOST = 5
"""Maximum other tasks per page."""
MOST_SIBLINGS = 5
"""Maximum sibling tasks on a page where the attempt answers."""
_SIBLINGS_TRIED = 16
_TRIED = 6
"""Candidates about what is on the page, and as many others; the most diverse are taken."""
_DRAWN = 240
"""Tasks of a site to draw from."""
_SITES = 400
_QUOTED = re.compile(r"“([^”]+)”|\"([^\"]+)\"")
_NAME = re.compile(r"\b[A-Z]+-\d+\b")


@dataclass(frozen=True, slots=True)
class Situation:
    """The state of an attempt at one step."""

    site: Site
    seen: Observation
    snapshot: Snapshot
    task: Task
    asked: str
    """Text of its prompt: the task, and past actions."""
    unmoved: bool = False
    """Whether the previous action was a scroll that had no effect."""


@dataclass(frozen=True, slots=True)
class _Other:
    task: Task
    goals: tuple[Goal, ...]
    names: tuple[str, ...]
    """Names of things that it is about, as written on pages."""


def other_tasks(at: Situation, rng: Rng) -> tuple[Question, ...]:
    """Ask what the oracles of other tasks of the site would do, with the same page and history."""
    page = " ".join(line.text for line in at.seen.lines or ()).casefold()
    known = [other for other in _others(at.site) if other.task.task_id != at.task.task_id]
    about = [other for other in known if any(name in page for name in other.names)]
    tried = rng.shuffled(about)[:_TRIED] + rng.shuffled(known)[:_TRIED]
    found: defaultdict[str, list[Question]] = defaultdict(list)
    for task in {other.task.task_id: other.task for other in tried}.values():
        question = _question(at, task)
        if question is not None:
            found[verb_of(question.reply)].append(question)
    return tuple(_in_turn(sorted(found.values(), key=len)))[:MOST]


def other_answers(at: Situation, rng: Rng) -> tuple[Question, ...]:
    """Ask other questions that this page answers, where the attempt answers."""
    drawn = [goal for other in _others(at.site) for goal in other.goals]
    tasks = siblings(at.site, goals_of(at.task, at.site.family), drawn, rng)
    found: list[Question] = []
    for task in islice(tasks, _SIBLINGS_TRIED):
        try:
            told = _wanted(at, task)
        except NO_SUCH:
            continue
        if told is not None and isinstance(told.action, Answer) and told.box is not None:
            found.append(_asked(at, task, told))
        if len(found) == MOST_SIBLINGS:
            break
    return tuple(found)


def _question(at: Situation, task: Task) -> Question | None:
    told = _wanted(at, task)
    return None if told is None else _asked(at, task, told)


def _asked(at: Situation, task: Task, told: Decision) -> Question:
    past = at.asked.removeprefix(at.task.instruction)
    return Question(f"{task.instruction}{past}", NANO.say(told, at.seen), "task", sides_of(told.box))


def _wanted(at: Situation, task: Task) -> Decision | None:
    goals = goals_of(task, at.site.family)
    decision = decide(at.site, goals, at.seen, at.snapshot)
    match decision.action:
        case Answer(full):
            said = shortest_answer(at.site, goals, at.snapshot, full, at.seen.lines or ())
            return answered(said, at.seen, unmoved=at.unmoved)
        case Wait():
            return None  # what it waits for may concern only another task
        case _:
            return as_seen(decision, at.seen, unmoved=at.unmoved, instruction=task.instruction)


@lru_cache(_SITES)
def _others(site: Site) -> tuple[_Other, ...]:
    return tuple(
        _Other(task, goals_of(task, site.family), _names(task.instruction))
        for task in tasks_of(site, _DRAWN)
        if task.difficulty <= MOST_FACTS
    )


def _names(instruction: str) -> tuple[str, ...]:
    quoted = ("".join(pair).casefold() for pair in _QUOTED.findall(instruction))
    return (*quoted, *(name.casefold() for name in _NAME.findall(instruction)))


def _in_turn(kinds: Sequence[list[Question]]) -> list[Question]:
    """Take one of each kind, rarest first, then another of each, and so on."""
    longest = max((len(kind) for kind in kinds), default=0)
    return [kind[number] for number in range(longest) for kind in kinds if number < len(kind)]
