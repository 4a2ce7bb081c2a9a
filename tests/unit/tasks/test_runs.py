"""Runs take any task set."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.unit.tasks.rows import facts, row

from webgym.errors import ConfigError, TaskSetError
from webgym.records.task_row import TaskRow
from webgym.run.config import TasksConfig
from webgym.run.tasks import tasks_for
from webgym.tasks.sets import save_set, set_of
from webgym_hermetic.catalogue import sites
from webgym_hermetic.rows import hermetic_rows
from webgym_hermetic.tasks.generate import tasks_of


def test_a_run_attempts_the_tasks_of_a_set_in_the_order_of_its_seed(tmp_path: Path):
    rows = [
        row(str(n), website="https://a.com/", rubric=facts(n % 5), split="test" if n % 2 else "train")
        for n in range(40)
    ]
    save_set(set_of("x", rows), tmp_path / "x")
    config = TasksConfig(use="set", file=f"{tmp_path / 'x'}:test", count=0)
    ids = [task.task_id for task in tasks_for(config, 1)]
    assert sorted(ids, key=int) == [str(n) for n in range(40) if n % 2 and n % 5]
    assert ids == [task.task_id for task in tasks_for(config, 1)]
    assert ids != [task.task_id for task in tasks_for(config, 2)]
    own = config.model_copy(update={"seed": 1})
    assert ids == [task.task_id for task in tasks_for(own, 2)]
    easy = tasks_for(TasksConfig(use="set", file=str(tmp_path / "x"), count=3, levels=("medium",)), 1)
    assert [task.level for task in easy] == ["medium"] * 3


def test_a_set_that_is_not_named_or_not_there_is_told(tmp_path: Path):
    with pytest.raises(ConfigError, match=r"needs tasks\.file"):
        tasks_for(TasksConfig(use="set"), 0)
    with pytest.raises(TaskSetError, match="there is no task set"):
        tasks_for(TasksConfig(use="set", file=str(tmp_path / "none")), 0)


def splits_of(*splits: str) -> list[TaskRow]:
    return [row(str(n), website="https://a.com/", rubric=facts(1), split=one) for n, one in enumerate(splits)]


def drawn(place: object, **more: Any) -> set[str]:
    return {task.task_id for task in tasks_for(TasksConfig(use="set", file=str(place), count=0, **more), 0)}


def test_of_a_set_with_splits_a_run_attempts_the_one_it_is_about(tmp_path: Path):
    save_set(set_of("x", splits_of("train", "test", "train", "")), tmp_path / "x")
    assert drawn(tmp_path / "x") == {"1"}
    assert drawn(tmp_path / "x", split="train") == {"0", "2"}
    assert drawn(f"{tmp_path / 'x'}:train") == {"0", "2"}  # what the name says counts
    assert drawn(f"{tmp_path / 'x'}:all") == {"0", "1", "2", "3"}


def test_a_set_without_splits_is_attempted_whole(tmp_path: Path):
    save_set(set_of("x", splits_of("", "", "")), tmp_path / "x")
    assert drawn(tmp_path / "x") == drawn(tmp_path / "x", split="train") == {"0", "1", "2"}


def test_a_set_that_lacks_the_split_says_what_to_write(tmp_path: Path):
    save_set(set_of("x", splits_of("train", "train", "validation")), tmp_path / "x")
    with pytest.raises(ConfigError) as told:
        drawn(tmp_path / "x")
    assert "no split 'test' (tasks.split)" in str(told.value)
    assert f"tasks.file={tmp_path / 'x'}:train" in str(told.value)
    assert f"{tmp_path / 'x'}:all" in str(told.value)
    with pytest.raises(TaskSetError, match="has no split 'test'; it has train, validation"):
        drawn(f"{tmp_path / 'x'}:test")


def test_hermetic_tasks_come_back_as_they_were(tmp_path: Path):
    save_set(set_of("h", hermetic_rows(1, 3)), tmp_path / "h")
    again = {task.task_id: task for task in tasks_for(TasksConfig(use="set", file=f"{tmp_path / 'h'}:all", count=0), 0)}
    made = {task.task_id: task for site in sites(1) for task in tasks_of(site, 3)}
    assert again == made


def test_runs_of_several_seeds_have_the_same_hermetic_tasks_if_they_share_that_of_the_draw():
    shared = TasksConfig(count=6, families=("shop",), sites_per_family=8, split="train", seed=7)
    first, second = tasks_for(shared, 0), tasks_for(shared, 1)
    assert first == second
    assert first == tasks_for(shared.model_copy(update={"seed": None}), 7)
    assert first != tasks_for(shared.model_copy(update={"seed": None}), 0)
