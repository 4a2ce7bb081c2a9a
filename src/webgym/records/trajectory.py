"""Trajectories: one attempt at one task, its steps and its outcome."""

from __future__ import annotations

from typing import Literal

from webgym.records.base import Record, Variant
from webgym.records.decision import Turn
from webgym.records.observation import Observation
from webgym.records.task import Task
from webgym.records.verdict import Verdict

TRAJECTORY_VERSION = 1


class Success(Variant, frozen=True):
    """The judge found that every fact holds."""


class Failure(Variant, frozen=True):
    """The agent answered, and the judge found the task not accomplished."""

    why: str = ""


class Truncation(Variant, frozen=True, tag="truncated"):
    """The agent reached one of its own limits before it answered."""

    limit: Literal["steps", "tokens", "time", "loop", "format"]


class SiteBlock(Variant, frozen=True, tag="blocked"):
    """The website refused to serve the agent, or made its own session unusable. Not graded."""

    why: str


class Infrastructure(Variant, frozen=True):
    """WebGym's own infrastructure failed. Not graded."""

    cause: str
    """The error's code: `session_lost`, `timeout`, `policy`…"""
    message: str = ""


class JudgeUnknown(Variant, frozen=True):
    """The judge reached no verdict. Not graded."""

    why: str


class Cancellation(Variant, frozen=True, tag="cancelled"):
    """Stopped from outside before it ended. Not graded."""

    why: str = ""


Outcome = Success | Failure | Truncation | SiteBlock | Infrastructure | JudgeUnknown | Cancellation
OutcomeKind = Literal["success", "failure", "truncated", "blocked", "infrastructure", "judge_unknown", "cancelled"]
OUTCOME_KINDS: tuple[OutcomeKind, ...] = (
    "success",
    "failure",
    "truncated",
    "blocked",
    "infrastructure",
    "judge_unknown",
    "cancelled",
)


UNFINISHED: frozenset[OutcomeKind] = frozenset({"infrastructure", "cancelled"})
"""Outcomes that are not the attempt's own: it may be begun again, and its later ending replaces this one."""


def outcome_kind(outcome: Outcome) -> OutcomeKind:
    """Return the outcome's name, as stored and displayed."""
    match outcome:
        case Success():
            return "success"
        case Failure():
            return "failure"
        case Truncation():
            return "truncated"
        case SiteBlock():
            return "blocked"
        case Infrastructure():
            return "infrastructure"
        case JudgeUnknown():
            return "judge_unknown"
        case Cancellation():
            return "cancelled"


def reward(outcome: Outcome) -> float | None:
    """Return the reward: 1 or 0 if the outcome is the agent's doing, None if it is not."""
    match outcome:
        case Success():
            return 1.0
        case Failure() | Truncation():
            return 0.0
        case SiteBlock() | Infrastructure() | JudgeUnknown() | Cancellation():
            return None


class Attempt(Record, frozen=True):
    """One planned rollout of a task."""

    attempt_id: str
    """Unique in its run, and stable when the run is resumed."""
    task: Task
    group: str = ""
    """Shared by the attempts at the same task that are compared with each other."""
    member: int = 0
    """Index in the group."""
    seed: int = 0


class StepTimes(Record, frozen=True):
    """Time breakdown of a step, in seconds."""

    look_queued: float = 0.0
    look: float = 0.0
    """Round trip of the observation: the preceding action, settling, observing."""
    infer_queued: float = 0.0
    infer: float = 0.0


class Step(Record, frozen=True):
    """What the agent observed and chose. The action's effect is in the `effect` of the next observation."""

    number: int
    """Counts from 1."""
    observation: Observation
    turn: Turn
    times: StepTimes = StepTimes()


class FailedTry(Record, frozen=True):
    """A try that failed because of infrastructure and was retried."""

    cause: str
    message: str
    steps: int
    seconds: float


class Ending(Record, frozen=True):
    """How an attempt ended."""

    outcome: Outcome
    answer: str | None = None
    verdict: Verdict | None = None
    last: Observation | None = None
    """The observation after the last action, if there was one."""
    steps: int = 0
    failed_tries: tuple[FailedTry, ...] = ()
    notes: tuple[str, ...] = ()
    """Remarks for people: loops, no progress."""
    began: float = 0.0
    """Unix time in seconds, like `ended`."""
    ended: float = 0.0
    queued: float = 0.0
    """Seconds spent in WebGym's queues."""
    branch_rewards: tuple[float | None, ...] = ()
    """Rewards that the branches of the last step would have brought; None for those that do not answer."""


class Trajectory(Record, frozen=True):
    """A finished attempt with all its steps."""

    attempt: Attempt
    steps: tuple[Step, ...]
    ending: Ending
    version: int = TRAJECTORY_VERSION
