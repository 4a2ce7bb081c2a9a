"""Sums and means over rows."""

from __future__ import annotations

from torch import Tensor


def by_row(values: Tensor, live: Tensor, rows: Tensor, *, mean: bool) -> Tensor:
    """Give each token the sum of its row, or the mean over the tokens that count; other tokens must be 0."""
    count = int(rows.max()) + 1 if rows.numel() else 0
    totals = values.new_zeros(count).index_add(0, rows, values)
    if mean:
        totals = totals / values.new_zeros(count).index_add(0, rows, live.to(values.dtype)).clamp(min=1)
    return totals[rows]
