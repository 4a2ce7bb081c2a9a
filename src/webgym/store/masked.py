"""Statistics of masked attempts (those without a reward): how many, why, and whether length biases the masking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from webgym.records.curve import MaskedAttempts
from webgym.store.rows import Row
from webgym.store.statistics import rank_test

_MOST_REASONS = 3
_MANY = 0.05
"""Fraction of masked attempts above which to warn."""
_UNEVEN, _CHANCE = 0.15, 0.01
"""Minimum effect size and maximum p-value for a warning about length."""


def masked_of(rows: Iterable[Row]) -> MaskedAttempts:
    """Compute the statistics over the attempts that have ended."""
    over = [row for row in rows if row.outcome is not None]
    lost, graded = [row for row in over if row.reward is None], [row for row in over if row.reward is not None]
    longer, p_value = rank_test([row.steps for row in lost], [row.steps for row in graded])
    found = MaskedAttempts(
        attempts=len(lost),
        share=len(lost) / len(over) if over else 0.0,
        reasons=dict(Counter(map(_reason, lost)).most_common(_MOST_REASONS)),
        steps=_mean_steps(lost),
        graded_steps=_mean_steps(graded),
        longer=longer,
        p_value=p_value,
        warnings=(),
    )
    return msgspec.structs.replace(found, warnings=tuple(_warnings(found)))


def _warnings(found: MaskedAttempts) -> Iterator[str]:
    if found.share > _MANY:
        reasons = ", ".join(f"{reason} {count} times" for reason, count in found.reasons.items())
        yield f"{found.share:.1%} of the attempts have no reward: {reasons}"
    if abs(found.longer - 0.5) > _UNEVEN and found.p_value < _CHANCE:
        how = "longer" if found.longer > 0.5 else "shorter"
        yield (
            f"attempts without a reward are {how} than graded ones, {found.steps:.1f} steps on average against "
            f"{found.graded_steps:.1f} (p = {found.p_value:.1g}): missing rewards are not random and can bias results"
        )


def _mean_steps(rows: Sequence[Row]) -> float:
    return sum(row.steps for row in rows) / len(rows) if rows else 0.0


def _reason(row: Row) -> str:
    detail = " ".join(row.detail.split())
    return f"{row.outcome} ({detail[:80]})" if detail else str(row.outcome)
