"""One suite for every trainer: the fake, the example's, and the reference trainer with a tiny model.

The last runs as in a run, in what is a thread here and a process there: that starts many times as fast.
"""

from __future__ import annotations

import asyncio
import socket
import threading
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace

import anyio
import anyio.to_thread
import pytest
from examples.own_trainer import Still
from tests.unit.train import tiny

from webgym.records.sample import Sample
from webgym.run.training.config import TrainConfig
from webgym.serving.child_process import ChildProcess
from webgym.stages import Trainer
from webgym.store.meta import RunMeta
from webgym.store.write import open_writer
from webgym.testing.conformance import TRAINER_CHECKS, TrainerCheck, TrainerExample
from webgym.testing.conformance.trainers import OpenTrainer
from webgym.testing.training import FakeTrainer
from webgym.train.batch_file import read_batch, write_batch
from webgym.train.messages import TrainerStart
from webgym.train.process import open_trainer_process
from webgym.train.serve import serve
from webgym.train.settings import TrainerSettings

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]
SAMPLES: tuple[Sample, ...] = (tiny.sample(1), tiny.sample(2, weight=-0.5), tiny.sample(3, sampled=2))


def plain(make: Callable[[Path], Trainer]) -> OpenTrainer:
    @asynccontextmanager
    async def opened(folder: Path) -> AsyncGenerator[Trainer]:
        yield make(folder)

    return opened


@asynccontextmanager
async def threaded(module: str, limit: int) -> AsyncGenerator[ChildProcess]:
    """The other end of the socket pair as a thread of this process."""
    assert module == "webgym.train"
    ours, theirs = socket.socketpair()
    ours.setblocking(False)
    thread = threading.Thread(target=serve, args=(theirs,))
    thread.start()
    reader, writer = await asyncio.open_connection(sock=ours, limit=limit)
    try:
        yield ChildProcess(SimpleNamespace(pid=0), reader, writer)
    finally:
        writer.close()
        with anyio.CancelScope(shield=True):
            await writer.wait_closed()
            await anyio.to_thread.run_sync(thread.join)
    theirs.close()


def reference(model: Path, lr: float) -> OpenTrainer:
    @asynccontextmanager
    async def opened(folder: Path) -> AsyncGenerator[Trainer]:
        run = folder / "run"
        if not run.exists():
            async with open_writer(run, RunMeta("checked", time.time(), "tests")):
                pass
        settings = TrainerSettings(device="cpu", precision="float32", tokens=64).model_dump_json()
        recipe = tiny.recipe_of(lr=lr).model_dump_json()
        start = TrainerStart(str(model), recipe, settings, str(run), str(folder / "checkpoints"))
        async with open_trainer_process(start) as trainer:
            yield trainer

    return opened


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    return tiny.folder(tmp_path_factory.mktemp("models") / "model", layers=1)


@pytest.fixture(params=["fake", "still", "reference"])
def implementation(request, monkeypatch) -> tuple[OpenTrainer, TrainerExample]:
    if request.param == "fake":
        without_rate = plain(lambda folder: FakeTrainer(folder, read_batch, rate=0.0))
        fake = plain(lambda folder: FakeTrainer(folder, read_batch))
        return fake, TrainerExample(SAMPLES, write_batch, without_rate=without_rate)
    model = request.getfixturevalue("model")
    if request.param == "still":
        config = TrainConfig.model_validate({"policy": {"model": str(model)}})
        return plain(lambda folder: Still(config, folder)), TrainerExample(SAMPLES, write_batch, learns=False)
    monkeypatch.setattr("webgym.train.process.child_process", threaded)
    return reference(model, 1e-3), TrainerExample(SAMPLES, write_batch, without_rate=reference(model, 0.0))


@pytest.mark.parametrize("check", TRAINER_CHECKS, ids=lambda check: check.__name__)
async def test_it_behaves_like_a_trainer(implementation: tuple[OpenTrainer, TrainerExample], check: TrainerCheck):
    await check(*implementation)
