"""Agreement between two judges on the same attempts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from webgym.records.base import Record
from webgym.records.trajectory import Outcome, outcome_kind, reward
from webgym.records.verdict import Verdict
from webgym.store.statistics import Interval, wilson

_MOST_NAMED = 200


class Pair(Record, frozen=True):
    """One attempt judged twice."""

    attempt_id: str
    first: Outcome
    second: Outcome
    first_verdict: Verdict | None = None
    second_verdict: Verdict | None = None


class Difference(Record, frozen=True, omit_defaults=False):
    """An attempt that two judges rewarded differently."""

    attempt_id: str
    first: str
    second: str
    facts: tuple[str, ...]
    """Facts that only one of them finds to hold, as `group.fact`, both as in the rubric."""


class Agreement(Record, frozen=True, omit_defaults=False):
    """Agreement over all attempts that both judged."""

    attempts: int
    outcomes: dict[str, dict[str, int]]
    """Counts by the first judge's outcome, then the second's."""
    rewarded: int
    """Attempts that both gave a reward, 0 or 1."""
    rewards: Interval
    """Share of those with the same reward."""
    only_first: int
    """Successes that the second calls failures."""
    only_second: int
    """Failures that the second calls successes: false positives, if the first is right."""
    facts: Interval
    """Share of facts on which both agree."""
    differences: tuple[Difference, ...]
    """The first differences found."""


def agreement(pairs: Iterable[Pair]) -> Agreement:
    """Measure the agreement over these pairs."""
    table: Counter[tuple[str, str]] = Counter()
    same = rewarded = only_first = only_second = facts = same_facts = 0
    differences: list[Difference] = []
    for pair in pairs:
        kinds = outcome_kind(pair.first), outcome_kind(pair.second)
        table[kinds] += 1
        both = _facts(pair.first_verdict), _facts(pair.second_verdict)
        shared = both[0].keys() & both[1].keys()
        apart = sorted(key for key in shared if both[0][key] != both[1][key])
        facts += len(shared)
        same_facts += len(shared) - len(apart)
        rewards = reward(pair.first), reward(pair.second)
        if None not in rewards:
            rewarded += 1
            same += rewards[0] == rewards[1]
            only_first += rewards == (1.0, 0.0)
            only_second += rewards == (0.0, 1.0)
        if rewards[0] != rewards[1] and len(differences) < _MOST_NAMED:
            named = tuple(f"{group}.{fact + 1}" for group, fact in apart)
            differences.append(Difference(pair.attempt_id, *kinds, named))
    outcomes: dict[str, dict[str, int]] = {}
    for (first, second), count in sorted(table.items()):
        outcomes.setdefault(first, {})[second] = count
    return Agreement(
        attempts=table.total(),
        outcomes=outcomes,
        rewarded=rewarded,
        rewards=_share(same, rewarded),
        only_first=only_first,
        only_second=only_second,
        facts=_share(same_facts, facts),
        differences=tuple(differences),
    )


def _facts(verdict: Verdict | None) -> dict[tuple[int, int], bool]:
    """Return the findings, without those on which the judge abstained."""
    return (
        {}
        if verdict is None
        else {(fact.group, fact.fact): fact.holds for fact in verdict.facts if fact.found != "abstain"}
    )


def _share(count: int, n: int) -> Interval:
    return Interval(count / n if n else 0.0, *wilson(count, n), n)
