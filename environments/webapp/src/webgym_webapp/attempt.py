"""What the user's functions see of an attempt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from webgym.records.observation import Observation
from webgym.records.task import Task
from webgym.records.trajectory import Attempt, Step
from webgym.records.verdict import Verdict

from webgym_webapp.findings import verdict_of
from webgym_webapp.instance_view import WebappInstance


@dataclass(frozen=True, slots=True)
class WebappAttempt:
    """An attempt on an instance of its own."""

    attempt: Attempt
    instance: WebappInstance
    values: Mapping[str, Any]
    """Those of the task, of its `fill` and of the preparation."""
    steps: Sequence[Step] = ()
    """For verdicts, like the following."""
    last: Observation | None = None
    answer: str = ""

    @property
    def task(self) -> Task:
        return self.attempt.task

    @property
    def base(self) -> str:
        return self.instance.base

    @property
    def folder(self) -> Path:
        return self.instance.folder

    def verdict(self, holds: Sequence[bool], credit: float | None = None) -> Verdict:
        """Return a verdict on each fact, with partial credit if the attempt is a failure."""
        return verdict_of(self.task, holds, credit)


@dataclass(frozen=True, slots=True)
class Preparation:
    """What differs in this attempt. Empty: as the task says."""

    start: str = ""
    """Path of the page to start at."""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    """Sent with every request of the session, besides the application's."""
    instruction: str = ""
    values: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """More values, for the verdict and the solver, and for `{names}` in instruction, start page and facts."""
