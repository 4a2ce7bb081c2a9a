"""Losses and estimators of one's own, in the trainer's process and in whole runs."""

from __future__ import annotations

import sys
import types
from pathlib import Path

import msgspec
import pytest
import torch
from examples.own_advantage import above_median
from tests.integration.test_async_training import FLOWING
from tests.integration.test_trainer_ranks import RECIPE, batch, kept, model, run, same, start_of, written
from tests.integration.test_training import begun, webgym
from tests.small_nano import SMALL
from tests.unit.train import tiny

from webgym.algorithms.advantages.estimator import Member
from webgym.algorithms.settings import LossSettings
from webgym.curves.file import read
from webgym.errors import ConfigError
from webgym.run.training.algorithms import check_algorithms, modules_of
from webgym.run.training.folders import Folders
from webgym.store.read import open_run
from webgym.train.batch_file import read_batch
from webgym.train.messages import TrainerStart
from webgym.train.process import open_trainer_process
from webgym_nano.folder import write_folder
from webgym_nano.model import new_model

__all__ = ["model", "run"]  # fixtures
pytestmark = [pytest.mark.anyio, pytest.mark.timeout(400)]
SOURCE = "def quartered(tokens, *, by=1.0):\n    return -by * tokens.weights * tokens.log_ratio().exp() / 4\n"


def start_with(run: Path, model: Path, use: str, **options: float) -> TrainerStart:
    recipe = RECIPE.model_copy(update={"loss": LossSettings(use=use, options=options)})
    check_algorithms(recipe)
    start = start_of(run, model, processes=1)
    return msgspec.structs.replace(start, recipe=recipe.model_dump_json(), modules=modules_of(recipe))


async def test_the_trainers_process_learns_with_a_loss_from_a_folder_of_the_run(run, model, tmp_path, monkeypatch):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "quartering.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(str(elsewhere))
    start = start_with(run, model, "quartering:quartered", by=2.0)
    async with open_trainer_process(start) as trainer:
        for version in range(3):
            trained = await trainer.step(written(tmp_path, version), version, tmp_path / f"v{version + 1}")
            assert trained.policy.version == version + 1
    alone = tiny.trainer(model, recipe=start.parsed[0])
    for version in range(3):
        alone.step(batch(version))
    same(kept(run), tiny.weights(alone.model))
    plain = tiny.trainer(model, recipe=RECIPE)
    plain.step(batch(0))
    other = tiny.trainer(model, recipe=start.parsed[0])
    other.step(batch(0))
    found, expected = tiny.weights(other.model), tiny.weights(plain.model)
    assert any(not torch.equal(weight, expected[name]) for name, weight in found.items())


async def test_a_loss_that_only_the_runs_process_has_is_told(run, model, monkeypatch):
    module = types.ModuleType("made_on_the_way")
    exec(SOURCE, module.__dict__)
    monkeypatch.setitem(sys.modules, "made_on_the_way", module)
    async with open_trainer_process(start_with(run, model, "made_on_the_way:quartered")) as trainer:
        with pytest.raises(ConfigError, match=r"in the trainer's process, .* cannot be imported: No module named"):
            await trainer.ready()


OWN = (
    "train.loss.use=examples.own_loss:spo",
    "train.loss.options.epsilon=0.1",
    "train.source.estimator=examples.own_advantage:above_median",
    "train.source.estimator_options.failure=0.5",
)


@pytest.mark.full
@pytest.mark.chromium
@pytest.mark.parametrize("mode", ["sync", "async"])
def test_a_run_learns_with_the_examples(mode, tmp_path):
    model = tmp_path / "small"
    write_folder(model, new_model(SMALL), SMALL)
    webgym(*begun(model, tmp_path, mode, *(FLOWING if mode == "async" else ()), *OWN), "--json")
    folders = Folders(tmp_path / mode)
    learned = [one.learned for one in read(folders.curve) if one.learned]
    assert learned
    assert sum(one.steps for one in learned)
    with open_run(tmp_path / mode) as stored:
        graded = [row for row in stored.rows() if row.reward is not None]
    for sample in read_batch(min((tmp_path / mode / "batches").iterdir())).samples:
        group = [row for row in graded if row.group == sample.group]
        advantages = above_median([Member(row.reward) for row in group], failure=0.5)
        place = [row.attempt_id for row in group].index(sample.attempt_id)
        assert sample.advantage == advantages[place]
