"""The ground truth of an attempt: from the website's own state, or from human labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from webgym.judge.labels.truth import CombinedLabels
from webgym.records.task import Task
from webgym.records.trajectory import Ending, SiteBlock
from webgym.records.verdict import Verdict

Source = Literal["exact", "people"]
EXACT = "exact"


@dataclass(frozen=True, slots=True)
class Truth:
    """The ground truth of one attempt."""

    source: Source
    success: bool | None = None
    """None if unknown."""
    blocked: bool = False
    """Whether the website refused to serve the agent; success is then undefined."""
    facts: Mapping[tuple[int, int], bool] = field(default_factory=dict[tuple[int, int], bool])
    """Whether each fact holds, by group and fact index; facts of unknown truth are left out."""
    contradicted: frozenset[tuple[int, int]] = frozenset()
    """The facts that do not hold because something on the screen contradicts them."""


def truth_of(task: Task, ending: Ending, said: CombinedLabels | None = None) -> Truth | None:
    """Return the known truth. People override the website, which knows its state but not what the instruction meant."""
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
    if not task.exact:  # only hermetic sites can be queried
        return None
    if isinstance(ending.outcome, SiteBlock):
        return Truth("exact", None, blocked=True)
    verdict = exact_verdict(ending.verdict)
    if verdict is None:
        return None
    # Only an answer claims completion; the right state alone is no success.
    success = verdict.success and ending.answer is not None
    return Truth("exact", success, facts={(fact.group, fact.fact): fact.holds for fact in verdict.facts})


def exact_verdict(verdict: Verdict | None) -> Verdict | None:
    """Return the website's own verdict, whether it is the first or the second opinion; None if there is none."""
    if verdict is None:
        return None
    # Old runs do not name their judge; their verdicts say whether facts hold, without a finding.
    unnamed = not verdict.judge and all(fact.finding is None for fact in verdict.facts)
    return verdict if verdict.judge == EXACT or unnamed else exact_verdict(verdict.second)


def _people(said: CombinedLabels | None) -> Truth | None:
    if said is None or (said.success is None and not said.blocked and not said.facts):
        return None
    return Truth("people", said.success, said.blocked, dict(said.facts), said.contradicted)
