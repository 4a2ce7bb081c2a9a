"""The result of judging a stored attempt again."""

from __future__ import annotations

from webgym.records.base import Record
from webgym.records.trajectory import Outcome, reward
from webgym.records.verdict import Verdict

JUDGEMENT_VERSION = 1


class Judgement(Record, frozen=True):
    """The verdict of another judge on one attempt of a stored run, and the outcome it implies."""

    attempt_id: str
    outcome: Outcome
    """`judge_unknown` if the judge reached no complete verdict; it can be asked again."""
    verdict: Verdict | None = None
    when: float = 0.0
    """Unix time in seconds."""
    version: int = JUDGEMENT_VERSION

    @property
    def reward(self) -> float | None:
        """None without a complete verdict."""
        return reward(self.outcome)
