"""Answers in as few words as will do, as the screen has them."""

from __future__ import annotations

import pytest
from policies.nano.tests.lessons.pages import line
from webgym_hermetic.catalogue import site
from webgym_hermetic.goal import Goal
from webgym_hermetic.judge import judge
from webgym_hermetic.oracle.oracle import final_answer
from webgym_hermetic.states import Snapshot
from webgym_hermetic.tasks.generate import tasks_of
from webgym_hermetic.tasks.goals import goals_of
from webgym_hermetic.view import View
from webgym_hermetic.worlds import world_of

from webgym.records.observation import TextLine
from webgym_nano.lessons.answers import DONE, Said, shortest_answer

SHOP = site("shop", 0)
NOTHING = Snapshot(site=SHOP.name, events=(), visits=())


def task_of(template: str):
    return next(task for task in tasks_of(SHOP) if task.template == template and task.difficulty == 1)


def full_answer(goals: tuple[Goal, ...]) -> str:
    return final_answer(goals, View(SHOP, world_of(SHOP), None, (), "", ()))


def said(template: str, *lines: TextLine) -> tuple[Said, str]:
    goals = goals_of(task_of(template), "shop")
    full = full_answer(goals)
    return shortest_answer(SHOP, goals, NOTHING, full, lines), full


@pytest.mark.parametrize("template", ["find-price", "find-detail", "ask-order"])
def test_an_answer_is_cut_to_what_is_judged(template: str):
    found, full = said(template)
    assert len(found.text) < len(full)
    assert not found.visible
    assert found.away is None
    task = task_of(template)
    assert judge(SHOP, task, NOTHING, found.text) == judge(SHOP, task, NOTHING, full)


def test_what_the_screen_says_is_said_as_it_is_spelt_there():
    hidden, full = said("find-best")
    name = hidden.text
    spelt = name.upper()
    there = line(spelt, 10, 80)
    found, _ = said("find-best", line("Something else", 10, 40), there)
    assert found == Said(spelt, visible=True, at=there)
    assert name in full


def test_a_text_that_is_wrapped_is_found():
    name = said("find-best")[0].text
    first, _, rest = name.partition(" ")
    begins = line(first, 10, 40)
    found, _ = said("find-best", begins, line(rest, 10, 60))
    assert found == Said(name, visible=True, at=begins)


def test_what_is_out_of_sight_is_pointed_to():
    name = said("find-best")[0].text
    away = line(name, 10, 700, shown=False)
    found, _ = said("find-best", line("Something else", 10, 40), away)
    assert (found.visible, found.away) == (False, away)


def test_who_had_nothing_to_find_out_says_so():
    task = next(task for task in tasks_of(SHOP) if task.template == "fill-cart")
    goals = goals_of(task, "shop")
    assert shortest_answer(SHOP, goals, NOTHING, full_answer(goals), ()) == Said(DONE, visible=True)
