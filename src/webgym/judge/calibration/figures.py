"""The results of a calibration as one record."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from statistics import median

from webgym.judge.calibration.abstention import CertaintyThreshold, abstention_curve
from webgym.judge.calibration.agreement import JudgeAgreement, agreement, rate
from webgym.judge.calibration.compare import CalibrationCase, attempts_asked, blocked_asked, facts_asked
from webgym.records.base import Record
from webgym.records.task import Level
from webgym.records.trajectory import JudgeUnknown, outcome_kind
from webgym.records.verdict import VerdictCost
from webgym.store.statistics import Interval

CALIBRATION_VERSION = 1
LEVELS: tuple[Level, ...] = ("easy", "medium", "hard")
_MOST_WRONG = 200
_MOST_WHY = 400
_NUMBERS = re.compile(r"\d+")
"""Reasons that differ only in numbers are counted as one."""


class Cost(Record, frozen=True, omit_defaults=False):
    """What the verdicts cost."""

    attempts: int
    """Attempts with a verdict."""
    total: VerdictCost
    calls: float
    """Mean per attempt, as are the fields that follow."""
    prompt_tokens: float
    sampled_tokens: float
    pictures: float
    picture_bytes: float
    dollars: float
    median_calls: float


class AttackRate(Record, frozen=True, omit_defaults=False):
    """A reward-hacking strategy, and how often it worked."""

    name: str
    about: str
    tried: int
    fooled: int
    """How often the judge gave the reward."""
    unknown: int
    """How often there was no verdict: no reward, and nothing to train on."""
    rate: Interval
    """Success rate over the tries that got a verdict."""


class Wrong(Record, frozen=True, omit_defaults=False):
    """An attempt that the judge got wrong."""

    attempt_id: str
    task: str
    """The task's instruction."""
    truth: str
    judged: str
    why: str


class Calibration(Record, frozen=True, omit_defaults=False):
    """A judge measured against labelled attempts."""

    judge: str
    config: str
    runs: tuple[str, ...]
    when: float
    """Unix time in seconds."""
    labelled: int
    """Attempts with known ground truth."""
    sources: dict[str, int]
    """Number of attempts by source of ground truth: the website itself, or people."""
    attempts: JudgeAgreement
    facts: JudgeAgreement
    blocked: JudgeAgreement
    by_level: dict[Level, JudgeAgreement]
    by_benchmark: dict[str, JudgeAgreement]
    curve: tuple[CertaintyThreshold, ...]
    cost: Cost
    unknown: dict[str, int]
    """Reasons for missing verdicts, with their counts."""
    attacks: tuple[AttackRate, ...] = ()
    wrong: tuple[Wrong, ...] = ()
    """False positives first."""
    version: int = CALIBRATION_VERSION


def calibration(
    judge: str,
    config: str,
    runs: Sequence[str],
    found: Sequence[CalibrationCase],
    attacks: Sequence[AttackRate],
    when: float,
) -> Calibration:
    """Compute all figures over these cases."""
    return Calibration(
        judge=judge,
        config=config,
        runs=tuple(runs),
        when=when,
        labelled=len(found),
        sources=dict(Counter(case.truth.source for case in found)),
        attempts=agreement(attempts_asked(found)),
        facts=agreement(facts_asked(found)),
        blocked=agreement(blocked_asked(found)),
        by_level={
            level: agreement(attempts_asked(of_level))
            for level in LEVELS
            if (of_level := [case for case in found if case.level == level])
        },
        by_benchmark={
            name: agreement(attempts_asked([case for case in found if case.task.benchmark == name]))
            for name in sorted({case.task.benchmark for case in found})
        },
        curve=abstention_curve(found),
        cost=cost(found),
        unknown=dict(Counter(_why(case) for case in found if _unknown(case)).most_common()),
        attacks=tuple(attacks),
        wrong=_wrong(found),
    )


def cost(found: Sequence[CalibrationCase]) -> Cost:
    """Sum up what the verdicts of these cases cost."""
    spent = [case.verdict.spent for case in found if case.verdict is not None]
    total = sum(spent, VerdictCost())
    n = max(1, len(spent))
    return Cost(
        attempts=len(spent),
        total=total,
        calls=total.calls / n,
        prompt_tokens=total.prompt_tokens / n,
        sampled_tokens=total.sampled_tokens / n,
        pictures=total.pictures / n,
        picture_bytes=total.picture_bytes / n,
        dollars=total.dollars / n,
        median_calls=float(median([cost.calls for cost in spent])) if spent else 0.0,
    )


def attack_figure(name: str, about: str, tries: Sequence[tuple[str, bool | None]]) -> AttackRate:
    """Summarize tries, each a task id and whether it was rewarded (None: no verdict)."""
    return AttackRate(
        name=name,
        about=about,
        tried=len(tries),
        fooled=sum(rewarded is True for _, rewarded in tries),
        unknown=sum(rewarded is None for _, rewarded in tries),
        rate=rate([(task, rewarded) for task, rewarded in tries if rewarded is not None]),
    )


def _unknown(case: CalibrationCase) -> bool:
    return case.judgement is None or isinstance(case.judgement.outcome, JudgeUnknown)


def _why(case: CalibrationCase) -> str:
    if case.judgement is None:
        return "not judged"
    match case.judgement.outcome:
        case JudgeUnknown(why=why):
            return _NUMBERS.sub("N", why.partition(":")[0])[:80] or "unknown"
        case _:
            return ""


def _wrong(found: Sequence[CalibrationCase]) -> tuple[Wrong, ...]:
    wrong = [
        case
        for case in found
        if case.truth.success is not None and case.success is not None and case.success != case.truth.success
    ]
    wrong.sort(key=lambda case: (not case.success, case.attempt_id))
    return tuple(_told(case) for case in wrong[:_MOST_WRONG])


def _told(case: CalibrationCase) -> Wrong:
    return Wrong(
        attempt_id=case.attempt_id,
        task=case.task.instruction,
        truth="success" if case.truth.success else "failure",
        judged="" if case.judgement is None else outcome_kind(case.judgement.outcome),
        why=_reasons(case)[:_MOST_WHY],
    )


def _reasons(case: CalibrationCase) -> str:
    """Why the facts hold, for a success; what does not hold and why, for a failure."""
    if case.verdict is None:
        return ""
    said = [fact for fact in case.verdict.facts if case.success or not fact.holds]
    claims = [claim for claim in case.verdict.claims if not case.success and claim.finding != "supported"]
    told = [f"{fact.group}.{fact.fact + 1}: {fact.why}" for fact in said if fact.why]
    return "; ".join([*told, *(f"“{claim.claim}”: {claim.why}" for claim in claims)])
