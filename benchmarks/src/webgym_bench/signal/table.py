"""Renders a report as a table."""

from __future__ import annotations

from rich.table import Table

from webgym_bench.signal.measure import Report


def table(report: Report) -> Table:
    """Render one row per weighting of tokens."""
    made = Table(
        "damping",
        "negative",
        "signal",
        "standard error",
        "worth",
        title=f"Common gradient signal: {report.groups} of {report.mixed} groups with successes and failures",
        caption="signal: share of a group's squared gradient; worth: signal relative to the first row",
        title_justify="left",
        caption_justify="left",
    )
    first = report.signals[0].share
    for one in report.signals:
        worth = f"{one.share / first:.1f}x" if first > 0 else ""
        made.add_row(f"{one.damping:g}", f"{one.negative:g}", f"{one.share:+.4f}", f"{one.error:.4f}", worth)
    return made
