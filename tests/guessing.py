"""Parts for training runs in which untrained models succeed now and then: replies are answers, a coin is the judge."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from webgym.agent.dialects.compact import Compact
from webgym.records.action import Answer, Wait
from webgym.records.decision import Decision
from webgym.records.observation import Observation
from webgym.records.prompt import Completion, Prompt
from webgym.records.trajectory import Attempt, Step
from webgym.records.verdict import FactVerdict, Verdict


@dataclass(frozen=True, slots=True)
class Blurting(Compact):
    """Waits for a moment if the reply is short of something, answers otherwise."""

    def parse(self, completion: Completion, seen: Observation) -> Decision:
        if len(completion.text) % 3 == 0 and seen.sequence < 3:
            return Decision(Wait(0.1), call="wait 0.1")
        return Decision(Answer(completion.text[:40] or "?"), call="answer")


BLURTING = Blurting()


class Mumbler:
    """A policy whose replies are nothing that any dialect knows."""

    async def sample(self, prompt: Prompt, pictures: Mapping[str, bytes], *, affinity: str = "") -> Completion:
        del prompt, pictures, affinity
        return Completion("hm", sampled_tokens=1)


class Coin:
    """Decides by the name of the attempt alone: the same every time, and nothing that can be learned."""

    exact = True

    async def judge(self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, answer: str) -> Verdict:
        del steps, last, answer
        heads = self._heads(attempt)
        return Verdict(
            tuple(
                FactVerdict(group.id, number, heads)
                for group in attempt.task.rubric
                for number in range(len(group.facts))
            )
        )

    def _heads(self, attempt: Attempt) -> bool:
        return hashlib.sha256(attempt.attempt_id.encode()).digest()[0] % 2 == 0


class Turns(Coin):
    """In every group one attempt succeeds, the next does not: there is always something to learn from."""

    def _heads(self, attempt: Attempt) -> bool:
        return hashlib.sha256(attempt.group.encode()).digest()[0] % 2 == attempt.member % 2
