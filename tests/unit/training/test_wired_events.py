"""What attempts of training and of evaluations are made with, and what they tell whoever watches."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.unit.store.making import META

from webgym.environments.live import RunningLive
from webgym.records.event import OPERATIONS, LimitChanged
from webgym.records.session import SessionSpec
from webgym.run import training_attempts as wired_by
from webgym.run.attempt_resources import AttemptResources
from webgym.run.config import PolicyConfig
from webgym.run.train_config import TrainConfig
from webgym.run.training_attempts import TrainingAttempts
from webgym.store.write import open_writer
from webgym.testing.fakes import FakeBrowser
from webgym.testing.rollouts import EventList, FakeJudge, MemoryRecorder


def test_limits_that_are_told_are_those_of_training():
    config = TrainConfig(policy=PolicyConfig(model="m"))
    events, resources = EventList(), AttemptResources(FakeBrowser(), RunningLive(), None, SessionSpec())
    wiring = TrainingAttempts(config, resources, events, lambda _find: lambda _setup: FakeJudge())
    policy = SimpleNamespace(sample=None)
    wiring.training(policy, MemoryRecorder(), [])
    told = list(events.events)
    assert told == [LimitChanged(one, getattr(config.pool.gates, one)[0], "configured") for one in OPERATIONS]
    wiring.evaluation(lambda: policy, [])(MemoryRecorder())
    assert events.events == told


@pytest.mark.parametrize(("trained", "tested"), [(3, 8), (8, 3)])
def test_evaluations_have_faults_and_limits_of_their_own_and_the_sites_are_those_of_both(
    monkeypatch: pytest.MonkeyPatch, trained: int, tested: int
):
    config = TrainConfig.model_validate(
        {
            "policy": {"model": "m"},
            "faults": {"latency_seconds": 0.5},
            "limits": {"hard": 9},
            "tasks": {"sites_per_family": trained},
            "evaluate": {"limits": {"hard": 4}, "tasks": {"sites_per_family": tested}},
        }
    )
    made: list[tuple[float, int, int]] = []

    def noted(given: TrainConfig, *_: object, **__: object) -> None:
        made.append((given.faults.latency_seconds, given.limits.hard, given.tasks.sites_per_family))

    monkeypatch.setattr(wired_by, "wired", noted)
    resources = AttemptResources(FakeBrowser(), RunningLive(), None, SessionSpec())
    wiring = TrainingAttempts(config, resources, EventList(), lambda _find: lambda _setup: FakeJudge())
    policy = SimpleNamespace(sample=None)
    wiring.training(policy, MemoryRecorder(), [])
    wiring.evaluation(lambda: policy, [])(MemoryRecorder())
    assert made == [(0.5, 9, 8), (0.0, 4, 8)]


@pytest.mark.anyio
async def test_judges_read_where_the_attempt_is_recorded_and_health_is_noted_with_the_tasks_it_is_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    noted: list[tuple[object, object]] = []
    monkeypatch.setattr(wired_by, "wired", lambda *_, **__: None)
    monkeypatch.setattr(wired_by, "noted", lambda _roll, health, recorder: noted.append((health, recorder)))
    read: list[object] = []

    def judges(find: object) -> object:
        read.append(find)
        return lambda _setup: FakeJudge()

    resources = AttemptResources(FakeBrowser(), RunningLive(), None, SessionSpec())
    config = TrainConfig(policy=PolicyConfig(model="m"))
    wiring = TrainingAttempts(config, resources, EventList(), judges, "of training", "of tests")
    policy = SimpleNamespace(sample=None)
    async with open_writer(tmp_path / "a", META) as training, open_writer(tmp_path / "b", META) as evaluation:
        wiring.training(policy, training, [])
        wiring.evaluation(lambda: policy, [])(evaluation)
        assert noted == [("of training", training), ("of tests", evaluation)]
        assert read == [training.blob, evaluation.blob]
