"""The trainer keeps a moving average of the weights, exactly, and saves it beside them."""

from __future__ import annotations

import pytest
import torch
from tests.unit.train import tiny

from webgym.errors import CheckpointError
from webgym.train.checkpoint import Checkpoints
from webgym.train.checkpoint_files import read_tensors


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny.folder(tmp_path_factory.mktemp("models") / "model")


def _averaging(folder, decay):
    recipe = tiny.recipe_of()
    optimizer = recipe.optimizer.model_copy(update={"average": decay})
    return tiny.trainer(folder, recipe=recipe.model_copy(update={"optimizer": optimizer}))


def _means(trainer):
    return {name: mean.clone() for name, mean in trainer.average.tensors()}


def test_it_begins_as_the_mean_of_all_and_then_decays(folder):
    trainer = _averaging(folder, 0.5)
    seen = []
    for number in range(3):
        trainer.step(tiny.batch(version=number))
        seen.append(tiny.weights(trainer.model))
    means = _means(trainer)
    assert any(not torch.equal(seen[0][name], seen[2][name]) for name in means)
    for name, mean in means.items():
        torch.testing.assert_close(mean, (seen[0][name] + seen[1][name]) / 4 + seen[2][name] / 2)


def test_it_is_saved_beside_the_weights_and_changes_none_of_them(folder, tmp_path):
    trainer = _averaging(folder, 0.5)
    trainer.step(tiny.batch())
    trainer.step(tiny.batch(version=1))
    before, means = tiny.weights(trainer.model), _means(trainer)
    policy = trainer.save(tmp_path / "v00002", 2)
    assert policy.path == str(tmp_path / "v00002")
    for where, wanted in ((tmp_path / "v00002", before), (tmp_path / "v00002" / "averaged", means)):
        for name, tensor in read_tensors(where):
            assert torch.equal(tensor, wanted[name].bfloat16())
    after = tiny.weights(trainer.model)
    assert all(torch.equal(weight, after[name]) for name, weight in before.items())


def test_a_resumed_trainer_has_the_same_average(folder, tmp_path):
    through = _averaging(folder, 0.5)
    through.step(tiny.batch())
    Checkpoints(tmp_path).save(through, 1)
    resumed = _averaging(folder, 0.5)
    Checkpoints(tmp_path).resume(resumed)
    for trainer in (through, resumed):
        trainer.step(tiny.batch(version=1))
    again = _means(resumed)
    assert all(torch.equal(mean, again[name]) for name, mean in _means(through).items())
    with pytest.raises(CheckpointError, match="recipe"):
        Checkpoints(tmp_path).resume(_averaging(folder, 0.0))
