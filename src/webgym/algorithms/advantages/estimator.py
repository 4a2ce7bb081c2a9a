"""What an advantage estimator is given, and what it says of itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from webgym.records.base import Record


class Member(Record, frozen=True):
    """An attempt that has a reward, as its group's estimator sees it."""

    reward: float
    states: tuple[str, ...] = ()
    """What each of its steps saw: the same text means the same state."""


Estimate = Callable[..., Sequence[float] | Sequence[Sequence[float]]]
"""Called with the members, and options as keywords: returns a number for each, or one for each of its steps."""


@dataclass(frozen=True, slots=True)
class Estimator:
    """An estimator with its options."""

    estimate: Estimate
    compares: bool = True
    """Whether members are compared with each other: a group whose rewards are all the same is dropped."""
    by_step: bool = False
    """Whether every step has an advantage of its own."""
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    name: str = ""

    def __call__(self, members: Sequence[Member], **options: Any) -> Sequence[float] | Sequence[Sequence[float]]:
        return self.estimate(members, **self.options, **options)


def estimator(*, compares: bool = True, by_step: bool = False) -> Callable[[Estimate], Estimator]:
    """Say of an estimator that it compares no members, or that every step has an advantage of its own."""

    def said(estimate: Estimate) -> Estimator:
        name = str(cast("Any", estimate).__name__)
        return Estimator(estimate, compares=compares, by_step=by_step, name=name)

    return said
