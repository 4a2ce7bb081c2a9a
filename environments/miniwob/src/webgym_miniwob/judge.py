"""What the server knows of an attempt, as the stages of a run ask for it."""

from __future__ import annotations

from collections.abc import Sequence

from webgym.errors import TransportError
from webgym.records.observation import Observation
from webgym.records.trajectory import Attempt, Step
from webgym.records.verdict import FactVerdict, Verdict
from webgym_miniwob.instance import Instance, Progress

_ROUNDING = 1e-6
"""Some pages add thirds."""


class MiniwobState:
    """The progress of one attempt."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance

    async def read(self) -> Progress:
        return self._instance.progress

    async def reset(self) -> None:
        """Forget what was reported: the next load of the page begins the episode of the same seed."""
        self._instance.reset()


class MiniwobEnd:
    """Ends an attempt when its page ends the episode."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance

    async def reason(self, observation: Observation) -> str:
        del observation
        now = self._instance.progress
        return f"the page ended its episode with a reward of {now.reward:g}" if now.done else ""


class MiniwobJudge:
    """Judges by the page's own reward."""

    exact = True

    def __init__(self, instance: Instance, enough: float) -> None:
        self._instance = instance
        self._enough = enough

    async def judge(self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, answer: str) -> Verdict:
        """Return whether the reward is enough, and what it is worth otherwise.

        Raises:
            TransportError: The page was never loaded, which is not the agent's fault.
        """
        del steps, last, answer
        now = self._instance.progress
        if not now.loads:
            raise TransportError(f"the session did not reach the page of {attempt.task.task_id}")
        held = now.done and now.reward >= self._enough - _ROUNDING
        why = f"reward {now.reward:g}{f' ({now.reason})' if now.reason else ''}" if now.done else "the page is not done"
        fact = FactVerdict(group=1, fact=0, holds=held, why=why)
        return Verdict((fact,), credit=min(1.0, max(0.0, now.reward)), judge="exact")
