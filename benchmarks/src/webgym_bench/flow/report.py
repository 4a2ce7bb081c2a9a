"""Renders a report as a table."""

from __future__ import annotations

from collections.abc import Callable

from rich.table import Table

from webgym_bench.flow.compare import PUBLISHED, Report
from webgym_bench.flow.conditions import Conditions
from webgym_bench.flow.figures import Figures

_ROWS: tuple[tuple[str, Callable[[Figures], str]], ...] = (
    ("trajectories per hour", lambda f: f"{f.trajectories_per_hour:,.0f}"),
    ("seconds per update", lambda f: f"{f.seconds_per_update:.1f}"),
    ("  of which", lambda f: ", ".join(f"{name} {value:.1f}" for name, value in f.parts.items() if value >= 0.05)),
    ("updates, trajectories, steps", lambda f: f"{f.updates}, {f.trajectories}, {f.steps}"),
    ("lag, mean and max", lambda f: f"{f.lag_mean:.2f}, {f.lag_max}"),
    ("groups dropped as stale", lambda f: str(f.dropped)),
    ("idle: browsers", lambda f: f"{f.idle['browser']:.0%}"),
    ("  inference", lambda f: f"{f.idle['inference']:.0%}"),
    ("  trainer", lambda f: f"{f.idle['trainer']:.0%}"),
    ("KB per step: inference", lambda f: f"{f.bytes_per_step.inference / 1000:.0f}"),
    ("  training", lambda f: f"{f.bytes_per_step.training / 1000:.0f}"),
)


def table(report: Report) -> Table:
    """Render both modes side by side."""
    made = Table(
        title=_title(report.conditions), caption=_caption(report), title_justify="left", caption_justify="left"
    )
    made.add_column("")
    made.add_column("asynchronous", justify="right")
    made.add_column("synchronous", justify="right")
    for label, show in _ROWS:
        made.add_row(label, show(report.asynchronous), show(report.synchronous))
    return made


def _title(conditions: Conditions) -> str:
    latencies, learn = conditions.latencies, conditions.train_seconds
    return (
        f"{conditions.groups} groups of {conditions.members} per update, {conditions.browsers} browsers; "
        f"{latencies.shortest} to {latencies.longest} steps; {learn:g} s per training step, "
        f"{conditions.restart_seconds:g} s to restart inference; 1 s is simulated in {conditions.scale:g} s"
    )


def _caption(report: Report) -> str:
    parts, sizes = report.split, report.asynchronous.bytes_per_step
    less = f"{sizes.fp32_over_all:.0f} times less than its screenshot as an fp32 tensor"
    return (
        f"{report.async_over_sync:.2f}x synchronous = restarts {parts.restarts:.2f} x overlap {parts.overlap:.2f} x "
        f"barrier {parts.barrier:.2f}; expected by the scale model on an idle machine: "
        f"{report.expected.async_over_sync:.2f}x; published: {PUBLISHED:g}x, under different conditions. A step sends "
        f"{sizes.all / 1000:.0f} KB between processes, {less}"
    )
