"""Groups failed attempts by what they have in common, with examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from webgym.records.base import Record
from webgym.store.rows import Row
from webgym.viewer.query import missed_facts
from webgym.viewer.rates import UNFINISHED, kind_of

EXAMPLES = 5
_MOST_GROUPS = 40
_STEP_BOUNDS = (1, 2, 3, 5, 9, 13, 21, 31, 51)


class FailureExample(Record, frozen=True, omit_defaults=False):
    """An example attempt of a group."""

    attempt_id: str
    outcome: str
    instruction: str
    steps: int


class FailureGroup(Record, frozen=True, omit_defaults=False):
    """Failed attempts with the same value."""

    value: str
    """The value as a query filter."""
    count: int
    of: int
    """All finished attempts with the same value, including successes."""
    examples: tuple[FailureExample, ...]


class Reason(Record, frozen=True, omit_defaults=False):
    """One grouping of failures, largest group first."""

    name: str
    """Name of the query field."""
    groups: tuple[FailureGroup, ...]
    left_out: int = 0
    """Number of groups that are not shown."""


class Failures(Record, frozen=True, omit_defaults=False):
    """All failures, in several groupings."""

    count: int
    of: int
    """Finished attempts."""
    reasons: tuple[Reason, ...]


def step_range(steps: int) -> str:
    """Return the range that a step count falls in, as a query filter."""
    if steps < 1:
        return "0"
    low = max(bound for bound in _STEP_BOUNDS if bound <= steps)
    above = [bound for bound in _STEP_BOUNDS if bound > steps]
    if not above:
        return f"{low}-"
    return str(low) if above[0] - 1 == low else f"{low}-{above[0] - 1}"


_REASONS: tuple[tuple[str, Callable[[Row], str]], ...] = (
    ("outcome", kind_of),
    ("detail", lambda row: row.detail),
    ("missed", missed_facts),
    ("last", lambda row: row.last_action),
    ("steps", lambda row: step_range(row.steps)),
    ("site", lambda row: row.site),
)


def failures(rows: Sequence[Row]) -> Failures:
    """Group the attempts that ended without success."""
    finished = [row for row in rows if kind_of(row) != UNFINISHED]
    failed = [row for row in finished if row.outcome != "success"]
    reasons = tuple(_reason(name, value, finished, failed) for name, value in _REASONS)
    return Failures(len(failed), len(finished), reasons)


def _reason(name: str, value: Callable[[Row], str], finished: Sequence[Row], failed: Sequence[Row]) -> Reason:
    every = Counter(value(row) for row in finished)
    members: dict[str, list[Row]] = {}
    for row in failed:
        members.setdefault(value(row), []).append(row)
    ordered = sorted(members.items(), key=lambda item: (-len(item[1]), item[0]))
    groups = tuple(
        FailureGroup(
            cause,
            len(rows),
            every[cause],
            tuple(FailureExample(row.attempt_id, kind_of(row), row.instruction, row.steps) for row in rows[:EXAMPLES]),
        )
        for cause, rows in ordered[:_MOST_GROUPS]
    )
    return Reason(name, groups, max(0, len(ordered) - _MOST_GROUPS))
