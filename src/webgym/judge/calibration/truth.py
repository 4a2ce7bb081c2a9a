"""What is true of an attempt: as the website itself had it, or as people see it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from webgym.judge.labels.truth import Said
from webgym.records.task import Task
from webgym.records.trajectory import Blocked, Ending
from webgym.records.verdict import Verdict

Source = Literal["exact", "people"]
EXACT = "exact"


@dataclass(frozen=True, slots=True)
class Truth:
    """What is true of one attempt."""

    source: Source
    success: bool | None = None
    """None: not known."""
    blocked: bool = False
    """Whether the website refused to serve the agent: then there is no success to speak of."""
    facts: Mapping[tuple[int, int], bool] = field(default_factory=dict[tuple[int, int], bool])
    """Whether each fact holds, by group and fact; those that nobody knows are left out."""
    contradicted: frozenset[tuple[int, int]] = frozenset()
    """Of those that do not hold, the ones that something on the screen is known to speak against."""


def truth_of(task: Task, ending: Ending, said: Said | None = None) -> Truth | None:
    """What is known of an attempt. People overrule the website, which knows its state but not what a person meant."""
    exact = _exact(task, ending)
    people = _people(said)
    if exact is None or people is None:
        return people or exact
    facts = {**exact.facts, **people.facts}
    success = people.success
    if success is None and not people.blocked:
        success = bool(facts) and all(facts.values())
    return Truth("people", success, people.blocked, facts, people.contradicted)


def _exact(task: Task, ending: Ending) -> Truth | None:
    if not task.exact:  # only hermetic sites can be asked
        return None
    if isinstance(ending.outcome, Blocked):
        return Truth("exact", None, blocked=True)
    verdict = exact_verdict(ending.verdict)
    if verdict is None:
        return None
    # Only an agent that answered has said that it is done; the state alone makes no success.
    success = verdict.success and ending.answer is not None
    return Truth("exact", success, facts={(one.group, one.fact): one.holds for one in verdict.facts})


def exact_verdict(verdict: Verdict | None) -> Verdict | None:
    """The word of the website itself, if it was asked, be it first or second."""
    if verdict is None:
        return None
    # Runs of old do not name their judge; theirs says of facts whether they hold, and nothing about evidence.
    unnamed = not verdict.judge and all(one.finding is None for one in verdict.facts)
    return verdict if verdict.judge == EXACT or unnamed else exact_verdict(verdict.second)


def _people(said: Said | None) -> Truth | None:
    if said is None or (said.success is None and not said.blocked and not said.facts):
        return None
    return Truth("people", said.success, said.blocked, dict(said.facts), said.contradicted)
