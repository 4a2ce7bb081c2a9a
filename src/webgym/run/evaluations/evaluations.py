"""When evaluations take place: in turn with training, which waits for each, or beside it."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from webgym.records.sample import PolicyVersion
from webgym.run.averaged_weights import evaluated_weights
from webgym.stages import Weights
from webgym.store.rows import Row

Evaluate = Callable[[int, PolicyVersion], Awaitable[Sequence[Row]]]
"""Evaluates these weights after this iteration, and returns the rows of all attempts."""
NoteEvaluation = Callable[[int, PolicyVersion, Sequence[Row], float], None]
"""Called with iteration, weights, attempts and seconds of a finished evaluation."""


class Evaluations(Protocol):
    """Makes the evaluations that are due."""

    @property
    def in_turn(self) -> bool:
        """Whether `due` returns only when the evaluation is over."""
        ...

    @property
    def pinned(self) -> set[int]:
        """Policy versions whose weights are still needed."""
        ...

    async def due(self, iteration: int, policy: PolicyVersion, sampled: PolicyVersion, *, must: bool) -> None:
        """Evaluate these weights; training samples from `sampled`. One with `must` is never skipped."""
        ...

    async def run(self) -> None:
        """Make evaluations as they become due, until cancelled."""
        ...

    async def drained(self) -> None:
        """Wait until no evaluation is due."""
        ...


@dataclass(frozen=True, slots=True)
class EvaluationsInTurn:
    """Evaluations with the sampler of training, which waits for them."""

    evaluate: Evaluate
    told: NoteEvaluation
    weights: Weights
    """The sampler: an evaluation of other weights borrows it, and gives it back."""

    @property
    def in_turn(self) -> bool:
        return True

    @property
    def pinned(self) -> set[int]:
        return set()

    async def due(self, iteration: int, policy: PolicyVersion, sampled: PolicyVersion, *, must: bool) -> None:
        del must
        weights = evaluated_weights(policy)
        borrows = (weights.version, weights.path) != (sampled.version, sampled.path)
        began = time.monotonic()
        if borrows:
            await self.weights.publish(weights)
        rows = await self.evaluate(iteration, weights)
        self.told(iteration, policy, rows, time.monotonic() - began)
        if borrows:
            await self.weights.publish(sampled)

    async def run(self) -> None:
        """Do nothing: each is made when it is due."""

    async def drained(self) -> None:
        """Return at once."""
