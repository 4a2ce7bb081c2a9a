"""Evaluations beside training whose samplers are servers: on servers of their own, pinned to one version.

The servers are scripted (`scripted_inference.py`): the evaluation's own, and those that training samples from.
"""

from __future__ import annotations

import os
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from types import SimpleNamespace

import anyio
import psutil
import pytest
from tests.child_environment import python_path
from tests.integration.scripted_inference import Scripted, serving
from tests.unit.engine.tiny import write_tiny

from webgym.curves.file import read
from webgym.errors import ConfigError
from webgym.inference.config import ServersConfig
from webgym.llm.config import Retries
from webgym.records.action import Answer
from webgym.records.decision import Decision, Turn
from webgym.records.prompt import Message, Prompt, Text, unpack_ids
from webgym.records.sample import PolicyVersion
from webgym.rollout.gates import Gates
from webgym.rollout.limits import Limits
from webgym.rollout.play import Tools
from webgym.rollout.roll import roll
from webgym.run.config import PolicyConfig
from webgym.run.curve_log import CurveLog
from webgym.run.evaluations.evaluations import Evaluations
from webgym.run.evaluations.pinned_sampler import check_evaluations, evaluation_policy
from webgym.run.evaluations.setup import evaluations_beside
from webgym.run.folders import Folders
from webgym.run.progress import NoProgress
from webgym.run.run_length import PlannedLength
from webgym.run.sampler import open_sampler
from webgym.run.schedule import Schedule
from webgym.run.train_config import EvaluateConfig, EvaluationServers, FlowConfig, LearnConfig, TrainConfig
from webgym.run.watch import Watch
from webgym.store.meta import RunMeta
from webgym.store.read import open_run
from webgym.testing.fakes import FakeBrowser
from webgym.testing.rollouts import EventList, FakeEpisodes, FakeJudge, fake_task

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(120)]
ROOT = Path(__file__).parents[2]


class Asking:
    """Asks the policy once, and answers."""

    def __init__(self, policy) -> None:
        self._policy = policy

    async def decide(self, capture) -> Turn:
        prompt = Prompt((Message("user", (Text("What now?"),)),))
        completion = await self._policy.sample(prompt, {})
        return Turn(Decision(Answer(completion.text or "nothing")), prompt, completion)


SCHEDULE = Schedule(5, 1, 9, PlannedLength(5))


class FakeWiring:
    """Attempts of evaluations without websites; `meanwhile` happens in the middle of each."""

    def __init__(self, meanwhile) -> None:
        self._meanwhile = meanwhile

    def evaluation(self, policy, tasks):
        def wire(recorder):
            events = EventList()
            episodes = FakeEpisodes(lambda _: Asking(policy()), FakeJudge())
            tools = Tools(FakeBrowser(), Gates(events), recorder, events, Limits())

            async def one(attempt):
                await self._meanwhile()
                return await roll(attempt, episodes, tools, tries=1)

            return one

        return wire


@pytest.fixture(scope="module")
def models(tmp_path_factory) -> list[PolicyVersion]:
    folder = write_tiny(tmp_path_factory.mktemp("models") / "v", seed=1)
    return [PolicyVersion(version, str(folder)) for version in range(8)]


def config_of(training: Scripted, evaluation: EvaluationServers, **servers) -> TrainConfig:
    urls = ServersConfig(urls=(training.url,), retries=Retries(tries=2, pause=0.05), refresh_seconds=20, **servers)
    flow = FlowConfig(evaluation_servers=evaluation, evaluation_sessions=1)
    policy = PolicyConfig(model="m", server="sglang", max_tokens=6, temperature=0.75, servers=urls)
    evaluate = EvaluateConfig(temperature=0.25)
    return TrainConfig(policy=policy, evaluate=evaluate, train=LearnConfig(mode="async", flow=flow))


def run_in(folder: Path, config: TrainConfig, said: list[str], meanwhile):
    """As much of a run as evaluations need."""
    return SimpleNamespace(
        config=config,
        tests=[fake_task(1), fake_task(2)],
        folders=Folders(folder),
        writer=SimpleNamespace(meta=RunMeta("a run", 0.0)),
        events=EventList(),
        store=SimpleNamespace(rows=list),
        shown=SimpleNamespace(write=lambda _: None),
        progress=SimpleNamespace(on_message=said.append),
        curve=CurveLog(Folders(folder).curve, [], (), NoProgress()),
        attempts=FakeWiring(meanwhile),
    )


async def evaluate(evaluations: Evaluations, *due: tuple[int, PolicyVersion]) -> None:
    for iteration, policy in due:
        await evaluations.due(iteration, policy, policy, must=True)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(evaluations.run)
        await evaluations.drained()
        tasks.cancel_scope.cancel()


def versions_in(folder: Path) -> list[int]:
    with open_run(folder) as run:
        steps = [step for trajectory in run.trajectories() for step in trajectory.steps]
    return [version for step in steps for version in unpack_ids(step.turn.completion.tokens.versions)]


