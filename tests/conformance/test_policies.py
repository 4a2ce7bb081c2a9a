"""One suite for every policy: the fake, scripts, served models, the engine with a tiny model, and the example's."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from examples.own_policy import Scroller
from tests.integration.scripted_inference import Scripted
from tests.integration.test_inference_servers import attached
from tests.unit.engine.tiny import write_tiny

from webgym.agent.policies.scripted import ScriptedPolicy
from webgym.agent.policies.served import ServedPolicy
from webgym.engine.policy import EnginePolicy
from webgym.engine.process import open_engine
from webgym.engine.request import SamplingParams
from webgym.engine.settings import EngineSettings
from webgym.inference.policy import Asking
from webgym.llm.config import ModelConfig, Retries
from webgym.records.prompt import Message, Prompt, Text
from webgym.records.sample import PolicyVersion
from webgym.run.evaluations.pinned_sampler import PinnedSampler
from webgym.stages import Policy
from webgym.testing.conformance import POLICY_CHECKS, PolicyCheck, PolicyExample
from webgym.testing.policy_faults import ErrorStatus
from webgym.testing.policy_replies import PolicyRequest
from webgym.testing.policy_server import PolicyServer, serving_policy
from webgym.testing.training import FakePolicy

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]
Opened = AbstractAsyncContextManager[tuple[Policy, PolicyExample]]
TOO_LONG = Prompt((Message("user", (Text("too long " * 400),)),))
TRAINS = PolicyExample(trains=True)


def plain(make: Callable[[], Policy], example: PolicyExample = PolicyExample()) -> Callable[[Path], Opened]:
    @asynccontextmanager
    async def opened(_folder: Path) -> AsyncGenerator[tuple[Policy, PolicyExample]]:
        yield make(), example

    return opened


def _refuses_what_is_long(server: PolicyServer) -> Callable[[PolicyRequest], str]:
    def say(ask: PolicyRequest) -> str:
        if "too long" in ask.text:
            server.fail(ErrorStatus(400, "this model's longest prompt is shorter"), times=1)
        return "hello"

    return say


@asynccontextmanager
async def _served(folder: Path) -> AsyncGenerator[tuple[Policy, PolicyExample]]:
    async with serving_policy("hello") as server:
        server.script = _refuses_what_is_long(server)
        config = ModelConfig(servers=(server.url,), model="scripted", retries=Retries(tries=2, pause=0.01))
        async with ServedPolicy(config) as policy:
            yield policy, PolicyExample(refused=TOO_LONG)


@asynccontextmanager
async def _served_to_train(folder: Path) -> AsyncGenerator[tuple[Policy, PolicyExample]]:
    async with serving_policy("hello") as server:
        server.version = 3
        config = ModelConfig(servers=(server.url,), model="scripted", api="vllm", logprobs="processed")
        async with ServedPolicy(config) as policy:
            yield policy, TRAINS


@asynccontextmanager
async def _servers(folder: Path) -> AsyncGenerator[tuple[Policy, PolicyExample]]:
    server = Scripted("vllm", label="0")
    async with attached("vllm", PolicyVersion(0, str(folder)), server) as (_, make):
        yield make(Asking(max_tokens=9)), TRAINS


@asynccontextmanager
async def _engine(folder: Path) -> AsyncGenerator[tuple[Policy, PolicyExample]]:
    policy = PolicyVersion(4, str(write_tiny(folder, seed=1)))
    async with open_engine(policy, EngineSettings(device="cpu", slots=4, length=512, threads=1)) as engine:
        yield (
            PinnedSampler(EnginePolicy(engine, SamplingParams(max_tokens=8), seed=3), 4),
            PolicyExample(trains=True, refused=TOO_LONG),
        )


IMPLEMENTATIONS = [
    pytest.param(plain(lambda: FakePolicy(longest=500), PolicyExample(trains=True, refused=TOO_LONG)), id="fake"),
    pytest.param(plain(lambda: ScriptedPolicy(["one", "two"], repeat=True)), id="scripted"),
    pytest.param(plain(Scroller), id="scroller"),
    pytest.param(_served, id="served"),
    pytest.param(_served_to_train, id="served-to-train"),
    pytest.param(_servers, id="inference-servers"),
    pytest.param(_engine, id="engine"),
]


@pytest.fixture(scope="module", params=IMPLEMENTATIONS)
async def implementation(request, anyio_backend, tmp_path_factory) -> AsyncGenerator[tuple[Policy, PolicyExample]]:
    async with request.param(tmp_path_factory.mktemp("policy")) as made:
        yield made


@pytest.mark.parametrize("check", POLICY_CHECKS, ids=lambda check: check.__name__)
async def test_it_behaves_like_a_policy(implementation: tuple[Policy, PolicyExample], check: PolicyCheck):
    await check(*implementation)
