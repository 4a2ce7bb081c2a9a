"""Which attempts lessons come from, which tasks the suite tries, which weights are followed."""

from __future__ import annotations

import itertools

import pytest
from webgym_hermetic.catalogue import site_named

from webgym.errors import ConfigError
from webgym_nano.commands.nano import _part
from webgym_nano.lessons.collect import CollectConfig, Lengths, attempts_of
from webgym_nano.lessons.follow import newest_version
from webgym_nano.lessons.suite import UNSEEN, SuiteConfig, candidates, kind_of

FEW = CollectConfig(families=("shop", "travel"), sites_per_family=8, tasks_per_site=20, seed=4)


def test_lessons_come_from_training_sites_and_easy_tasks_only():
    attempts = list(itertools.islice(attempts_of(FEW), 60))
    assert {attempt.task.split for attempt in attempts} == {"train"}
    assert max(attempt.task.difficulty for attempt in attempts) <= 3
    assert len({attempt.attempt_id for attempt in attempts}) == 60
    assert len({attempt.task.website for attempt in attempts[:10]}) == 10
    assert [one.attempt_id for one in itertools.islice(attempts_of(FEW), 60)] == [one.attempt_id for one in attempts]


def test_parts_share_no_site():
    parts = [FEW.model_copy(update={"part": (number, 3)}) for number in range(3)]
    found = [{one.task.website for one in itertools.islice(attempts_of(part), 12)} for part in parts]
    assert not found[0] & found[1]
    assert not found[1] & found[2]
    assert len(set.union(*found)) == 10
    with pytest.raises(ConfigError, match="no training sites left"):
        next(attempts_of(FEW.model_copy(update={"part": (11, 12)})))
    assert _part("2/7") == (2, 7)
    for wrong in ("7/7", "x", "1", "-1/2"):
        with pytest.raises(ConfigError, match="0/4"):
            _part(wrong)


def test_the_suite_tries_easy_tasks_of_unseen_sites_the_same_ones_every_time():
    config = SuiteConfig(families=("news",), sites_per_family=8, tasks_per_site=25, each=5, seed=1, splits=UNSEEN)
    tried = list(candidates(config))
    assert {task.split for task in tried} == set(UNSEEN)
    assert max(task.difficulty for task in tried) <= 3
    assert len(tried) == 15
    first = [task.template for task in tried[:5]]
    assert len(set(first)) >= 4
    assert list(candidates(config)) == tried
    assert list(candidates(config.model_copy(update={"seed": 2}))) != tried
    assert all(site_named(task.website.removeprefix("http://").split(".")[0], 8).split != "train" for task in tried)
    with pytest.raises(ConfigError, match="not train"):
        list(candidates(config.model_copy(update={"splits": ("train",)})))


@pytest.mark.parametrize(
    ("verbs", "answer", "kind"),
    [
        (("submit", "click", "answer"), "$5", "answer"),
        (("submit", "type", "answer"), "Done", "form"),
        (("select", "answer"), "Done", "form"),
        (("submit", "click", "answer"), "Done", "search"),
        (("click", "scroll", "answer"), "Done", "click"),
    ],
)
def test_a_task_is_of_the_kind_that_its_solution_is(verbs: tuple[str, ...], answer: str, kind: str):
    assert kind_of(verbs, answer) == kind


def test_the_newest_whole_version_is_followed(tmp_path):
    assert newest_version(tmp_path / "nowhere") is None
    for name in ("version-2", "version-10", "version-11", "notes"):
        (tmp_path / name).mkdir()
    assert newest_version(tmp_path) is None
    for name in ("version-2", "version-10", "notes"):
        (tmp_path / name / "model.safetensors").write_bytes(b"")
    found = newest_version(tmp_path)
    assert found is not None
    assert (found.version, found.path) == (10, str(tmp_path / "version-10"))


def test_kinds_of_tasks_that_take_too_long_are_attempted_less_often():
    task = next(attempts_of(FEW)).task
    lengths = Lengths(FEW)
    assert all(lengths.passes(task) for _ in range(20))
    for _ in range(10):
        lengths.took(task, FEW.steps)
    assert 20 < sum(lengths.passes(task) for _ in range(100)) < 45
    for _ in range(10):
        lengths.took(task, 4)
    assert lengths.passes(task)
