"""One line per attempt: what lists, tables and data frames show."""

from __future__ import annotations

from urllib.parse import urlsplit

from webgym.records.base import Record
from webgym.records.decision import Decision, Malformed
from webgym.records.task import Level
from webgym.records.trajectory import (
    Attempt,
    Blocked,
    Cancelled,
    Failure,
    Infrastructure,
    JudgeUnknown,
    Outcome,
    OutcomeKind,
    Step,
    Success,
    Truncated,
)


class Row(Record, frozen=True):
    """An attempt in one line."""

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
    """None while it is not over."""
    detail: str
    """Of the outcome: why, which limit, what cause."""
    reward: float | None
    steps: int
    answer: str | None
    facts_held: int
    facts: int
    began: float
    """Seconds since 1970."""
    ended: float | None
    queued: float
    """Seconds of it spent in our queues."""
    last_action: str
    """Its kind; `malformed` for a reply without one; empty before the first."""
    prompt_tokens: int
    sampled_tokens: int
    cost: float
    """In US dollars, failed tries included."""
    failed_tries: int


COLUMNS = ", ".join(f'"{name}"' for name in Row.__struct_fields__)
"""Of the table `attempts`, in the order of `Row`."""


def site_of(website: str) -> str:
    """The host name of an address, or all of it where it has none."""
    try:
        return urlsplit(website).hostname or website
    except ValueError:  # such as brackets around what is no IPv6 address
        return website


def begun_values(attempt: Attempt, when: float) -> dict[str, object]:
    """What is known of an attempt when it begins, by column."""
    task = attempt.task
    return {
        "attempt_id": attempt.attempt_id,
        "task_id": task.task_id,
        "site": site_of(task.website),
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
    """The kind of what a step chose."""
    match step.turn.choice:
        case Decision(action=action):
            return str(action.__struct_config__.tag)
        case Malformed():
            return "malformed"


def detail_of(outcome: Outcome) -> str:
    """What an outcome says beyond its kind, in a few words."""
    match outcome:
        case Success():
            return ""
        case Truncated(limit=limit):
            return limit
        case Infrastructure(cause=cause):
            return cause
        case Failure(why=why) | Blocked(why=why) | JudgeUnknown(why=why) | Cancelled(why=why):
            return why
