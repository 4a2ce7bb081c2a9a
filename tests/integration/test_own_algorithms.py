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
from tests.integration.test_trainer_ranks import batch, kept, start_of, written
from tests.integration.test_training import begun, webgym
from tests.unit.nano.small import SMALL
from tests.unit.store.making import META, attempt, ending, step
from tests.unit.train import tiny

from webgym.algorithms.advantages.estimator import Member
from webgym.algorithms.settings import LossSettings
from webgym.curves.file import read
from webgym.errors import ConfigError
from webgym.nano.folder import write_folder
from webgym.nano.model import new_model
from webgym.pipeline.train.algorithms import check_algorithms, modules_of
from webgym.pipeline.train.folders import Folders
from webgym.records.observation import Blob, address_of
from webgym.store.read import open_run
from webgym.store.write import open_writer
from webgym.train.batch_file import read_batch
from webgym.train.messages import Start
from webgym.train.process import open_trainer_process

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(400)]
SOURCE = "def quartered(tokens, *, by=1.0):\n    return -by * tokens.weights * tokens.log_ratio().exp() / 4\n"


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    return tiny.folder(tmp_path_factory.mktemp("models") / "model")


@pytest.fixture
async def run(tmp_path) -> Path:
    folder = tmp_path / "run"
    async with open_writer(folder, META) as writer:
        await writer.begin(attempt())
        for number, data in enumerate(tiny.PICTURES.values()):
            taken, more = step(number)
            seen = msgspec.structs.replace(taken.observation, screenshot=Blob(address_of(data), "image/png", len(data)))
            await writer.step(
                attempt(), msgspec.structs.replace(taken, observation=seen), {address_of(data): data, **more}
            )
        await writer.end(attempt(), ending(steps=len(tiny.PICTURES)), {})
    return folder


def start_with(run: Path, model: Path, use: str, **options: float) -> Start:
    recipe = tiny.recipe_of(minibatches=2).model_copy(update={"loss": LossSettings(use=use, options=options)})
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
    # Another number of threads adds in another order, which the optimizer makes visible where a gradient is nearly 0.
    there, here = kept(run), tiny.weights(alone.model)
    assert there.keys() == here.keys()
    for name, weight in here.items():
        torch.testing.assert_close(there[name], weight, atol=2e-4, rtol=1e-3)
    plain = tiny.trainer(model, recipe=tiny.recipe_of(minibatches=2))
    plain.step(batch(0))
    other = tiny.trainer(model, recipe=start.parsed[0])
    other.step(batch(0))
    found, expected = tiny.weights(other.model), tiny.weights(plain.model)
    assert max((weight - expected[name]).abs().max().item() for name, weight in found.items()) > 1e-3


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
