"""The abstention curve: accuracy against coverage when only the better-supported verdicts are trusted."""

from __future__ import annotations

from collections.abc import Sequence

from webgym.judge.calibration.agreement import Answered, agreement
from webgym.judge.calibration.compare import Case, certainty
from webgym.records.base import Record
from webgym.store.statistics import Interval


class Trusted(Record, frozen=True, omit_defaults=False):
    """The judge's accuracy if verdicts below this certainty count as unknown."""

    certainty: float
    """The lowest certainty that is still trusted."""
    coverage: float
    """Share of attempts that still have a verdict."""
    accuracy: Interval
    false_positive_rate: Interval


def abstention_curve(found: Sequence[Case]) -> tuple[Trusted, ...]:
    """Return one point per certainty that occurs, from the highest threshold to the lowest."""
    asked = [case for case in found if case.truth.success is not None and case.answered]
    sure = {case.attempt_id: _sure(case) for case in asked}
    degrees = sorted({one for one in sure.values() if one is not None}, reverse=True)
    return tuple(_trusting(asked, sure, degree) for degree in degrees)


def _trusting(asked: Sequence[Case], sure: dict[str, float | None], least: float) -> Trusted:
    answers = [
        Answered(case.task.task_id, bool(case.truth.success), _kept(case, sure[case.attempt_id], least))
        for case in asked
    ]
    found = agreement(answers)
    return Trusted(least, found.judged / len(answers), found.accuracy, found.false_positive_rate)


def _kept(case: Case, sure: float | None, least: float) -> bool | None:
    return None if sure is None or sure < least else case.success


def _sure(case: Case) -> float | None:
    return None if case.success is None or case.verdict is None else round(certainty(case.verdict), 3)
