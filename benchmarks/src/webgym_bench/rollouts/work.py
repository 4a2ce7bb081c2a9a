"""The workload: the length of each attempt, and the latency of each decision and page. The same for every system."""

from __future__ import annotations

import random
from dataclasses import dataclass

from webgym.errors import RequestError
from webgym.records.task import FactGroup, Task
from webgym.records.trajectory import Attempt
from webgym_bench.delays import between
from webgym_bench.plan.lengths import length_weights
from webgym_bench.rollouts.conditions import Conditions


@dataclass(frozen=True)
class Work:
    """The attempts of a run."""

    conditions: Conditions

    def attempts(self, website: str) -> list[Attempt]:
        """Return all attempts, in submission order."""
        return [_attempt(number, website) for number in range(self.conditions.attempts)]

    def length(self, attempt: int) -> int:
        """Return the number of decisions of an attempt, the answer included."""
        key = repr((self.conditions.seed, attempt, "length"))
        weights = length_weights(self.conditions.shortest, self.conditions.longest, self.conditions.mean_length)
        lengths = range(self.conditions.shortest, self.conditions.longest + 1)
        return random.Random(key).choices(lengths, cum_weights=weights)[0]  # noqa: S311  nothing secret

    def decision_seconds(self, attempt: int, step: int) -> float:
        """Return the latency of the policy at a step, counted from 1."""
        seed = self.conditions.seed
        if between(0.0, 1.0, seed, attempt, step, "straggler") < self.conditions.stragglers:
            return self.conditions.straggler_seconds
        return self.conditions.decision.seconds(seed, attempt, step, "decision")

    def page_seconds(self, attempt: int, page: int) -> float:
        """Return the load time of a page, counted from 0. An attempt has as many pages as decisions."""
        return self.conditions.page.seconds(self.conditions.seed, attempt, page, "page")


def page_path(attempt: int, page: int) -> str:
    """Return the path of a page."""
    return f"/{attempt}/{page}"


def place_of(path: str) -> tuple[int, int]:
    """Parse the attempt and the page from a path or URL."""
    match path.split("/")[-2:]:
        case [attempt, page] if attempt.isdigit() and page.isdigit():
            return int(attempt), int(page)
        case _:
            raise RequestError(f"not a page of an attempt: {path}")


def _attempt(number: int, website: str) -> Attempt:
    rubric = (FactGroup(1, "The last page was reached", ("It was the last page.",)),)
    task = Task(f"bench-{number}", "Follow the link to the last page.", website + page_path(number, 0), rubric)
    return Attempt(str(number), task, seed=number)
