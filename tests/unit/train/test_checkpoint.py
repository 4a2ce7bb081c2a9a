"""Checkpoints of a trainer are exact, complete, and of the same run."""

from __future__ import annotations

import json
import shutil
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

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


def test_a_checkpoint_with_the_former_spelling_of_its_recipe_is_resumed(folder, tmp_path):
    trainer = tiny.trainer(folder, recipe=tiny.recipe_of(dual_clip=3.0))
    trainer.step(tiny.batch())
    Checkpoints(tmp_path).save(trainer, {"next": 1})
    [path] = tmp_path.glob("*/trainer.json")
    head = json.loads(path.read_bytes())
    recipe = json.loads(head["recipe"])
    recipe["loss"]["surrogate"] = {"ppo": "ratio"}[recipe["loss"].pop("use")]
    del recipe["loss"]["options"], recipe["source"]["estimator_options"]
    path.write_text(json.dumps(head | {"recipe": json.dumps(recipe, sort_keys=True)}))
    assert Checkpoints(tmp_path).resume(tiny.trainer(folder, recipe=tiny.recipe_of(dual_clip=3.0))) == {"next": 1}
    with pytest.raises(CheckpointError, match="another recipe"):
        Checkpoints(tmp_path).resume(tiny.trainer(folder, recipe=tiny.recipe_of(dual_clip=4.0)))


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


class Killed(BaseException):
    """Stands for a kill."""


@contextmanager
def killed_after(steps: int) -> Generator[None]:
    """Let this many renames and deletions happen; the next is cut short, and no other is made, by nobody."""
    left = [steps]
    rename, delete = Path.rename, shutil.rmtree

    def count() -> bool:
        left[0] -= 1
        return left[0] >= 0

    def renaming(path: Path, target: Path) -> Path:
        if count():
            return rename(path, target)
        raise Killed

    def deleting(path: Path, **how: bool) -> None:
        if not path.exists():
            return
        if not count():
            if left[0] == -1:  # half of it is gone
                next(path.glob("*.safetensors")).unlink()
            raise Killed
        delete(path, **how)

    with pytest.MonkeyPatch.context() as patch, suppress(Killed):
        patch.setattr(Path, "rename", renaming)
        patch.setattr(shutil, "rmtree", deleting)
        yield


@pytest.mark.parametrize("steps", range(8))
def test_a_kill_while_a_checkpoint_is_replaced_leaves_the_old_or_the_new_one(folder, tmp_path, steps):
    trainer, checkpoints = tiny.trainer(folder), Checkpoints(tmp_path)
    trainer.step(tiny.batch())
    made = checkpoints.save(trainer, "old")
    with killed_after(steps):
        checkpoints.save(trainer, "new")
    assert Checkpoints(tmp_path).resume(tiny.trainer(folder)) == ("new" if steps else "old")
    assert list(tmp_path.iterdir()) == [made]


@pytest.mark.parametrize("steps", range(4))
def test_a_kill_while_a_checkpoint_is_put_in_place_leaves_it_or_the_one_before(folder, tmp_path, steps):
    trainer, checkpoints = tiny.trainer(folder), Checkpoints(tmp_path)
    trainer.step(tiny.batch())
    checkpoints.save(trainer, "before")
    trainer.step(tiny.batch(version=1))
    with killed_after(steps):
        checkpoints.save(trainer, "new")
    # Complete but for its name, it counts.
    assert Checkpoints(tmp_path).resume(tiny.trainer(folder)) == ("new" if steps else "before")
    assert not list(tmp_path.glob(".*"))


def test_a_kill_while_an_old_checkpoint_is_deleted_leaves_nothing_of_it_behind(folder, tmp_path):
    trainer, checkpoints = tiny.trainer(folder), Checkpoints(tmp_path, keep=1)
    trainer.step(tiny.batch())
    checkpoints.save(trainer, "old")
    trainer.step(tiny.batch(version=1))

    def cut_short(path: Path, **_: bool) -> None:
        if path.exists():
            (path / "trainer.json").unlink()  # without it, nothing tells what the rest is
            raise Killed

    with pytest.MonkeyPatch.context() as patch, suppress(Killed):
        patch.setattr(shutil, "rmtree", cut_short)
        checkpoints.save(trainer, "new")
    assert len(list(tmp_path.iterdir())) == 2
    assert Checkpoints(tmp_path, keep=1).resume(trainer) == "new"
    assert list(tmp_path.iterdir()) == checkpoints.all()


@pytest.mark.parametrize("steps", range(6))
def test_a_kill_while_a_checkpoint_is_put_back_loses_nothing(folder, tmp_path, steps):
    trainer, checkpoints = tiny.trainer(folder), Checkpoints(tmp_path)
    trainer.step(tiny.batch())
    checkpoints.save(trainer, "old")
    with killed_after(1):
        checkpoints.save(trainer, "new")
    with killed_after(steps):
        checkpoints.resume(trainer)
    assert checkpoints.resume(tiny.trainer(folder)) == "new"
    assert not list(tmp_path.glob(".*"))


def test_a_checkpoint_that_was_moved_aside_is_put_back_before_another_is_written(folder, tmp_path):
    trainer, checkpoints = tiny.trainer(folder), Checkpoints(tmp_path)
    trainer.step(tiny.batch())
    made = checkpoints.save(trainer, 1)
    made.rename(tmp_path / f".{made.name}.old")
    (tmp_path / f".{made.name}.1").mkdir()
    trainer.step(tiny.batch(version=1))
    checkpoints.save(trainer, 2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["step-00000001", "step-00000002"]