async def test_an_evaluation_samples_one_version_from_its_own_server_while_training_goes_on(models, tmp_path):
    training, own, said = Scripted("sglang", label="?"), Scripted("sglang", label="?"), []
    async with AsyncExitStack() as stack:
        for server in (training, own):
            await stack.enter_async_context(serving(server))
        config = config_of(training, EvaluationServers(urls=(own.url,)))
        await check_evaluations(config)
        sampler = await stack.enter_async_context(open_sampler(config.policy, models[3], tmp_path, said.append))
        learning = iter(models[4:])

        async def learns_on() -> None:
            await sampler.weights.publish(next(learning))

        run = run_in(tmp_path, config, said, learns_on)
        watch = Watch(said.append, 600, 1200)
        evaluations = evaluations_beside(run, SCHEDULE, watch)
        await evaluate(evaluations, (0, models[0]), (3, models[3]))
    assert training.label == "7"  # it learned on, in the middle of every attempt
    assert training.asked == []
    assert len(own.asked) == 4
    assert {asked["sampling_params"]["temperature"] for asked in own.asked} == {0.25}
    assert [order for order in own.orders if order.startswith("load")] == ["load v", "load v"]
    for iteration in (0, 3):
        found = versions_in(Folders(tmp_path).evaluation(iteration))
        assert (set(found), len(found) >= 2) == ({iteration}, True)
    assert [(one.iteration, one.version, one.evaluation.success.attempts) for one in read(run.folders.curve)] == [
        (0, 0, 2),
        (3, 3, 2),
    ]


async def test_replies_of_another_version_are_never_counted(models, tmp_path):
    """Somebody else gives the server other weights in the middle of an evaluation."""
    training, own, said = Scripted("sglang"), Scripted("sglang"), []
    async with serving(training), serving(own):
        config = config_of(training, EvaluationServers(urls=(own.url,)))

        async def meddle() -> None:
            own.label = "5"

        run = run_in(tmp_path, config, said, meddle)
        evaluations = evaluations_beside(run, SCHEDULE, Watch(said.append, 600, 1200))
        await evaluate(evaluations, (2, models[2]))
    with open_run(Folders(tmp_path).evaluation(2)) as run:
        assert {(row.outcome, row.reward) for row in run.rows()} == {("infrastructure", None)}
        assert "version 5, not 2" in next(iter(run.trajectories())).ending.outcome.message


async def test_servers_of_evaluations_are_started_beside_those_of_training_and_ended(models, tmp_path):
    python = tmp_path / "python"
    python.write_text(
        f'#!/bin/sh\nPYTHONPATH={python_path()} exec {sys.executable} -m tests.integration.scripted_inference "$@"\n'
    )
    python.chmod(0o755)
    training, said = Scripted("sglang"), []

    async def nothing() -> None:
        await anyio.lowlevel.checkpoint()

    async with serving(training):
        config = config_of(
            training, EvaluationServers(replicas=1, arguments=("--mem-fraction-static", "0.3")), python=str(python)
        )
        run = run_in(tmp_path / "run", config, said, nothing)
        evaluations = evaluations_beside(run, SCHEDULE, Watch(said.append, 600, 1200))
        await evaluate(evaluations, (2, models[2]))
    assert set(versions_in(run.folders.evaluation(2))) == {2}, said
    log = (tmp_path / "run" / "servers" / "evaluation" / "sglang-0.log").read_text()
    assert "--mem-fraction-static" in log
    assert any(line.startswith("evaluation: sglang 0: serves at") for line in said)
    assert (training.orders, training.asked) == ([], [])
    left = psutil.Process(os.getpid()).children(recursive=True)
    assert not [one for one in left if "scripted_inference" in " ".join(one.cmdline())]


async def test_a_run_with_servers_says_who_could_evaluate_and_takes_an_engine_if_it_is_asked_for():
    policy = PolicyConfig(model="m", server="vllm", device="cuda:0")
    config = TrainConfig(policy=policy, train=LearnConfig(mode="async"))
    with pytest.raises(ConfigError) as refused:
        await check_evaluations(config)
    assert "policy.server = 'vllm'" in str(refused.value)
    for choice in ("evaluation_servers.urls", "evaluation_servers.replicas", "evaluation_device"):
        assert f"train.flow.{choice}" in str(refused.value)
    asked = config.model_copy(update={"train": LearnConfig(mode="async", flow=FlowConfig(evaluation_device="cuda:1"))})
    await check_evaluations(asked)
    assert (evaluation_policy(asked).server, evaluation_policy(asked).device) == ("engine", "cuda:1")
    engine = TrainConfig(policy=PolicyConfig(model="m", device="cuda:0"), train=LearnConfig(mode="async"))
    await check_evaluations(engine)
    assert (evaluation_policy(engine).server, evaluation_policy(engine).device) == ("engine", "cuda:0")


async def test_an_evaluation_server_that_does_not_answer_is_said_before_anything_is_trained():
    config = config_of(SimpleNamespace(url="http://127.0.0.1:10"), EvaluationServers(urls=("http://127.0.0.1:9",)))
    with pytest.raises(ConfigError, match=r"no sglang server answers at http://127\.0\.0\.1:9/health"):
        await check_evaluations(config)
