"""How long an update takes is told before the first one."""

from __future__ import annotations

import pytest
import torch
from tests.unit.train import tiny

from webgym.records.task import FactGroup, Task
from webgym.run.load import load_config_as
from webgym.run.training.config import TrainConfig
from webgym.run.training.expected import expected_of, needs_told
from webgym.train import learner
from webgym.train.messages import Ready, TrainerStart, UpdateBounds
from webgym.train.settings import TrainerSettings
from webgym.train.speed import matrix_speed


def task(facts: int) -> Task:
    return Task("t", "Do it.", "http://a.localhost/", (FactGroup(1, "", tuple(map(str, range(facts)))),))


def ready(tmp_path, rows: int, speed: float = 1e9, monkeypatch=None) -> Ready:
    if monkeypatch:
        monkeypatch.setattr(learner, "matrix_speed", lambda *_: speed)
    expected = UpdateBounds(rows=rows, text=100, pictures=2, width=64, height=64)
    settings = TrainerSettings(device="cpu", precision="float32", tokens=64).model_dump_json()
    recipe = tiny.recipe_of().model_dump_json()
    folder = str(tiny.folder(tmp_path / "model"))
    start = TrainerStart(folder, recipe, settings, run="", checkpoints=str(tmp_path / "checkpoints"), expected=expected)
    return learner.Learner(start, tiny.PICTURES.__getitem__).ready


def test_the_trainer_of_a_run_tells_how_long_an_update_takes(tmp_path, monkeypatch):
    assert ready(tmp_path, 100).seconds > 0
    told = [(100, 1e9), (100, 1e10), (300, 1e9)]
    slow, fast, more = (ready(tmp_path, rows, speed, monkeypatch).seconds for rows, speed in told)
    assert slow == pytest.approx(10 * fast)
    assert more == pytest.approx(3 * slow)
    assert ready(tmp_path, 0).seconds == 0.0  # nobody said what there is to learn from


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_the_speed_of_a_machine_is_measured(precision):
    assert matrix_speed(torch.device("cpu"), precision) > 0


def test_what_there_is_to_learn_from_follows_from_the_configuration():
    config = load_config_as(TrainConfig, None, ["policy.model=x", "train.recipe=asyncwebrl-grpo", "policy.length=8192"])
    found = expected_of(config, [task(1), task(9)])
    limits = config.limits
    assert found.rows == 16 * 8 * (limits.easy + limits.hard) / 2
    assert (found.pictures, found.width, found.height) == (5, 1280, 768)
    assert found.most == 8192
    cloning = load_config_as(TrainConfig, None, ["policy.model=x", "train.recipe=webgym-fbc"])
    assert expected_of(cloning, [task(1)]).rows == 1800


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.0, "to train"), (34.2, "to train; an update takes up to about 34 s"), (7300.0, "up to about 2 h 2 min")],
)
def test_a_person_is_told_beside_memory_and_disk(seconds, said):
    told = needs_told(Ready(None, 2_000_000, 1_000_000, 3_000_000_000, 5_000_000_000, seconds))
    assert "about 3.0 GB of memory and 5.0 GB of disk" in told
    assert said in told
    assert ("update" in told) == bool(seconds)
