"""Conformance suites for implementations of the protocols. Our tests run them on the fakes and all implementations.

A suite is a tuple of async check functions, which raise `AssertionError`. Each takes an implementation and an example
of how to exercise it:

@pytest.mark.parametrize("check", POLICY_CHECKS)
async def test_my_policy(check):
    await check(MyPolicy(), PolicyExample())
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webgym.testing.conformance.advantages import ADVANTAGE_CHECKS, AdvantageCheck, AdvantageExample
from webgym.testing.conformance.agents import AGENT_CHECKS, AgentCheck, AgentExample
from webgym.testing.conformance.events import EVENTS_CHECKS, EventsCheck
from webgym.testing.conformance.judges import JUDGE_CHECKS, JudgeCall, JudgeCheck, JudgeExample
from webgym.testing.conformance.policies import POLICY_CHECKS, PolicyCheck, PolicyExample
from webgym.testing.conformance.recorders import RECORDER_CHECKS, RecorderCheck, RecorderExample
from webgym.testing.conformance.sessions import SESSION_CHECKS, Check, SessionExample
from webgym.testing.conformance.trainers import TRAINER_CHECKS, TrainerCheck, TrainerExample
from webgym.testing.conformance.weights import WEIGHTS_CHECKS, WeightsCheck, WeightsExample

if TYPE_CHECKING:
    from webgym.testing.conformance.losses import LOSS_CHECKS, LossCheck, LossExample

__all__ = [
    "ADVANTAGE_CHECKS",
    "AGENT_CHECKS",
    "EVENTS_CHECKS",
    "JUDGE_CHECKS",
    "LOSS_CHECKS",
    "POLICY_CHECKS",
    "RECORDER_CHECKS",
    "SESSION_CHECKS",
    "TRAINER_CHECKS",
    "WEIGHTS_CHECKS",
    "AdvantageCheck",
    "AdvantageExample",
    "AgentCheck",
    "AgentExample",
    "Check",
    "EventsCheck",
    "JudgeCall",
    "JudgeCheck",
    "JudgeExample",
    "LossCheck",
    "LossExample",
    "PolicyCheck",
    "PolicyExample",
    "RecorderCheck",
    "RecorderExample",
    "SessionExample",
    "TrainerCheck",
    "TrainerExample",
    "WeightsCheck",
    "WeightsExample",
]


def __getattr__(name: str) -> Any:
    """Import the suite of losses on first use: it is the only one that needs torch."""
    if name not in {"LOSS_CHECKS", "LossCheck", "LossExample"}:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from webgym.testing.conformance import losses  # noqa: PLC0415

    return getattr(losses, name)
