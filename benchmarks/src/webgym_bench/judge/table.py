"""Renders a comparison as a table."""

from __future__ import annotations

from rich.table import Table

from webgym_bench.judge.compare import Comparison, Measured


def table(found: Comparison) -> Table:
    """Render both judges side by side."""
    shown = Table("", "ours", "published", "ratio", box=None)
    n = len(found.ours.truth)

    def row(name: str, of: str, unit: float = 1.0) -> None:
        ours, published = (getattr(one, of) / n / unit for one in (found.ours, found.published))
        shown.add_row(name, f"{ours:,.1f}", f"{published:,.1f}", f"{ours / published:.2f}")

    row("requests per attempt", "calls")
    row("screenshots sent", "pictures")
    row("screenshots sent, KB", "picture_bytes", 1000)
    difference = found.difference
    shown.add_row(
        "correct",
        _right(found.ours),
        _right(found.published),
        f"{difference.estimate:+.1%} ({difference.low:+.1%} to {difference.high:+.1%})",
    )
    shown.add_row(f"{n} attempts, {found.steps:.1f} screenshots and {found.facts:.1f} facts each", "", "", "")
    return shown


def _right(one: Measured) -> str:
    return f"{sum(one.right.values()) / len(one.right):.1%}"
