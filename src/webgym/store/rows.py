"""One row per attempt, for lists, tables and data frames."""

from __future__ import annotations

from urllib.parse import urlsplit

from webgym.records.base import Record
from webgym.records.decision import Decision, MalformedReply
from webgym.records.task import Level, Task
from webgym.records.trajectory import (
    Attempt,
    Cancellation,
    Failure,
    Infrastructure,
    JudgeUnknown,
    Outcome,
    OutcomeKind,
    SiteBlock,
    Step,
    Success,
    Truncation,
)


class Row(Record, frozen=True):
    """Summary of one attempt."""

    attempt_id: str
    task_id: str
    site: str
    """Host name of the website."""
    domain: str
    template: str
    level: Level
    difficulty: int
    instruction: str
    group: str
    member: int
    outcome: OutcomeKind | None
    """None until the attempt ends."""
    detail: str
    """Reason, limit or cause of the outcome."""
    reward: float | None
    steps: int
    answer: str | None
    facts_held: int
    facts: int
    began: float
    """Unix time in seconds, like `ended`."""
    ended: float | None
    queued: float
    """Seconds spent in WebGym's queues."""
    last_action: str
    """Kind of the last action; `malformed` for a reply without one; empty before the first."""
    prompt_tokens: int
    sampled_tokens: int
    cost: float
    """In US dollars, failed tries included."""
    failed_tries: int
    malformed: int = 0
    """Steps whose reply was no action; 0 in runs of versions that did not count them."""


CHECKED = ", ".join(f'"{name}"' for name in (*Row.__struct_fields__, "number", "tries"))
"""The columns of the table `attempts` that the checksum of a row covers: those of `Row` in their order, and others."""


def site_of(website: str) -> str:
    """Return the host name of a URL, or the whole string if it has none."""
    try:
        return urlsplit(website).hostname or website
    except ValueError:  # e.g. brackets around something that is not an IPv6 address
        return website


def place_of(task: Task) -> str:
    """Return what reports call the place of a task: what its environment says, else the host."""
    return task.site or site_of(task.website)


def begun_values(attempt: Attempt, when: float) -> dict[str, object]:
    """Return the column values known when an attempt begins."""
    task = attempt.task
    return {
        "attempt_id": attempt.attempt_id,
        "task_id": task.task_id,
        "site": place_of(task),
        "domain": task.domain,
        "template": task.template,
        "level": task.level,
        "difficulty": task.difficulty,
        "instruction": task.instruction,
        "group": attempt.group,
        "member": attempt.member,
        "facts": task.difficulty,
        "began": when,
    }


def action_kind(step: Step) -> str:
    """Return the kind of the step's action, or `malformed`."""
    match step.turn.choice:
        case Decision(action=action):
            return str(action.__struct_config__.tag)
        case MalformedReply():
            return "malformed"


def detail_of(outcome: Outcome) -> str:
    """Return the short detail of an outcome beyond its kind."""
    match outcome:
        case Success():
            return ""
        case Truncation(limit=limit):
            return limit
        case Infrastructure(cause=cause):
            return cause
        case Failure(why=why) | SiteBlock(why=why) | JudgeUnknown(why=why) | Cancellation(why=why):
            return why
