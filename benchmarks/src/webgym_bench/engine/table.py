"""Renders a report as a table."""

from __future__ import annotations

from rich.table import Table

from webgym_bench.engine.compare import Report


def table(report: Report) -> Table:
    """Render one column per side."""
    conditions = report.conditions
    made = Table(
        title=f"{conditions.prompts} prompts at once, {conditions.requests} requests each, {conditions.dtype}",
        caption=f"{report.ratio:.2f}x the tokens per second of batched generate, median of {conditions.rounds} rounds",
        title_justify="left",
        caption_justify="left",
    )
    for name in ("", "engine", "generate"):
        made.add_column(name, justify="right" if name else "left")
    sides = (report.engine, report.generate)
    made.add_row("tokens per second", *(f"{side.tokens_per_second:.0f}" for side in sides))
    made.add_row("CPU ms per token", *(f"{side.cpu_ms_per_token:.2f}" for side in sides))
    made.add_row("reply p50, s", *(f"{side.latency_p50:.2f}" for side in sides))
    made.add_row("reply p95, s", *(f"{side.latency_p95:.2f}" for side in sides))
    made.add_row("requests", *(str(side.requests) for side in sides))
    return made
