"""One suite for all weights: the fake, an engine's with a tiny model, and those of inference servers."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.integration.scripted_inference import Scripted
from tests.integration.test_inference_servers import attached
from tests.unit.engine.tiny import write_tiny

from webgym.engine.policy import EnginePolicy
from webgym.engine.process import open_engine
from webgym.engine.request import SamplingParams
from webgym.engine.settings import EngineSettings
from webgym.inference.policy import Asking
from webgym.inference.weights import ServerWeights
from webgym.records.sample import PolicyVersion
from webgym.run.training.weights import EngineWeights
from webgym.stages import Weights
from webgym.testing.conformance import WEIGHTS_CHECKS, WeightsCheck, WeightsExample
from webgym.testing.training import FakePolicy, FakeWeights

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]


def _folders(folder: Path) -> tuple[PolicyVersion, PolicyVersion]:
    """As far as nobody looks into them."""
    for name in ("v1", "v2"):
        (folder / name).mkdir()
        (folder / name / "config.json").write_text("{}")
        (folder / name / "model.safetensors").write_bytes(b"")
    return PolicyVersion(1, str(folder / "v1")), PolicyVersion(2, str(folder / "v2"))


@asynccontextmanager
async def _fake(folder: Path) -> AsyncGenerator[tuple[Weights, WeightsExample]]:
    policy = FakePolicy()
    nowhere = PolicyVersion(3, str(folder / "nowhere"))
    yield FakeWeights(policy), WeightsExample(policy, *_folders(folder), damaged=nowhere)


@asynccontextmanager
async def _engine(folder: Path) -> AsyncGenerator[tuple[Weights, WeightsExample]]:
    first, second = (PolicyVersion(seed, str(write_tiny(folder / f"v{seed}", seed))) for seed in (1, 2))
    async with open_engine(first, EngineSettings(device="cpu", slots=2, length=512, threads=1)) as engine:
        policy = EnginePolicy(engine, SamplingParams(max_tokens=4), seed=3)
        nowhere = PolicyVersion(3, str(folder / "nowhere"))
        yield EngineWeights(engine), WeightsExample(policy, first, second, damaged=nowhere)


def _servers(kind: str):
    @asynccontextmanager
    async def opened(folder: Path) -> AsyncGenerator[tuple[Weights, WeightsExample]]:
        first, second = _folders(folder)
        async with attached(kind, first, Scripted(kind, label="1")) as (replicas, make):
            yield ServerWeights(replicas), WeightsExample(make(Asking(max_tokens=4)), first, second)

    return opened


IMPLEMENTATIONS = [
    pytest.param(_fake, id="fake"),
    pytest.param(_engine, id="engine"),
    pytest.param(_servers("vllm"), id="vllm"),
    pytest.param(_servers("sglang"), id="sglang"),
]


@pytest.fixture(scope="module", params=IMPLEMENTATIONS)
async def implementation(request, anyio_backend, tmp_path_factory) -> AsyncGenerator[tuple[Weights, WeightsExample]]:
    async with request.param(tmp_path_factory.mktemp("weights")) as made:
        yield made


@pytest.mark.parametrize("check", WEIGHTS_CHECKS, ids=lambda check: check.__name__)
async def test_they_behave_like_weights(implementation: tuple[Weights, WeightsExample], check: WeightsCheck):
    await check(*implementation)
