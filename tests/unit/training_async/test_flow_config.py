"""What can be configured about asynchronous training."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from webgym.errors import ConfigError
from webgym.inference.config import ServersConfig
from webgym.run.config import BrowserConfig, PolicyConfig
from webgym.run.evaluations.pinned_sampler import evaluation_policy
from webgym.run.evaluations.setup import evaluation_sessions
from webgym.run.load import config_from_as, load_config_as, to_toml
from webgym.run.train import needs_of
from webgym.run.train_config import EvaluationServers, FlowConfig, LearnConfig, TrainConfig
from webgym.run.watch import Watch


def test_a_recipe_that_replays_iterations_cannot_be_asynchronous():
    with pytest.raises(ValidationError, match="learns from groups"):
        LearnConfig(mode="async", recipe="webgym-fbc")
    assert LearnConfig(mode="sync", recipe="webgym-fbc").mode == "sync"


def test_sessions_of_evaluations_come_on_top_of_those_of_training():
    config = TrainConfig(
        browser=BrowserConfig(sessions=16),
        policy=PolicyConfig(model="m", slots=3),
        train=LearnConfig(mode="async", flow=FlowConfig(in_flight="recompute")),
    )
    needs = needs_of(config, Watch(print, 1, 2))
    assert (needs.sessions, needs.engine.in_flight, needs.engine.slots) == (20, "recompute", 3)
    own = LearnConfig(mode="async", flow=FlowConfig(evaluation_sessions=7))
    assert evaluation_sessions(config.model_copy(update={"train": own})) == 7


def test_a_depth_of_less_than_a_batch_is_refused():
    with pytest.raises(ValidationError, match="depth"):
        FlowConfig(depth=0.5)


SERVED = ("policy.model=m", "train.mode=async", "policy.server=vllm", "policy.servers.sleep=true")


def test_servers_of_evaluations_are_as_those_of_training_but_for_what_is_said_of_them():
    own = "train.flow.evaluation_servers"
    config = load_config_as(
        TrainConfig,
        None,
        [
            *SERVED,
            "policy.servers.python=p",
            'policy.servers.arguments=["--a"]',
            "policy.servers.replicas=4",
            f"{own}.replicas=1",
            f'{own}.devices=["3"]',
            f'{own}.arguments=["--b"]',
        ],
    )
    found = evaluation_policy(config_from_as(TrainConfig, to_toml(config)))
    assert found.server == "vllm"
    assert found.servers == ServersConfig(python="p", devices=("3",), arguments=("--a", "--b"))


def test_servers_of_evaluations_are_found_among_the_printed_settings():
    assert "[train.flow.evaluation_servers]" in to_toml(TrainConfig())


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        (('urls=["http://a:1"]', "replicas=1"), "are for started servers"),
        (("replicas=2", 'devices=["0"]'), "one entry each"),
        (('arguments=["--x"]',), "at least one replica"),
        (('urls=["http://a:1", "http://a:1"]',), "twice"),
        (('urls=["http://train:1/v1"]',), "load old weights into the training server"),
    ],
)
def test_servers_of_evaluations_that_cannot_be_are_refused(settings, problem):
    own = [f"train.flow.evaluation_servers.{one}" for one in settings]
    with pytest.raises(ConfigError, match=problem):
        load_config_as(TrainConfig, None, [*SERVED, 'policy.servers.urls=["http://train:1"]', *own])


def test_servers_of_evaluations_need_no_engine_and_an_engine_no_servers():
    flow = FlowConfig(evaluation_servers=EvaluationServers(replicas=1), evaluation_device="cpu")
    with pytest.raises(ValidationError, match="remove it if"):
        TrainConfig(policy=PolicyConfig(server="vllm"), train=LearnConfig(mode="async", flow=flow))
    with pytest.raises(ValidationError, match="evaluation_servers needs"):
        TrainConfig(train=LearnConfig(mode="async", flow=FlowConfig(evaluation_servers=EvaluationServers(replicas=1))))
