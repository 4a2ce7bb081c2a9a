"""Judgements paired with ground truth: per attempt, per fact, and on whether the website refused to serve."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from webgym.judge.calibration.agreement import JudgedQuestion
from webgym.judge.calibration.truth import Truth
from webgym.records.judgement import Judgement
from webgym.records.task import Level, Task
from webgym.records.trajectory import JudgeUnknown, SiteBlock, reward
from webgym.records.verdict import MOST_RELEVANT, FactVerdict, Finding, Verdict


@dataclass(frozen=True, slots=True)
class CalibrationCase:
    """An attempt with known ground truth, and the judge's verdict on it."""

    attempt_id: str
    task: Task
    truth: Truth
    judgement: Judgement | None
    """None if the judge was not asked, or has not answered yet."""
    answered: bool = True
    """Whether the agent gave an answer. Without one there is no reward, whatever the judge would say."""

    @property
    def level(self) -> Level:
        return self.task.level

    @property
    def success(self) -> bool | None:
        """Whether the judge calls the attempt a success; None if it has no verdict, or found the website at fault."""
        found = None if self.judgement is None else reward(self.judgement.outcome)
        return None if found is None else found > 0

    @property
    def blocked(self) -> bool | None:
        """Whether the judge says that the website refused to serve; None without a verdict."""
        if self.judgement is None or isinstance(self.judgement.outcome, JudgeUnknown):
            return None
        return isinstance(self.judgement.outcome, SiteBlock)

    @property
    def verdict(self) -> Verdict | None:
        return None if self.judgement is None else self.judgement.verdict


def attempts_asked(found: Iterable[CalibrationCase]) -> list[JudgedQuestion]:
    """Did the attempt succeed? Asked only where the agent answered, so that the judge decides."""
    return [
        JudgedQuestion(case.task.task_id, case.truth.success, case.success)
        for case in found
        if case.truth.success is not None and case.answered
    ]


def facts_asked(found: Iterable[CalibrationCase]) -> list[JudgedQuestion]:
    """Does the fact hold? Without a verdict, all facts of the attempt are unanswered."""
    asked: list[JudgedQuestion] = []
    for case in (answered for answered in found if answered.answered):
        verdict = case.verdict
        said = {} if verdict is None else {(fact.group, fact.fact): fact for fact in verdict.facts}
        asked += [
            JudgedQuestion(case.task.task_id, holds, _said(said.get(where)))
            for where, holds in case.truth.facts.items()
        ]
    return asked


def blocked_asked(found: Iterable[CalibrationCase]) -> list[JudgedQuestion]:
    """Did the website refuse to serve the agent?"""
    return [
        JudgedQuestion(case.task.task_id, case.truth.blocked, case.blocked)
        for case in found
        if case.truth.blocked or case.truth.success is not None
    ]


def certainty(verdict: Verdict) -> float:
    """Return how well a verdict is supported, from 0 to 1, by the evidence that the judge itself cites.

    A success is as certain as its weakest fact, which is as certain as its most relevant cited screenshot. A failure is
    certain if something contradicts the attempt. If a fact merely was not shown, certainty falls with the relevance of
    the screenshots that were examined.
    """
    if verdict.success:
        return min((_best(verdict, row) for row in range(len(verdict.facts))), default=0.0)
    doubts = [_doubt(verdict, row, fact.found) for row, fact in enumerate(verdict.facts) if not fact.holds]
    doubts += [_doubt(verdict, None, claim.finding) for claim in verdict.claims if claim.finding != "supported"]
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
    """Relevance of the best screenshot that a fact cites; if it cites none, of the best screenshot overall."""
    relevance = _relevance(verdict, row)
    rests_on = verdict.facts[row].screenshots or range(len(relevance))
    return _most([relevance[shot] for shot in rests_on if shot < len(relevance)]) / MOST_RELEVANT


def _relevance(verdict: Verdict, row: int) -> Sequence[int]:
    return verdict.relevance[row] if row < len(verdict.relevance) else ()


def _most(values: Sequence[int]) -> int:
    return max(values, default=0)


def _said(one: FactVerdict | None) -> bool | None:
    return None if one is None or one.finding == "abstain" else one.holds
