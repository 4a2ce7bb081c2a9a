"""What attempts of training and of evaluations tell whoever watches."""

from __future__ import annotations

from types import SimpleNamespace

from webgym.environments.live import RunningLive
from webgym.pipeline.runs.attempt_resources import AttemptResources
from webgym.pipeline.runs.config import PolicyConfig
from webgym.pipeline.train.config import TrainConfig
from webgym.pipeline.train.wiring import Wiring
from webgym.records.event import OPERATIONS, LimitChanged
from webgym.records.session import SessionSpec
from webgym.testing.fakes import FakeBrowser
from webgym.testing.rollouts import EventList, FakeJudge, MemoryRecorder


def test_limits_that_are_told_are_those_of_training():
    config = TrainConfig(policy=PolicyConfig(model="m"))
    events, resources = EventList(), AttemptResources(FakeBrowser(), RunningLive(), None, SessionSpec())
    wiring = Wiring(config, resources, events, lambda _find: lambda _place: FakeJudge())
    policy = SimpleNamespace(sample=None)
    wiring.training(policy, MemoryRecorder(), [])
    told = list(events.events)
    assert told == [LimitChanged(one, getattr(config.pool.gates, one)[0], "configured") for one in OPERATIONS]
    wiring.evaluation(lambda: policy, [])(MemoryRecorder())
    assert events.events == told
