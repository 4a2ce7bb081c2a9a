"""A trainer that is several processes, as a run starts it: one that is spoken to, and others that it starts itself."""

from __future__ import annotations

import logging
import os
import signal
from pathlib import Path

import anyio
import msgspec
import psutil
import pytest
import torch
from safetensors.torch import load_file
from tests.unit.store.making import META, attempt, ending, step
from tests.unit.train import tiny

from webgym.errors import ModelError, SampleError, TrainingError
from webgym.records.observation import Blob, address_of
from webgym.records.sample import Batch, Sample
from webgym.store.write import open_writer
from webgym.train.batch_file import write_batch
from webgym.train.checkpoint import Checkpoints
from webgym.train.messages import TrainerStart
from webgym.train.process import open_trainer_process
from webgym.train.settings import TrainerSettings

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]
RECIPE = tiny.recipe_of(minibatches=2, epochs=2)
# What AdamW adds to the size of a gradient: more than rounding, or else that decides where almost nothing is learned.
RECIPE = RECIPE.model_copy(update={"optimizer": RECIPE.optimizer.model_copy(update={"epsilon": 0.1})})
ADDRESSES = {name: address_of(data) for name, data in tiny.PICTURES.items()}


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    return tiny.folder(tmp_path_factory.mktemp("models") / "model")


@pytest.fixture
async def run(tmp_path) -> Path:
    """The folder of a run that has pictures."""
    folder = tmp_path / "run"
    async with open_writer(folder, META) as writer:
        await writer.begin(attempt())
        for number, data in enumerate(tiny.PICTURES.values()):
            taken, _ = step(number)
            seen = msgspec.structs.replace(taken.observation, screenshot=Blob(address_of(data), "image/png", len(data)))
            taken = msgspec.structs.replace(taken, observation=seen)
            await writer.step(attempt(), taken, {address_of(data): data, **step(number)[1]})
        await writer.end(attempt(), ending(steps=len(tiny.PICTURES)), {})
    return folder


def batch(number: int) -> Batch:
    chosen = [tiny.sample(10 * number + each, pictures) for each, pictures in enumerate(("ab", "", "cab", "e", "d"))]
    return tiny.batch(chosen, number)


def written(folder: Path, number: int) -> Path:
    """The same batch as a run has it."""
    path = folder / f"{number}.msgpack"
    write_batch(path, Batch(tuple(stored(one) for one in batch(number).samples), number))
    return path


def stored(sample: Sample) -> Sample:
    return msgspec.structs.replace(sample, pictures=tuple(ADDRESSES[name] for name in sample.pictures))


def start_of(run: Path, model: Path, processes: int = 2, **settings: object) -> TrainerStart:
    chosen = TrainerSettings(device="cpu", precision="float32", tokens=64, processes=processes, **settings)
    recipe, checkpoints = RECIPE.model_dump_json(), run / "checkpoints"
    return TrainerStart(str(model), recipe, chosen.model_dump_json(), str(run), str(checkpoints))


def alone(model: Path, batches: int) -> dict[str, torch.Tensor]:
    """The weights of a single process after some batches."""
    trainer = tiny.trainer(model, recipe=RECIPE)
    for number in range(batches):
        trainer.step(batch(number))
    return tiny.weights(trainer.model)


def kept(run: Path) -> dict[str, torch.Tensor]:
    """Weights in the newest checkpoint."""
    newest = Checkpoints(run / "checkpoints").all()[-1]
    found = {name: value for path in newest.glob("*.safetensors") for name, value in load_file(path).items()}
    return {name.removeprefix("weights."): value for name, value in found.items() if name.startswith("weights.")}


def same(found: dict[str, torch.Tensor], expected: dict[str, torch.Tensor]) -> None:
    assert found.keys() == expected.keys()
    for name, weight in expected.items():
        torch.testing.assert_close(found[name], weight, atol=1e-6, rtol=1e-5)


def others(pid: int) -> list[psutil.Process]:
    return psutil.Process(pid).children()


