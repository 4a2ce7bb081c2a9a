"""Checkpoints of a trainer are exact, complete, and of the same run."""

from __future__ import annotations

import pytest
import torch
from tests.unit.train import tiny

from webgym.errors import CheckpointError, LossNotFinite
from webgym.train import checkpoint
from webgym.train.checkpoint import Checkpoints
from webgym.train.settings import LoraSettings


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny.folder(tmp_path_factory.mktemp("models") / "model")


RECIPE = tiny.recipe_of(minibatches=2, epochs=2)


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"precision": "bfloat16", "first_moment": "bfloat16", "second_moment": "bfloat16"},
        {"lora": LoraSettings(rank=2)},
    ],
)
def test_a_resumed_trainer_ends_with_the_same_bits(folder, tmp_path, settings, monkeypatch):
    monkeypatch.setattr(checkpoint, "MOST_BYTES", 50_000)
    batches = [tiny.batch(version=0), tiny.batch(tiny.samples()[:3], 1), tiny.batch(tiny.samples()[2:], 2)]
    through = tiny.trainer(folder, recipe=RECIPE, **settings)
    for batch in batches:
        through.step(batch)

    first = tiny.trainer(folder, recipe=RECIPE, **settings)
    first.step(batches[0])
    Checkpoints(tmp_path).save(first, {"next": 1})
    second = tiny.trainer(folder, recipe=RECIPE, **settings)
    position = Checkpoints(tmp_path).resume(second)
    for batch in batches[position["next"] :]:
        second.step(batch)

    ours = tiny.weights(second.model)
    assert all(torch.equal(weight, ours[name]) for name, weight in through.model.named_parameters())
    assert (second.steps, second.batches) == (through.steps, through.batches)


def test_the_newest_stay(folder, tmp_path):
    trainer, checkpoints = tiny.trainer(folder), Checkpoints(tmp_path, keep=2)
    assert checkpoints.resume(trainer) is None
    (tmp_path / ".step-00000000.1").mkdir()
    for number in range(4):
        trainer.step(tiny.batch(version=number))
        checkpoints.save(trainer, number)
    assert [path.name for path in checkpoints.all()] == ["step-00000003", "step-00000004"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["step-00000003", "step-00000004"]
    assert checkpoints.resume(tiny.trainer(folder)) == 3


def test_after_a_loss_that_is_not_finite_the_last_checkpoint_is_good(folder, tmp_path):
    trainer, checkpoints = tiny.trainer(folder), Checkpoints(tmp_path)
    trainer.step(tiny.batch())
    checkpoints.save(trainer)
    good = tiny.weights(trainer.model)
    with torch.no_grad():
        trainer.model.output_weight[0, 0] = torch.nan
    with pytest.raises(LossNotFinite):
        trainer.step(tiny.batch())
    again = tiny.trainer(folder)
    checkpoints.resume(again)
    assert all(torch.equal(weight, good[name]) for name, weight in again.model.named_parameters())


def test_damaged_checkpoints_are_refused(folder, tmp_path):
    trainer, checkpoints = tiny.trainer(folder), Checkpoints(tmp_path)
    trainer.step(tiny.batch())
    made = checkpoints.save(trainer)
    [file] = made.glob("*.safetensors")
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(CheckpointError, match="cut short"):
        checkpoints.resume(trainer)
    file.unlink()
    with pytest.raises(CheckpointError, match="missing"):
        checkpoints.resume(trainer)
    (made / "trainer.json").write_text("{}")
    with pytest.raises(CheckpointError, match="not a checkpoint"):
        checkpoints.resume(trainer)


def test_checkpoints_of_another_run_are_refused(folder, tmp_path):
    trainer, checkpoints = tiny.trainer(folder), Checkpoints(tmp_path)
    checkpoints.save(trainer)
    with pytest.raises(CheckpointError, match="recipe"):
        checkpoints.resume(tiny.trainer(folder, recipe=tiny.recipe_of(lr=0.5)))
    with pytest.raises(CheckpointError, match="lora"):
        checkpoints.resume(tiny.trainer(folder, lora=LoraSettings()))
    assert checkpoints.resume(tiny.trainer(folder, tokens=999, recompute=0.0)) is None
