"""What can be configured about asynchronous training."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from webgym.pipeline.runs.config import BrowserConfig, PolicyConfig
from webgym.pipeline.train.config import FlowConfig, LearnConfig, TrainConfig
from webgym.pipeline.train.flow.beside import evaluation_sessions
from webgym.pipeline.train.flow.run import needs_of
from webgym.pipeline.train.flow.watch import Watch


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
