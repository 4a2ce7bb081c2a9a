"""Judgements beside truth: one question for each attempt, for each fact, and whether the website refused to serve."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from webgym.judge.calibration.agreement import Answered
from webgym.judge.calibration.truth import Truth
from webgym.records.judgement import Judgement
from webgym.records.task import Level, Task
from webgym.records.trajectory import Blocked, JudgeUnknown, reward
from webgym.records.verdict import MOST_RELEVANT, FactVerdict, Finding, Verdict


@dataclass(frozen=True, slots=True)
class Case:
    """An attempt of which something is known, and what the judge made of it."""

    attempt_id: str
    task: Task
    truth: Truth
    judgement: Judgement | None
    """None: the judge was not asked, or has not answered yet."""
    answered: bool = True
    """Whether the agent gave an answer. Without one there is nothing to reward, whatever the judge would say."""

    @property
    def level(self) -> Level:
        return self.task.level

    @property
    def success(self) -> bool | None:
        """What the judge says of the whole; None if it came to nothing, or found the website at fault."""
        found = None if self.judgement is None else reward(self.judgement.outcome)
        return None if found is None else found > 0

    @property
    def blocked(self) -> bool | None:
        """Whether the judge says that the website refused; None if it came to nothing."""
        if self.judgement is None or isinstance(self.judgement.outcome, JudgeUnknown):
            return None
        return isinstance(self.judgement.outcome, Blocked)

    @property
    def verdict(self) -> Verdict | None:
        return None if self.judgement is None else self.judgement.verdict


def attempts_asked(found: Iterable[Case]) -> list[Answered]:
    """Did the attempt succeed? Asked where the judge has a say."""
    return [
        Answered(case.task.task_id, case.truth.success, case.success)
        for case in found
        if case.truth.success is not None and case.answered
    ]


def facts_asked(found: Iterable[Case]) -> list[Answered]:
    """Does the fact hold? Where the judge came to no verdict, none of its facts has an answer."""
    asked: list[Answered] = []
    for case in (one for one in found if one.answered):
        verdict = case.verdict
        said = {} if verdict is None else {(one.group, one.fact): one for one in verdict.facts}
        asked += [
            Answered(case.task.task_id, holds, _said(said.get(where))) for where, holds in case.truth.facts.items()
        ]
    return asked


def blocked_asked(found: Iterable[Case]) -> list[Answered]:
    """Did the website refuse to serve the agent?"""
    return [
        Answered(case.task.task_id, case.truth.blocked, case.blocked)
        for case in found
        if case.truth.blocked or case.truth.success is not None
    ]


def certainty(verdict: Verdict) -> float:
    """How well a verdict is founded, from 0 to 1, by the evidence that the judge itself names.

    A success is as sure as its weakest fact: as relevant as the best screenshot that the fact rests on. A failure is
    sure if something speaks against the attempt; where it only was not shown, the less so the more relevant what was
    looked at.
    """
    if verdict.success:
        return min((_best(verdict, row) for row in range(len(verdict.facts))), default=0.0)
    doubts = [_doubt(verdict, row, one.found) for row, one in enumerate(verdict.facts) if not one.holds]
    doubts += [_doubt(verdict, None, one.finding) for one in verdict.claims if one.finding != "supported"]
    if verdict.reference not in {None, "supported"}:
        doubts.append(_doubt(verdict, None, verdict.reference or "abstain"))
    return max(doubts, default=0.0)


def _doubt(verdict: Verdict, row: int | None, finding: Finding) -> float:
    match finding:
        case "contradicted":
            return 1.0
        case "not_shown":
            return 0.5 if row is None else 1.0 - _most(_relevance(verdict, row)) / (MOST_RELEVANT + 1)
        case "supported" | "abstain":
            return 0.0


def _best(verdict: Verdict, row: int) -> float:
    """The relevance of the best screenshot that a fact rests on; of a fact about the answer, of the best of all."""
    relevance = _relevance(verdict, row)
    rests_on = verdict.facts[row].screenshots or range(len(relevance))
    return _most([relevance[shot] for shot in rests_on if shot < len(relevance)]) / MOST_RELEVANT


def _relevance(verdict: Verdict, row: int) -> Sequence[int]:
    return verdict.relevance[row] if row < len(verdict.relevance) else ()


def _most(values: Sequence[int]) -> int:
    return max(values, default=0)


def _said(one: FactVerdict | None) -> bool | None:
    return None if one is None or one.finding == "abstain" else one.holds
