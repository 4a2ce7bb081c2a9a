"""The tasks: how many there are, how they are split, and what they say."""

from __future__ import annotations

from itertools import islice
from urllib.parse import urlsplit

import msgspec
import pytest

from webgym.errors import ConfigError
from webgym.records.environment import TaskSelection
from webgym.stages import EnvironmentNeeds
from webgym_miniwob.catalogue import groups, kinds
from webgym_miniwob.environment import MiniwobEnvironment
from webgym_miniwob.pages import installed_pages
from webgym_miniwob.utterances import utterances


def names(split: str) -> set[str]:
    return {task.template for task in MiniwobEnvironment(seeds=1).tasks(TaskSelection(split=split))}


def test_at_least_120_tasks_are_split_by_name():
    train, test = names("train"), names("test")
    assert not train & test
    assert train | test == set(kinds())
    assert len(kinds()) >= 120
    assert 0.25 < len(test) / len(kinds()) < 0.4


def test_no_group_has_members_in_both_splits():
    for group in groups():
        assert len({kind.split for kind in kinds().values() if kind.group == group}) == 1


def test_every_task_has_a_page_and_utterances_for_every_seed():
    paths = installed_pages().paths
    assert set(utterances().by_name) == set(kinds())
    for name, said in utterances().by_name.items():
        assert f"miniwob/{name}.html" in paths
        assert len(said) == 100
        assert all(said)


def test_utterances_are_those_of_the_installed_pages():
    assert installed_pages().fingerprint == utterances().fingerprint


def test_a_task_says_all_that_attempts_and_reports_need():
    task = next(iter(MiniwobEnvironment().tasks(TaskSelection("train", task_ids=("miniwob/click-button/17",)))))
    assert task.template == task.site == "click-button"
    assert task.domain == "buttons"
    assert task.instruction.startswith('Click on the "')
    assert len(task.rubric) == 1
    assert urlsplit(task.website).hostname == "miniwob.localhost"


def test_a_few_tasks_cover_as_many_kinds_in_an_order_of_the_seed():
    def first(seed: int, count: int = 41) -> list[str]:
        return [task.template for task in islice(MiniwobEnvironment().tasks(TaskSelection(seed=seed)), count)]

    assert len(set(first(0))) == 41
    assert first(0) == first(0) != first(1)


def test_families_are_groups():
    chosen = MiniwobEnvironment(seeds=2).tasks(TaskSelection("train", families=("tabs", "menus")))
    assert {task.domain for task in chosen} == {"tabs", "menus"}
    with pytest.raises(ConfigError, match="unknown group of tasks: shop"):
        MiniwobEnvironment().tasks(TaskSelection(families=("shop",)))


def test_there_are_more_seeds_than_instructions_only_if_the_page_says_what_to_do():
    with pytest.raises(ConfigError, match="instruction=page"):
        MiniwobEnvironment(seeds=101)
    many = MiniwobEnvironment(seeds=1000, instruction="page")
    last = list(many.tasks(TaskSelection("train", templates=("click-test",))))[-1]
    assert last.task_id == "miniwob/click-test/999"
    assert last.instruction == "Do what the page says at its top."


def test_an_oracle_and_the_judge_are_offered_only_where_they_are(task):
    environment = MiniwobEnvironment()
    button, cube = task("miniwob/click-button/0"), task("miniwob/drag-cube/0")
    assert environment.supports(button).oracle
    assert environment.supports(button).exact
    assert not environment.supports(cube).oracle
    assert environment.supports(cube).exact
    assert not environment.supports(msgspec.structs.replace(button, benchmark="other")).exact


@pytest.mark.anyio
async def test_tasks_of_another_environment_are_refused(task):
    foreign = msgspec.structs.replace(task("miniwob/click-button/0"), exact="")
    with pytest.raises(ConfigError, match="not of env=miniwob"):
        async with MiniwobEnvironment().open(EnvironmentNeeds((foreign,))):
            pass


@pytest.mark.anyio
async def test_a_fleet_that_runs_already_needs_a_port(task):
    needs = EnvironmentNeeds((task("miniwob/click-button/0"),), fleet=False)
    with pytest.raises(ConfigError, match="--allow"):
        async with MiniwobEnvironment().open(needs):
            pass
