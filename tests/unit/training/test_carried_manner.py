"""Weights of any trainer carry what they were trained to see and say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from webgym.errors import CheckpointError
from webgym.records.sample import PolicyVersion, TrainingResult
from webgym.run.load import load_config_as
from webgym.run.training.carried_manner import MannerWriter, manner_of
from webgym.run.training.config import TrainConfig
from webgym.stages import Trainer
from webgym.store.weights_manner import MANNER_FILE, load_manner

pytestmark = pytest.mark.anyio
MANNER = manner_of(load_config_as(TrainConfig, overrides=["policy.model=nano", "limits.hard=11"]))


@dataclass
class Own:
    """A trainer that only publishes, to `where` or as told."""

    where: str = ""

    async def step(self, batch: Path, version: int, folder: Path) -> TrainingResult:
        del batch
        if not self.where:
            folder.mkdir(exist_ok=True)
        policy = PolicyVersion(version + 1, self.where or str(folder))
        return TrainingResult(policy=policy, rows=1, tokens=1, steps=1, lr=0.0, seconds=0.0, figures={})


async def test_they_are_written_beside_what_a_trainer_publishes_again_and_again(tmp_path: Path):
    trainer = MannerWriter(Own(), MANNER)
    assert isinstance(trainer, Trainer)
    for _ in range(2):
        trained = await trainer.step(tmp_path / "batch", 4, tmp_path / "v00005")
        assert trained.policy.version == 5
        carried = load_manner(tmp_path / "v00005")
        assert carried is not None
        assert carried.settings["limits"]["hard"] == 11
        assert (carried.settings["agent"]["dialect"], carried.settings["browser"]["width"]) == ("nano", 448)
        (tmp_path / "v00005" / MANNER_FILE).unlink()


async def test_an_average_beside_the_weights_carries_it_too(tmp_path: Path):
    (tmp_path / "v00005" / "averaged").mkdir(parents=True)
    await MannerWriter(Own(), MANNER).step(tmp_path / "batch", 4, tmp_path / "v00005")
    assert load_manner(tmp_path / "v00005" / "averaged") == load_manner(tmp_path / "v00005")


async def test_a_trainer_may_publish_to_where_only_its_servers_look(tmp_path: Path):
    await MannerWriter(Own("s3://weights/5"), MANNER).step(tmp_path / "batch", 4, tmp_path / "v00005")
    assert not any(tmp_path.iterdir())


async def test_what_cannot_be_written_is_told(tmp_path: Path):
    (tmp_path / "v00005" / MANNER_FILE).mkdir(parents=True)
    with pytest.raises(CheckpointError, match=rf"{MANNER_FILE} cannot be written"):
        await MannerWriter(Own(), MANNER).step(tmp_path / "batch", 4, tmp_path / "v00005")
