"""Tasks: as many as there should be, each with a rubric that its parts keep."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from itertools import combinations

import msgspec
import pytest

from webgym.errors import SiteStateError, SiteUnknown
from webgym.records.task import Task, level_of
from webgym_hermetic.catalogue import site
from webgym_hermetic.goal import End
from webgym_hermetic.judge import judge
from webgym_hermetic.registry import FAMILIES, family
from webgym_hermetic.states import Snapshot
from webgym_hermetic.tasks.generate import digest, part_of, tasks_of
from webgym_hermetic.tasks.goals import goals_of
from webgym_hermetic.worlds import world_of

every_family = pytest.mark.parametrize("name", FAMILIES)
FRESH = """
from webgym_hermetic.catalogue import site
from webgym_hermetic.tasks.generate import digest, tasks_of
print(digest(task for name in {families!r} for task in tasks_of(site(name, 4), 20)))
"""


@every_family
def test_a_site_has_a_hundred_tasks_with_instructions_of_their_own(name: str):
    tasks = list(tasks_of(site(name, 6)))
    assert len(tasks) == 100
    assert len({task.instruction for task in tasks}) == 100
    assert len({task.task_id for task in tasks}) == 100


@every_family
def test_levels_have_their_shares_and_difficulty_is_the_number_of_facts(name: str):
    tasks = list(tasks_of(site(name, 9)))
    assert Counter(task.level for task in tasks) == {"easy": 40, "medium": 35, "hard": 25}
    assert all(1 <= task.difficulty <= 12 for task in tasks)
    assert all(task.level == level_of(sum(len(group.facts) for group in task.rubric)) for task in tasks)


@every_family
def test_every_template_is_drawn_for_its_level_on_some_site(name: str):
    drawn = {task.template for number in range(12) for task in tasks_of(site(name, number))}
    missing = {template.name for template in family(name).templates} - drawn
    assert not missing


@every_family
def test_nothing_holds_before_anything_is_done(name: str):
    where = site(name, 2)
    for task in tasks_of(where, 30):
        verdict = judge(where, task, Snapshot(where.name), "")
        assert verdict.facts
        assert not any(one.holds for one in verdict.facts), task.instruction


@every_family
def test_a_part_of_a_task_asks_for_exactly_its_groups(name: str):
    where = site(name, 3)
    parted = 0
    for task in tasks_of(where, 60):
        for size in range(1, len(task.rubric)):
            for groups in combinations(range(1, len(task.rubric) + 1), size):
                part = part_of(where, task, groups)
                parted += 1
                assert [group.facts for group in part.rubric] == [task.rubric[group - 1].facts for group in groups]
                assert all(group.description[1:] in part.instruction for group in part.rubric)
                assert part.decomposed_from == task.task_id
                assert part.difficulty < task.difficulty
    assert parted >= 20


@every_family
def test_wordings_of_a_request_vary(name: str):
    world = world_of(site(name, 1))
    for task in tasks_of(site(name, 1), 40):
        for goal in goals_of(task, name):
            wordings = goal.clauses(world)
            assert len(set(wordings)) >= 4, type(goal)
            assert all(one and one == one.strip() and not one.endswith(".") for one in wordings), wordings


@every_family
def test_every_fact_can_be_left_out_alone_as_far_as_the_answer_goes(name: str):
    """What a goal says with one fact spoiled differs from what it says in full, or the site's state does."""
    world = world_of(site(name, 5))
    start = family(name).start(world)
    for task in tasks_of(site(name, 5), 40):
        for goal in goals_of(task, name):
            for fact in goal.facts(world):
                spoiled = goal.spoil(fact.name, world)
                assert spoiled != goal, (goal, fact.name)
                said = End(world, start, (), goal.answer(world))
                wrong = End(world, start, (), spoiled.answer(world))
                if goal.holds(fact.name, said):
                    assert not goal.holds(fact.name, wrong), (goal, fact.name)


def test_tasks_are_the_same_in_another_process():
    families = ("shop", "mail")
    here = digest(task for name in families for task in tasks_of(site(name, 4), 20))
    fresh = [sys.executable, "-c", FRESH.format(families=families)]
    assert subprocess.run(fresh, capture_output=True, text=True, check=True).stdout.strip() == here


def test_a_task_survives_being_written_and_read():
    task = next(tasks_of(site("shop", 0)))
    assert msgspec.json.decode(msgspec.json.encode(task), type=Task) == task


def test_a_group_that_is_not_there_gets_a_clear_error():
    where = site("shop", 0)
    task = next(tasks_of(where))
    with pytest.raises(SiteUnknown, match="has groups 1 to"):
        part_of(where, task, [9])
    with pytest.raises(SiteUnknown, match="has groups 1 to"):
        part_of(where, task, [])


def test_a_task_of_another_family_gets_a_clear_error():
    task = next(tasks_of(site("shop", 0)))
    with pytest.raises(SiteStateError, match="do not fit a mail"):
        goals_of(task, "mail")
    with pytest.raises(SiteStateError, match="no exact checks"):
        goals_of(msgspec.structs.replace(task, exact=""), "shop")
