"""Summary statistics of a run: success rates with intervals, over all attempts and over graded ones."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Sequence

from webgym.records.base import Record
from webgym.records.curve import MaskedAttempts, Rate
from webgym.records.trajectory import OUTCOME_KINDS, OutcomeKind
from webgym.store.malformed import malformed_warning
from webgym.store.masked import masked_of
from webgym.store.rates import ends_of, rate, success
from webgym.store.rows import Row


class Summary(Record, frozen=True, omit_defaults=False):
    """Summary statistics of a run."""

    submitted: int
    outcomes: dict[OutcomeKind, int]
    open: int
    """Attempts without an outcome yet."""
    tasks: int
    success_over_all: Rate
    """Success rate over all finished attempts, whatever their outcome."""
    success_over_graded: Rate
    """Success rate over attempts with a reward: without blocked ones, infrastructure failures and the like."""
    blocked_rate: float
    masked: MaskedAttempts
    """Attempts without a reward, which `success_over_graded` excludes."""
    by_level: dict[str, Rate]
    by_domain: dict[str, Rate]
    by_site: dict[str, Rate]
    mean_steps: float
    mean_steps_of_successes: float
    sampled_tokens: int
    cost: float
    seconds: float
    malformed: int = 0
    """Replies that were no actions, of `replies`."""
    replies: int = 0

    @property
    def warnings(self) -> tuple[str, ...]:
        """Reasons to distrust the rates."""
        malformed = malformed_warning(self.malformed, self.replies)
        return (*((malformed,) if malformed else ()), *self.masked.warnings)


def summarise(rows: Sequence[Row]) -> Summary:
    """Summarise the attempts of a run."""
    ended = [row for row in rows if row.outcome is not None]
    graded = [row for row in ended if row.reward is not None]
    counts = collections.Counter(row.outcome for row in ended)
    rates = success(ends_of(ended))
    return Summary(
        submitted=len(rows),
        outcomes={kind: counts[kind] for kind in OUTCOME_KINDS},
        open=len(rows) - len(ended),
        tasks=len({row.task_id for row in rows}),
        success_over_all=rates.over_all,
        success_over_graded=rates.over_graded,
        blocked_rate=rates.blocked_rate,
        masked=masked_of(ended),
        by_level=_by(graded, lambda row: row.level, ("easy", "medium", "hard")),
        by_domain=_by(graded, lambda row: row.domain),
        by_site=_by(graded, lambda row: row.site),
        mean_steps=_mean(row.steps for row in graded),
        mean_steps_of_successes=_mean(row.steps for row in graded if row.outcome == "success"),
        sampled_tokens=sum(row.sampled_tokens for row in rows),
        cost=sum(row.cost for row in rows),
        seconds=_span(ended),
        malformed=sum(row.malformed for row in rows),
        replies=sum(row.steps for row in rows),
    )


def _by(rows: Sequence[Row], key: Callable[[Row], str], order: Sequence[str] = ()) -> dict[str, Rate]:
    found: dict[str, list[Row]] = collections.defaultdict(list)
    for row in rows:
        found[key(row)].append(row)
    names = [name for name in order if name in found] or sorted(found)
    return {name: rate(ends_of(found[name])) for name in names}


def _mean(values: Iterable[int]) -> float:
    known = list(values)
    return sum(known) / len(known) if known else 0.0


def _span(rows: Sequence[Row]) -> float:
    ends = [row.ended for row in rows if row.ended is not None]
    return max(ends) - min(row.began for row in rows) if ends else 0.0
