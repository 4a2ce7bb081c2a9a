"""Which tasks a run attempts."""

from __future__ import annotations

import msgspec
import pytest

from webgym.errors import ConfigError
from webgym.run.config import TasksConfig
from webgym.run.import_path import made, named
from webgym.run.tasks import groups_for, tasks_for
from webgym.stages import Judge
from webgym.testing.rollouts import fake_task
from webgym_hermetic.catalogue import site_named


def test_the_same_configuration_gives_the_same_tasks_and_another_seed_others():
    config = TasksConfig(count=30)
    first = [task.task_id for task in tasks_for(config, 0)]
    assert first == [task.task_id for task in tasks_for(config, 0)]
    assert first != [task.task_id for task in tasks_for(config, 1)]
    assert len(set(first)) == 30


def test_tasks_come_from_the_chosen_split_and_level_alone():
    for split in ("train", "validation", "test", "test_structure"):
        tasks = tasks_for(TasksConfig(count=20, split=split, levels=("hard",)), 0)
        assert {task.split for task in tasks} == {split}
        assert {task.level for task in tasks} == {"hard"}
        for task in tasks:
            assert site_named(task.website.split("//")[1].split(".")[0]).split == split


def test_a_few_tasks_already_come_from_many_sites():
    tasks = tasks_for(TasksConfig(count=30), 0)
    assert len({task.website for task in tasks}) == 30


def test_sites_that_a_policy_knows_can_be_left_out():
    tasks = tasks_for(TasksConfig(count=20, split="train", sites_per_family=30, sites_from=16), 0)
    numbers = {site_named(task.website.split("//")[1].split(".")[0]).number for task in tasks}
    assert min(numbers) >= 16
    assert max(numbers) < 30


def test_the_attempts_at_a_task_are_a_group_with_seeds_of_their_own():
    groups = groups_for([fake_task(1), fake_task(2)], 3, seed=5)
    assert [[attempt.attempt_id for attempt in group] for group in groups] == [
        ["task-1/0", "task-1/1", "task-1/2"],
        ["task-2/0", "task-2/1", "task-2/2"],
    ]
    assert len({attempt.seed for group in groups for attempt in group}) == 6
    assert groups == groups_for([fake_task(1), fake_task(2)], 3, seed=5)


def test_tasks_can_come_from_a_file(tmp_path):
    path = tmp_path / "tasks.jsonl"
    path.write_bytes(b"\n".join(msgspec.json.encode(fake_task(number)) for number in range(5)) + b"\n")
    assert [task.task_id for task in tasks_for(TasksConfig(use="file", file=str(path), count=3), 0)] == [
        "task-0",
        "task-1",
        "task-2",
    ]


def test_a_line_that_is_no_task_is_named(tmp_path):
    path = tmp_path / "tasks.jsonl"
    path.write_bytes(msgspec.json.encode(fake_task(1)) + b"\n{}\n")
    with pytest.raises(ConfigError, match=r"tasks\.jsonl:2"):
        tasks_for(TasksConfig(use="file", file=str(path)), 0)


def test_two_tasks_of_one_name_are_told_before_anything_runs(tmp_path):
    path = tmp_path / "tasks.jsonl"
    path.write_bytes(b"\n".join(msgspec.json.encode(fake_task(number)) for number in (1, 2, 1)))
    with pytest.raises(ConfigError, match="more than once, such as task-1"):
        tasks_for(TasksConfig(use="file", file=str(path)), 0)
    assert len(tasks_for(TasksConfig(use="file", file=str(path), count=2), 0)) == 2


def test_tasks_can_come_from_a_function_of_ones_own():
    assert [task.domain for task in tasks_for(TasksConfig(use="examples.own_task:tasks"), 0)] == ["shop", "shop"]


@pytest.mark.parametrize("path", ["nonsense", "examples.own_task:missing", "no.such.module:x", ":x", "x:"])
def test_a_name_that_leads_nowhere_is_told(path):
    with pytest.raises(ConfigError, match=r"judge\.use"):
        named(path, "judge.use")


def test_something_of_the_wrong_kind_is_told():
    with pytest.raises(ConfigError, match="does not implement Judge"):
        made("examples.own_policy:Scroller", "judge.use", Judge)


def test_no_task_at_all_is_an_error_that_says_so():
    with pytest.raises(ConfigError, match="no task of env=hermetic matches"):
        tasks_for(TasksConfig(task_ids=("nothing",), count=1, sites_per_family=2), 0)


def test_an_unknown_family_is_named_with_those_there_are():
    with pytest.raises(ConfigError, match=r"bank.*shop"):
        tasks_for(TasksConfig(families=("bank",)), 0)


def test_an_unknown_split_is_named_with_those_there_are():
    with pytest.raises(ConfigError, match=r"tasks.split = 'tset'.*test_structure"):
        tasks_for(TasksConfig(split="tset"), 0)


@pytest.mark.parametrize("website", ["", "nowhere", "https://[your-site]/"])
def test_a_task_without_a_website_is_named(website):
    given = msgspec.to_builtins(msgspec.structs.replace(fake_task(7), website=website))
    with pytest.raises(ConfigError, match=r"task task-7: .* is not a website address"):
        tasks_for(TasksConfig(use="given", given=(given,)), 0)
