"""How many tasks a run attempts if nobody says."""

from __future__ import annotations

import msgspec
import pytest

from webgym.run.config import TasksConfig
from webgym.run.load import config_from, load_config, load_config_as, to_toml
from webgym.run.tasks import tasks_for
from webgym.run.train_config import TrainConfig
from webgym_hermetic.catalogue import site
from webgym_hermetic.tasks.generate import tasks_of


def test_sites_that_ship_have_tasks_without_end_and_a_run_takes_some():
    config = load_config()
    assert config.tasks.count == 200
    assert "count = 200" in to_toml(config)


@pytest.mark.parametrize("use", ["set", "file", "nano", "given", "examples.own_task:tasks"])
def test_of_tasks_that_were_chosen_all_are_attempted(use):
    config = load_config(None, [f"tasks.use={use}"])
    assert config.tasks.count == 0
    assert config_from(to_toml(config)) == config
    assert load_config(None, [f"tasks.use={use}", "tasks.count=200"]).tasks.count == 200
    assert load_config_as(TrainConfig, None, [f"evaluate.tasks.use={use}"]).evaluate.tasks.count == 0


def test_a_long_file_is_attempted_to_its_end(tmp_path):
    task = next(iter(tasks_of(site("shop", 0), 1)))
    lines = [msgspec.json.encode(msgspec.structs.replace(task, task_id=f"t{number}")) for number in range(250)]
    (tmp_path / "tasks.jsonl").write_bytes(b"\n".join(lines))
    assert len(tasks_for(TasksConfig(use="file", file=str(tmp_path / "tasks.jsonl")), 0)) == 250
