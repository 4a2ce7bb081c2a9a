"""An attempt judged again: what it would have ended as."""

from __future__ import annotations

from webgym.records.base import Record
from webgym.records.trajectory import Outcome, reward
from webgym.records.verdict import Verdict

JUDGEMENT_VERSION = 1


class Judgement(Record, frozen=True):
    """One attempt of a stored run, with the verdict of another judge than the one that was asked then."""

    attempt_id: str
    outcome: Outcome
    """`judge_unknown` if the judge came to no complete verdict: it can be asked again."""
    verdict: Verdict | None = None
    when: float = 0.0
    """Seconds since 1970."""
    version: int = JUDGEMENT_VERSION

    @property
    def reward(self) -> float | None:
        """None without a complete verdict."""
        return reward(self.outcome)
