"""`trainer.processes`: refused where it cannot be, and the one thing that may change when a run goes on elsewhere."""

from __future__ import annotations

from pathlib import Path

import anyio
import msgspec
import pytest
import torch
from tests.unit.store.making import META

from webgym.errors import ConfigError
from webgym.run.choose import RunRequest, choose
from webgym.run.expected import needs_told
from webgym.run.load import load_config_as, to_toml
from webgym.run.train_config import TrainConfig
from webgym.run.training_tasks import check_training_names
from webgym.store.meta import save_meta
from webgym.train.device import check_devices
from webgym.train.messages import Ready
from webgym.train.settings import TrainerSettings


@pytest.fixture
def two_gpus(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "current_device", lambda: 0)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)


@pytest.mark.usefixtures("two_gpus")
def test_more_processes_than_gpus_are_refused():
    check_devices(TrainerSettings(processes=2))
    check_devices(TrainerSettings(processes=8, device="cpu"))
    with pytest.raises(ConfigError, match=r"trainer\.processes is 8, but torch finds 2 GPUs.*CUDA_VISIBLE_DEVICES"):
        check_devices(TrainerSettings(processes=8))


@pytest.mark.usefixtures("two_gpus")
def test_they_are_refused_before_there_is_a_run():
    config = load_config_as(TrainConfig, None, ["policy.model=nano", "trainer.processes=3"])
    with pytest.raises(ConfigError, match="torch finds 2 GPUs"):
        anyio.run(check_training_names, config)


def begun(folder: Path) -> Path:
    config = load_config_as(TrainConfig, None, ["policy.model=nano", "policy.length=1234", "trainer.processes=8"])
    save_meta(folder, msgspec.structs.replace(META, config=to_toml(config), kind="train"))
    return folder


def test_a_run_may_go_on_with_another_number_of_processes_and_learn_nothing_else(tmp_path):
    resume = begun(tmp_path)
    assert choose("train", TrainConfig, RunRequest(resume=resume)).config.trainer.processes == 8
    moved = choose("train", TrainConfig, RunRequest(resume=resume, overrides=["trainer.processes=2"])).config
    assert (moved.trainer.processes, moved.policy.length) == (2, 1234)
    for more in (["trainer.processes=2", "train.lr=1"], [{"trainer": {"processes": 2}, "seed": 3}]):
        with pytest.raises(ConfigError, match=r"cannot be changed .*(train\.lr|seed); what can.*trainer\.processes"):
            choose("train", TrainConfig, RunRequest(resume=resume, overrides=more))


def test_memory_is_told_of_each_process():
    ready = Ready(None, 2_000_000, 1_000_000, 3_000_000_000, 5_000_000_000)
    assert "3.0 GB of memory and 5.0 GB of disk" in needs_told(ready)
    assert "3.0 GB of memory in each of 4 processes and 5.0 GB of disk" in needs_told(ready, 4)
