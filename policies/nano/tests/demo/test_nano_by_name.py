"""`policy.model=nano` is all there is to type."""

from __future__ import annotations

import json

import msgspec
import pytest
from webgym_hermetic.catalogue import site, sites
from webgym_hermetic.tasks.generate import tasks_of

from webgym.errors import ConfigError
from webgym.run.config import TasksConfig
from webgym.run.load import config_from, load_config, load_config_as, to_toml
from webgym.run.models import find_policy
from webgym.run.tasks import tasks_for
from webgym.run.training.config import TrainConfig
from webgym_nano import shipped
from webgym_nano.lessons.agent_settings import SETTINGS, VIEWPORT

CLONED = 200
"""Websites of each family that nano saw lessons of."""


def test_nano_acts_as_it_was_taught_wherever_it_is_named():
    config = load_config(overrides=("policy.model=nano",))
    said = config.agent.model_dump()
    assert {name: said[name] for name in SETTINGS.model_dump()} == SETTINGS.model_dump()
    assert (config.browser.width, config.browser.height) == (VIEWPORT.width, VIEWPORT.height)


def test_what_the_user_says_counts_more_and_what_a_command_says_less():
    config = load_config(
        overrides=("policy.model=nano", "agent.past_steps=2", "limits.easy=4"),
        base={"limits": {"easy": 99, "hard": 99}},
    )
    assert (config.agent.past_steps, config.limits.easy, config.limits.hard) == (2, 4, 10)


def test_a_file_can_name_it(tmp_path):
    path = tmp_path / "run.toml"
    path.write_text('[policy]\nmodel = "nano"\n[browser]\nsessions = 3\n')
    config = load_config(path)
    assert (config.agent.dialect, config.browser.sessions, config.browser.width) == ("nano", 3, 448)


def test_evaluations_of_training_have_the_same_limits():
    config = load_config_as(TrainConfig, overrides=("policy.model=nano",))
    assert config.evaluate.limits.easy == config.limits.easy == 10


def test_another_model_has_none_of_it():
    assert load_config(overrides=("policy.model=/some/folder",)).agent.dialect != "nano"


def test_a_stored_configuration_means_what_it_says():
    config = load_config(overrides=("policy.model=nano", "browser.width=640"))
    assert config_from(to_toml(config)) == config


def put(folder, monkeypatch):
    monkeypatch.setattr(shipped, "FOLDER", folder)
    monkeypatch.setattr(shipped, "SUITE", folder / "suite.jsonl")


def test_the_name_means_the_folder_in_the_package(tmp_path, monkeypatch):
    put(tmp_path, monkeypatch)
    with pytest.raises(ConfigError, match="no nano"):
        find_policy("nano")
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model-00001-of-00002.safetensors").write_bytes(b"")
    assert find_policy("nano") == tmp_path


def test_its_tasks_are_mixed_by_the_seed_and_all_there(tmp_path, monkeypatch):
    put(tmp_path, monkeypatch)
    with pytest.raises(ConfigError, match="no tasks for nano"):
        tasks_for(TasksConfig(use="nano"), 0)
    tasks = list(tasks_of(site("shop", 0), 12))
    (tmp_path / "suite.jsonl").write_bytes(b"".join(msgspec.json.encode(task) + b"\n" for task in tasks))
    found = [tasks_for(TasksConfig(use="nano"), seed) for seed in (0, 0, 1)]
    assert found[0] == found[1] != found[2]
    assert all(sorted(some, key=lambda task: task.task_id) == tasks for some in found)
    assert tasks_for(TasksConfig(use="nano", count=5), 0) == found[0][:5]


def test_the_tasks_that_ship_are_of_websites_that_are_never_trained_on():
    lines = [json.loads(line) for line in shipped.SUITE.read_text("utf-8").splitlines()]
    assert len({line["task_id"] for line in lines}) == len(lines) > 100
    assert {line["split"] for line in lines} <= {"validation", "test", "test_structure"}


def test_what_nano_practises_is_on_training_websites_and_none_that_it_is_measured_on():
    practice = tasks_for(TasksConfig(use="nano-practice", sites_per_family=600), seed=0)
    assert len(practice) == 51
    training = {one.name for one in sites(600) if one.split == "train" and one.number >= CLONED}
    assert {one.task_id.rsplit("-", 1)[0] for one in practice} <= training
    measured = tasks_for(TasksConfig(use="nano"), seed=0)
    assert not {one.website for one in practice} & {one.website for one in measured}
    again = tasks_for(TasksConfig(use="nano-practice", sites_per_family=600, seed=1), seed=0)
    assert sorted(one.task_id for one in again) == sorted(one.task_id for one in practice)
    assert [one.task_id for one in again] != [one.task_id for one in practice]