async def test_two_processes_learn_what_one_does_and_the_death_of_one_is_told(run, model, tmp_path, monkeypatch):
    monkeypatch.setattr("webgym.train.process.TRIES", 1)
    async with open_trainer_process(start_of(run, model)) as trainer:
        await trainer.ready()
        [second] = others(trainer.pid)
        trained = await trainer.step(written(tmp_path, 0), 0, tmp_path / "v1")
        assert (trained.policy.version, trained.rows, trained.steps) == (1, 5, 4)
        same(kept(run), alone(model, 1))
        second.kill()
        with anyio.fail_after(60), pytest.raises(TrainingError, match="rank 1 was killed by SIGKILL"):
            await trainer.step(written(tmp_path, 1), 1, tmp_path / "v2")


@pytest.mark.full
async def test_a_rank_that_is_killed_while_it_learns_is_told_and_the_step_is_made_again(run, model, tmp_path, caplog):
    async with open_trainer_process(start_of(run, model)) as trainer:
        await trainer.ready()
        [second] = others(trainer.pid)
        second.suspend()  # the first one waits for it, in the middle of a step
        with caplog.at_level(logging.WARNING, "webgym.train.process"):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(soon, second.kill)
                await trainer.step(written(tmp_path, 0), 0, tmp_path / "v1")
        assert trainer.restarts == 1
        assert "rank 1 was killed by SIGKILL" in caplog.text
        same(kept(run), alone(model, 1))
        [second] = others(trainer.pid)
    assert not second.is_running()


async def soon(do) -> None:
    await anyio.sleep(1)
    do()


@pytest.mark.full
async def test_a_rank_that_does_nothing_any_more_is_given_up(run, model, tmp_path):
    async with open_trainer_process(start_of(run, model, wait_seconds=15)) as trainer:
        await trainer.ready()
        [second] = others(trainer.pid)
        second.suspend()
        await trainer.step(written(tmp_path, 0), 0, tmp_path / "v1")
        assert trainer.restarts == 1
        assert not second.is_running()


@pytest.mark.full
async def test_no_process_outlives_the_first(run, model):
    async with open_trainer_process(start_of(run, model, processes=3)) as trainer:
        await trainer.ready()
        ranks = others(trainer.pid)
        assert len(ranks) == 2
        os.kill(trainer.pid, signal.SIGKILL)
        _, alive = psutil.wait_procs(ranks, timeout=30)
        assert not alive


@pytest.mark.full
async def test_a_run_goes_on_with_another_number_of_processes(run, model, tmp_path):
    for version, processes in enumerate((2, 1, 3)):
        async with open_trainer_process(start_of(run, model, processes)) as trainer:
            assert (await trainer.ready()).version == (version or None)
            await trainer.step(written(tmp_path, version), version, tmp_path / f"v{version + 1}")
    same(kept(run), alone(model, 3))


@pytest.mark.full
async def test_what_is_wrong_is_told_once_however_many_processes_find_it(run, model, tmp_path):
    bad = tmp_path / "bad.msgpack"
    write_batch(bad, Batch((msgspec.structs.replace(stored(tiny.sample(1)), weights=b""),), 0))
    async with open_trainer_process(start_of(run, model)) as trainer:
        with pytest.raises(SampleError, match="0 weights for 4 sampled tokens"):
            await trainer.step(bad, 0, tmp_path / "v1")
        assert trainer.restarts == 0
        lacking = msgspec.structs.replace(batch(0).samples[0], pictures=("0" * 64, "1" * 64))
        write_batch(bad, Batch((lacking, *(stored(one) for one in batch(0).samples[1:])), 0))
        trained = await trainer.step(bad, 0, tmp_path / "v1")
        assert (trained.rows, trained.figures["lacking"]) == (4, 1.0)
    async with open_trainer_process(start_of(run, tmp_path / "nowhere")) as trainer:
        with pytest.raises(ModelError, match="nowhere"):
            await trainer.ready()
