"""The abstention curve: accuracy against coverage when only the better-supported verdicts are trusted."""

from __future__ import annotations

from collections.abc import Sequence

from webgym.judge.calibration.agreement import JudgedQuestion, agreement
from webgym.judge.calibration.compare import CalibrationCase, certainty
from webgym.records.base import Record
from webgym.store.statistics import Interval


class CertaintyThreshold(Record, frozen=True, omit_defaults=False):
    """The judge's accuracy if verdicts below this certainty count as unknown."""

    certainty: float
    """The lowest certainty that is still trusted."""
    coverage: float
    """Share of attempts that still have a verdict."""
    accuracy: Interval
    false_positive_rate: Interval


def abstention_curve(found: Sequence[CalibrationCase]) -> tuple[CertaintyThreshold, ...]:
    """Return one point per certainty that occurs, from the highest threshold to the lowest."""
    asked = [case for case in found if case.truth.success is not None and case.answered]
    sure = {case.attempt_id: _sure(case) for case in asked}
    degrees = sorted({degree for degree in sure.values() if degree is not None}, reverse=True)
    return tuple(_trusting(asked, sure, degree) for degree in degrees)


def _trusting(asked: Sequence[CalibrationCase], sure: dict[str, float | None], least: float) -> CertaintyThreshold:
    answers = [
        JudgedQuestion(case.task.task_id, bool(case.truth.success), _kept(case, sure[case.attempt_id], least))
        for case in asked
    ]
    found = agreement(answers)
    return CertaintyThreshold(least, found.judged / len(answers), found.accuracy, found.false_positive_rate)


def _kept(case: CalibrationCase, sure: float | None, least: float) -> bool | None:
    return None if sure is None or sure < least else case.success


def _sure(case: CalibrationCase) -> float | None:
    return None if case.success is None or case.verdict is None else round(certainty(case.verdict), 3)
