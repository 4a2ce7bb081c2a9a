"""Weights and checkpoints that cannot be written: nothing half-written stays, and it is said once what is wrong."""

from __future__ import annotations

import errno
import os

import huggingface_hub
import msgspec
import pytest
import torch
from tests.unit.train import tiny

from webgym.errors import CheckpointError
from webgym.train import checkpoint
from webgym.train.checkpoint import Checkpoints
from webgym.train.learner import Learner
from webgym.train.messages import Learn, Publish, StepOrder, TrainerStart
from webgym.train.settings import TrainerSettings


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny.folder(tmp_path_factory.mktemp("models") / "model")


def learner(folder, tmp_path) -> Learner:
    settings = TrainerSettings(device="cpu", precision="float32", tokens=64)
    start = TrainerStart(
        model=str(folder),
        recipe=tiny.recipe_of().model_dump_json(),
        settings=settings.model_dump_json(),
        run=str(tmp_path),
        checkpoints=str(tmp_path / "checkpoints"),
    )
    return Learner(start, tiny.PICTURES.__getitem__)


def learn(tmp_path, version: int = 0, without: tuple[int, ...] = ()) -> Learn:
    return Learn(StepOrder("", version, str(tmp_path / "policies" / f"v{version + 1:05d}")), without)


def full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def names(folder) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_killed_processes_left_of_weights_goes_when_they_are_written_again(folder, tmp_path):
    trainer, out = tiny.trainer(folder), tmp_path / "v00001"
    for left in (".v00001.1", ".v00001.old"):
        (tmp_path / left).mkdir()
        (tmp_path / left / "model.safetensors").write_bytes(b"half of it")
    (tmp_path / ".v00012.1").mkdir()
    trainer.save(out, 1)
    assert names(tmp_path) == [".v00012.1", "v00001"]


def test_a_full_disk_is_named_and_no_fuller_afterwards(folder, tmp_path, monkeypatch):
    one = learner(folder, tmp_path)
    with monkeypatch.context() as patched:
        patched.setattr(huggingface_hub, "save_torch_state_dict", full)
        with pytest.raises(CheckpointError, match="No space left"):
            one.learn(learn(tmp_path), tiny.batch())
        assert names(tmp_path / "policies") == []
        with pytest.raises(CheckpointError, match="No space left"):
            one.publish(Publish(str(tmp_path / "policies" / "v00001"), 1))
    monkeypatch.setattr(checkpoint, "save_file", full)
    with pytest.raises(CheckpointError, match="No space left"):
        one.learn(learn(tmp_path), tiny.batch())
    assert names(tmp_path / "checkpoints") == []
    assert names(tmp_path / "policies") == ["v00001"]


def test_a_batch_whose_pictures_are_all_gone_ends_no_run(folder, tmp_path):
    one = learner(folder, tmp_path)
    first = one.learn(learn(tmp_path), tiny.batch())
    before = tiny.weights(one.trainer.model)
    second = one.learn(learn(tmp_path, 1, (0, 1, 2, 3, 4)), tiny.batch(version=1))
    assert (second.policy.version, second.rows, second.steps, second.figures) == (2, 0, 0, {"lacking": 5.0})
    assert second.policy.digest == first.policy.digest
    assert all(torch.equal(weight, before[name]) for name, weight in one.trainer.model.named_parameters())
    again = learner(folder, tmp_path)
    assert msgspec.to_builtins(again.last) == msgspec.to_builtins(second)
    assert again.learn(learn(tmp_path, 2), tiny.batch(version=2)).rows == 5


def test_a_weight_that_did_not_always_learn_is_as_far_after_a_restart_as_before(folder, tmp_path):
    """A batch without pictures moves nothing of what sees."""
    shown, unseen = tiny.batch(version=0), tiny.batch([tiny.sample(2), tiny.sample(8)], 1)
    through = tiny.trainer(folder)
    for batch in (unseen, shown, shown):
        through.step(batch)

    first = tiny.trainer(folder)
    first.step(unseen)
    first.step(shown)
    Checkpoints(tmp_path).save(first)
    second = tiny.trainer(folder)
    Checkpoints(tmp_path).resume(second)
    second.step(shown)
    ours = tiny.weights(second.model)
    assert all(torch.equal(weight, ours[name]) for name, weight in through.model.named_parameters())
