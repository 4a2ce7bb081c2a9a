"""A page that one attempt sees teaches what other tasks would have one do there."""

from __future__ import annotations

import msgspec
import pytest
from policies.nano.tests.lessons.pages import element, line, observation
from webgym_hermetic.catalogue import site, sites
from webgym_hermetic.families.shop.goals.lookup import LookUp, value_of
from webgym_hermetic.judge import judge
from webgym_hermetic.registry import FAMILIES
from webgym_hermetic.states import Snapshot
from webgym_hermetic.tasks.generate import task_from, tasks_of
from webgym_hermetic.tasks.goals import goals_of
from webgym_hermetic.worlds import world_of

from webgym.agent.dialects.nano import NANO
from webgym.records.action import Answer, Navigate, TypeText
from webgym.records.decision import Decision
from webgym.records.lesson import Question
from webgym.records.observation import Observation
from webgym.records.prompt import Completion
from webgym.rng import Rng
from webgym_nano.lessons.other_tasks import MOST, MOST_SIBLINGS, Situation, other_answers, other_tasks
from webgym_nano.lessons.siblings import siblings

SHOP = site("shop", 0)
WORLD = world_of(SHOP)
HAT = next(product for product in WORLD.products if len(product.specs) > 1)
TOPICS = ("price", *(name for name, _ in HAT.specs))
DRAWN = [LookUp(product.sku, topic) for product in WORLD.products[:60] for topic in TOPICS]
TASK = task_from(SHOP, "asked", "find-price", (LookUp(HAT.sku, "price"),))
PAST = "\n\nSearch>s<056><007>hat"


def page(*, opened: bool) -> Observation:
    """Of the product, or another with nothing but a box to search in."""
    box = element("Search", (100, 8, 200, 30), "input", key="field:q", type="text")
    if not opened:
        return observation((box,), (), f"http://{SHOP.name}.localhost/")
    facts = [(f"fact:{topic}", value_of(HAT, topic), 60 + 40 * row) for row, topic in enumerate(TOPICS[:6])]
    told = (element(value, (100, y, 200, 20), "div", key=key) for key, value, y in facts)
    lines = (line(f"${value}" if key == "fact:price" else value, 100, y) for key, value, y in facts)
    return observation((box, *told), tuple(lines), f"http://{SHOP.name}.localhost{HAT.path}")


def situation(*, opened: bool) -> Situation:
    visits = ("/", HAT.path) if opened else ("/",)
    snapshot = Snapshot(site=SHOP.name, visits=visits)
    return Situation(SHOP, page(opened=opened), snapshot, TASK, TASK.instruction + PAST)


def action(question: Question, seen: Observation):
    choice = NANO.parse(Completion(question.reply), seen)
    assert isinstance(choice, Decision)
    return choice.action


def test_siblings_ask_for_something_else_about_the_same_thing():
    found = [goals_of(task, "shop")[0] for task in siblings(SHOP, (LookUp(HAT.sku, "price"),), DRAWN, Rng("x"))]
    assert {goal.topic for goal in found if isinstance(goal, LookUp)} >= set(TOPICS) - {"price"}
    assert all(isinstance(goal, LookUp) and goal.sku == HAT.sku for goal in found)


def test_where_an_attempt_answers_other_questions_are_answered_as_their_judge_wants(monkeypatch):
    monkeypatch.setattr("webgym_nano.lessons.other_tasks.siblings", lambda a, b, _, d: siblings(a, b, DRAWN, d))
    at = situation(opened=True)
    found = other_answers(at, Rng("x"))
    assert 2 <= len(found) <= MOST_SIBLINGS
    by_text = {task.instruction: task for task in siblings(SHOP, goals_of(TASK, "shop"), DRAWN, Rng("x"))}
    for question in found:
        answer = action(question, at.seen)
        assert isinstance(answer, Answer)
        assert question.ask.endswith(PAST)
        task = by_text[question.ask.removesuffix(PAST)]
        assert judge(SHOP, task, at.snapshot, answer.text).success


def test_other_tasks_have_the_past_of_the_attempt_and_never_its_task():
    at = situation(opened=False)
    found = other_tasks(at, Rng("x"))
    assert 0 < len(found) <= MOST
    assert len({question.ask for question in found}) == len(found)
    for question in found:
        assert question.kind == "task"
        assert question.ask.endswith(PAST)
        assert not question.ask.startswith(TASK.instruction)
        assert isinstance(action(question, at.seen), (TypeText, Navigate))


def test_they_are_the_same_for_the_same_seed():
    at = situation(opened=False)
    assert other_tasks(at, Rng("x")) == other_tasks(at, Rng("x"))
    assert msgspec.msgpack.encode(other_tasks(at, Rng("x"))) != msgspec.msgpack.encode(other_tasks(at, Rng("y")))


@pytest.mark.parametrize("family", FAMILIES)
def test_no_goal_of_any_family_is_too_odd_to_have_siblings(family: str):
    found = 0
    for place in [one for one in sites(12, (family,)) if one.split == "train"][:3]:
        tasks = list(tasks_of(place, 40))
        drawn = [goal for task in tasks for goal in goals_of(task, family)]
        for task in tasks[:15]:
            found += sum(1 for _ in siblings(place, goals_of(task, family), drawn, Rng("x")))
    assert found
