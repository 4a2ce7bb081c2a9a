"""One suite for every recorder: the fake, the store's writer, and those that pass on to another."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from webgym.records.trajectory import Trajectory
from webgym.stages import Recorder
from webgym.store.meta import RunMeta
from webgym.store.read import open_run
from webgym.store.write import open_writer
from webgym.testing.conformance import RECORDER_CHECKS, RecorderCheck, RecorderExample
from webgym.testing.rollouts import MemoryRecorder
from webgym_areal.stage import Keeping
from webgym_bench.rollouts.recorder import CountingRecorder

pytestmark = pytest.mark.anyio


@asynccontextmanager
async def _fake(folder: Path) -> AsyncGenerator[tuple[Recorder, RecorderExample]]:
    recorder = MemoryRecorder()
    yield recorder, RecorderExample(recorder.trajectory, recorder.blobs.get)


@asynccontextmanager
async def _store(folder: Path) -> AsyncGenerator[tuple[Recorder, RecorderExample]]:
    """Read by somebody else, as it is on disk when `end` has returned."""

    def read(attempt_id: str) -> Trajectory:
        with open_run(folder) as run:
            return run.trajectory(attempt_id)

    def blob(address: str) -> bytes:
        with open_run(folder) as run:
            return run.blob(address)

    async with open_writer(folder, RunMeta("checked", time.time(), "tests")) as writer:
        yield writer, RecorderExample(read, blob)


@asynccontextmanager
async def _counting(folder: Path) -> AsyncGenerator[tuple[Recorder, RecorderExample]]:
    async with _store(folder) as (writer, example):
        yield CountingRecorder(writer), example


@asynccontextmanager
async def _keeping(folder: Path) -> AsyncGenerator[tuple[Recorder, RecorderExample]]:
    recorder = MemoryRecorder()
    keeping = Keeping(recorder)
    yield keeping, RecorderExample(keeping.take, recorder.blobs.get)


IMPLEMENTATIONS = [
    pytest.param(_fake, id="fake"),
    pytest.param(_store, id="store"),
    pytest.param(_counting, id="counting"),
    pytest.param(_keeping, id="keeping"),
]


@pytest.mark.parametrize("check", RECORDER_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("opened", IMPLEMENTATIONS)
async def test_it_behaves_like_a_recorder(opened, check: RecorderCheck, tmp_path):
    async with opened(tmp_path / "run") as implementation:
        await check(*implementation)
