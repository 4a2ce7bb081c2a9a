"""Runs on task sets draw by the sampler that is asked for, leave out what is in quarantine, and open sealed rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from tests.unit.tasks.rows import facts, row

from webgym.errors import ConfigError, TaskSetError
from webgym.records.task_row import TaskRow
from webgym.run.config import RolloutConfig, RunConfig, TasksConfig
from webgym.run.kept_tasks import drawn_once, keep_drawn
from webgym.run.load import load_config_as
from webgym.run.tasks import tasks_for
from webgym.tasks.extra import Extra
from webgym.tasks.health.database import Fate, HealthDatabase, Result
from webgym.tasks.samplers.sampler import Kind
from webgym.tasks.sealing import BROWSECOMP, sealed
from webgym.tasks.sets import save_set, set_of

FACTS = {"easy": 2, "medium": 5, "hard": 8}


def saved(folder: Path, rows: Iterable[TaskRow]) -> str:
    save_set(set_of("x", rows), folder / "x")
    return str(folder / "x")


def mixed(folder: Path) -> str:
    """Sixty easy tasks on one website, and on each of twenty others one that is medium or hard."""
    many = [row(f"a{n}", website="https://a.com/", rubric=facts(FACTS["easy"])) for n in range(60)]
    others = [
        row(f"b{n}", website=f"https://b{n}.com/", rubric=facts(FACTS["medium" if n % 2 else "hard"]))
        for n in range(20)
    ]
    return saved(folder, [*many, *others])


def a_book(folder: Path, fate: Fate, *, task: str = "b3", site: str = "a.com", count: int = 4) -> str:
    path = folder / "health.db"
    database = HealthDatabase(path)
    database.record(Result("r", f"{task}/{n}", task, site, fate, 1.0 + n) for n in range(count))
    database.close()
    return str(path)


def drawn(config: TasksConfig, seed: int = 0) -> list[str]:
    return [task.task_id for task in tasks_for(config, seed)]


def on(reference: str, **more: object) -> TasksConfig:
    return TasksConfig(use="set", file=reference, **more)


def test_a_run_knows_the_samplers_that_draw_knows():
    assert get_args(TasksConfig.model_fields["sampler"].annotation) == get_args(Kind)


def test_levels_come_in_the_ratio_that_is_asked_for(tmp_path: Path):
    config = on(mixed(tmp_path), count=20, sampler="ratio", ratio="easy=5,medium=3,hard=2")
    assert Counter(task.level for task in tasks_for(config, 0)) == {"easy": 10, "medium": 6, "hard": 4}
    assert drawn(config) == drawn(config) != drawn(config, 1)
    everything = config.model_copy(update={"count": 0})
    assert Counter(task.level for task in tasks_for(everything, 0)) == {"easy": 16, "medium": 10, "hard": 7}


def test_websites_come_equally_often_and_all_tasks_come_in_the_end(tmp_path: Path):
    reference = mixed(tmp_path)
    assert len({task.website for task in tasks_for(on(reference, count=21, sampler="balanced"), 0)}) == 21
    found = drawn(on(reference, count=0, sampler="balanced"))
    assert len(found) == len(set(found)) == 80


def test_filters_count_before_anything_is_drawn(tmp_path: Path):
    config = on(mixed(tmp_path), count=10, sampler="balanced", levels=("hard",))
    assert [task.level for task in tasks_for(config, 0)] == ["hard"] * 10


def test_adaptive_goes_by_the_book(tmp_path: Path):
    reference = saved(tmp_path, [row(str(n), website="https://a.com/", rubric=facts(2)) for n in range(40)])
    path = tmp_path / "health.db"
    database = HealthDatabase(path)
    sure = [Result("r", f"{n}/{k}", str(n), "a.com", "success", 1.0) for n in range(1, 40) for k in range(16)]
    half = [Result("r", f"0/{k}", "0", "a.com", "success" if k % 2 else "failure", 1.0) for k in range(16)]
    database.record([*sure, *half])
    database.close()
    config = on(reference, count=4, sampler="adaptive", health=str(path))
    assert sum("0" in drawn(config, seed) for seed in range(20)) >= 15


def test_what_is_in_quarantine_is_left_out_and_that_is_said(tmp_path: Path):
    reference, health = mixed(tmp_path), a_book(tmp_path, "blocked")
    said: list[str] = []
    config = on(reference, count=0, health=health, quarantine=True)
    found = [task.task_id for task in tasks_for(config, 0, said.append)]
    assert sorted(found) == sorted(f"b{n}" for n in range(20) if n != 3)
    assert len(said) == 1
    assert "61 of 80 tasks" in said[0]
    assert health in said[0]


def test_a_test_set_does_not_shrink_unless_that_is_asked_for(tmp_path: Path):
    more = ["tasks.use=set", f"tasks.file='{mixed(tmp_path)}'", "tasks.count=0"]
    more.append(f"tasks.health='{a_book(tmp_path, 'blocked')}'")
    counts = [
        len(tasks_for(load_config_as(kind, None, [*more, *asked]).tasks, 0))
        for kind, asked in (
            (RunConfig, []),
            (RunConfig, ["tasks.quarantine=true"]),
            (RolloutConfig, ["tasks.split=test"]),
        )
    ]
    assert counts == [80, 19, 19]


def test_what_is_drawn_keeps_its_ratio_without_what_is_away(tmp_path: Path):
    health = a_book(tmp_path, "error", task="b1", site="b1.com")
    config = on(mixed(tmp_path), count=20, sampler="ratio", health=health, quarantine=True)
    tasks = tasks_for(config, 0)
    assert Counter(task.level for task in tasks) == {"easy": 10, "medium": 6, "hard": 4}
    assert "b1" not in {task.task_id for task in tasks}


def test_a_set_that_is_away_altogether_is_told(tmp_path: Path):
    reference = saved(tmp_path, [row("1", website="https://a.com/", rubric=facts(1))])
    with pytest.raises(TaskSetError, match="quarantined"):
        tasks_for(on(reference, health=a_book(tmp_path, "blocked"), quarantine=True), 0)


@pytest.mark.parametrize(
    "more", [{"sampler": "balanced"}, {"health": "x.db"}, {"sealed": True}, {"start": "https://a.com/"}]
)
def test_what_only_sets_have_is_refused_elsewhere(more: dict[str, object]):
    with pytest.raises(ConfigError, match=rf"tasks\.{next(iter(more))}"):
        tasks_for(TasksConfig(**more), 0)


def test_a_ratio_that_is_none_is_told(tmp_path: Path):
    with pytest.raises(ConfigError, match="easy=5,medium=3,hard=2"):
        tasks_for(on(mixed(tmp_path), sampler="ratio", ratio="easy:1"), 0)


def test_a_resumed_run_has_the_tasks_that_it_began_with_whatever_the_book_says_by_then(tmp_path: Path):
    reference, health = mixed(tmp_path), a_book(tmp_path, "blocked", task="b3", site="b3.com")
    config, kept = on(reference, count=12, health=health, quarantine=True), tmp_path / "drawn.json"
    first = drawn_once(config, 0, kept)
    keep_drawn(kept, config, first)
    a_book(tmp_path, "blocked", task=first[0].task_id)
    assert tasks_for(config, 0) != first
    assert drawn_once(config, 0, kept) == first


def test_what_no_book_decides_about_needs_no_file(tmp_path: Path):
    config, kept = on(mixed(tmp_path), count=12), tmp_path / "drawn.json"
    keep_drawn(kept, config, tasks_for(config, 0))
    assert not kept.exists()


def question(number: int, website: str = "", **more: object) -> TaskRow:
    extra = msgspec.json.encode(Extra(fields={"canary": "c"})).decode()
    text, answer = sealed(f"Who is the grüne Mann {number}?", "c"), sealed(f"Nobody {number}.", "c")
    return row(f"q{number}", text, website, answer=answer, sealed=BROWSECOMP, extra=extra, **more)


def test_sealed_rows_are_attempted_only_if_that_is_asked_for_and_one_is_warned(tmp_path: Path):
    own = question(2, "https://b.com/", rubric=facts(4))
    reference = saved(
        tmp_path, [question(1, "https://a.com/"), own, row("plain", website="https://a.com/", rubric=facts(1))]
    )
    assert drawn(on(reference)) == ["plain"]
    said: list[str] = []
    found = {task.task_id: task for task in tasks_for(on(reference, sealed=True), 0, said.append)}
    assert set(found) == {"q1", "q2", "plain"}
    assert (found["q1"].instruction, found["q1"].reference) == ("Who is the grüne Mann 1?", "Nobody 1.")
    [group] = found["q1"].rubric
    assert len(group.facts) == 1
    assert "reference" in group.facts[0]
    assert "Nobody" not in group.facts[0]
    assert found["q2"].rubric == own.rubric
    assert len(said) == 1
    assert "in the clear" in said[0]


def test_sealed_rows_without_a_website_begin_where_they_are_told(tmp_path: Path):
    reference = saved(tmp_path, [question(n) for n in range(4)])
    with pytest.raises(TaskSetError, match="no tasks to draw from"):
        tasks_for(on(reference, sealed=True), 0)
    config = on(reference, sealed=True, start="https://search.example/", sampler="ratio", ratio="easy=1")
    assert [task.website for task in tasks_for(config, 0)] == ["https://search.example/"] * 4
    away = config.model_copy(
        update={"health": a_book(tmp_path, "blocked", task="q0", site="search.example"), "quarantine": True}
    )
    with pytest.raises(TaskSetError, match="quarantined"):
        tasks_for(away, 0)


def test_sealed_rows_stay_out_of_the_file_that_a_run_keeps_of_its_draw(tmp_path: Path):
    reference = saved(tmp_path, [question(n, "https://a.com/") for n in range(4)])
    health = a_book(tmp_path, "blocked", task="q0", site="elsewhere.com")
    config, kept = on(reference, sealed=True, health=health, quarantine=True), tmp_path / "drawn.json"
    keep_drawn(kept, config, tasks_for(config, 0))
    assert "Mann" not in kept.read_text()
    assert "Nobody" not in kept.read_text()
