"""One attempt at one task: how it went, step by step, and how it ended."""

from __future__ import annotations

from typing import Literal

from webgym.records.base import Record, Variant
from webgym.records.decision import Turn
from webgym.records.observation import Observation
from webgym.records.task import Task
from webgym.records.verdict import Verdict

TRAJECTORY_VERSION = 1


class Success(Variant, frozen=True):
    """The judge found every fact."""


class Failure(Variant, frozen=True):
    """The agent answered, or gave up, and the judge missed a fact."""

    why: str = ""


class Truncated(Variant, frozen=True):
    """The agent itself used up a limit before it answered."""

    limit: Literal["steps", "tokens", "time", "loop", "format"]


class Blocked(Variant, frozen=True):
    """The website refused to serve the agent. Says nothing about the agent."""

    why: str


class Infrastructure(Variant, frozen=True):
    """Something of ours broke. Says nothing about the agent."""

    cause: str
    """The error's code: `session_lost`, `timeout`, `policy`…"""
    message: str = ""


class JudgeUnknown(Variant, frozen=True):
    """The judge came to no verdict. Says nothing about the agent."""

    why: str


class Cancelled(Variant, frozen=True):
    """Stopped from outside before it was over."""

    why: str = ""


Outcome = Success | Failure | Truncated | Blocked | Infrastructure | JudgeUnknown | Cancelled
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


def outcome_kind(outcome: Outcome) -> OutcomeKind:
    """Its name, as stored and shown."""
    match outcome:
        case Success():
            return "success"
        case Failure():
            return "failure"
        case Truncated():
            return "truncated"
        case Blocked():
            return "blocked"
        case Infrastructure():
            return "infrastructure"
        case JudgeUnknown():
            return "judge_unknown"
        case Cancelled():
            return "cancelled"


def reward(outcome: Outcome) -> float | None:
    """1 or 0 for what the agent did; None for what was done to it."""
    match outcome:
        case Success():
            return 1.0
        case Failure() | Truncated():
            return 0.0
        case Blocked() | Infrastructure() | JudgeUnknown() | Cancelled():
            return None


class Attempt(Record, frozen=True):
    """One try of an agent at a task, before it is made."""

    attempt_id: str
    """Unique in its run, and the same when the run is resumed."""
    task: Task
    group: str = ""
    """Attempts at the same task that are compared with each other share it."""
    member: int = 0
    """Which of its group."""
    seed: int = 0


class StepTimes(Record, frozen=True):
    """Where the time of a step went, in seconds."""

    look_queued: float = 0.0
    look: float = 0.0
    """The round trip that brought the observation: the action before, coming to rest, observing."""
    infer_queued: float = 0.0
    infer: float = 0.0


class Step(Record, frozen=True):
    """What the agent saw and what it then chose. What that did is in the next observation's `effect`."""

    number: int
    """From 1."""
    observation: Observation
    turn: Turn
    times: StepTimes = StepTimes()


class FailedTry(Record, frozen=True):
    """A try that was lost to infrastructure, after which the attempt began anew."""

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
    """What the last action led to, if it was looked at."""
    steps: int = 0
    failed_tries: tuple[FailedTry, ...] = ()
    notes: tuple[str, ...] = ()
    """Worth knowing: loops, no progress."""
    began: float = 0.0
    """Seconds since 1970."""
    ended: float = 0.0
    queued: float = 0.0
    """Seconds of it spent in our queues."""


class Trajectory(Record, frozen=True):
    """A whole attempt."""

    attempt: Attempt
    steps: tuple[Step, ...]
    ending: Ending
    version: int = TRAJECTORY_VERSION
