"""Judgements made after a run: the interface through which the viewer is given them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Protocol

from webgym.records.judgement import Judgement
from webgym.records.trajectory import outcome_kind
from webgym.records.verdict import Verdict
from webgym.store.rows import Row
from webgym.viewer.judge_view import JudgeView, judge_view

_GRADES = {"success": 1, "failure": 0, "truncated": 0}


class Judgements(Protocol):
    """Later judgements of stored runs, by the name of their log. Methods block."""

    def stamp(self, run: Path, /) -> object:
        """Return a value that changes whenever a judgement is added."""
        ...

    def outcomes(self, run: Path, /) -> Mapping[str, Mapping[str, str]]:
        """Return the judged outcome of each attempt, by log and attempt id.

        Raises:
            StoreError: They cannot be read.
        """
        ...

    def of(self, run: Path, attempt_id: str, /) -> Mapping[str, Judgement]:
        """Return the judgements of one attempt, by log.

        Raises:
            StoreError: They cannot be read.
        """
        ...


class NoJudgements:
    """No later judgements."""

    def stamp(self, _run: Path, /) -> object:
        return None

    def outcomes(self, _run: Path, /) -> Mapping[str, Mapping[str, str]]:
        return {}

    def of(self, _run: Path, _attempt_id: str, /) -> Mapping[str, Judgement]:
        return {}


def later_judges(found: Mapping[str, Judgement], steps: int) -> tuple[JudgeView, ...]:
    """Return the views of later judgements of an attempt with this many steps. They do not count."""
    return tuple(
        judge_view(judgement.verdict or Verdict((), judge=log), steps, outcome_kind(judgement.outcome), counts=False)
        for log, judgement in found.items()
    )


def graded_otherwise(rows: Iterable[Row], outcomes: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Return the attempts that a later judge rewards differently. A judge without a verdict does not differ."""
    found: list[str] = []
    for row in rows:
        mine = _GRADES.get(row.outcome or "")
        theirs = {_GRADES.get(log.get(row.attempt_id, "")) for log in outcomes.values()}
        if mine is not None and theirs - {mine, None}:
            found.append(row.attempt_id)
    return found
