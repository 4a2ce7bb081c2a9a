"""Renders a report as a table."""

from __future__ import annotations

from collections.abc import Callable

from rich.table import Table

from webgym_bench.rollouts.compare import PUBLISHED, Report
from webgym_bench.rollouts.conditions import Conditions
from webgym_bench.rollouts.figures import Figures

_BLOCKS = " ▁▂▃▄▅▆▇█"


def _lags(figures: Figures) -> str:
    if figures.lag_ms_p50 is None or figures.lag_ms_p99 is None:
        return "-"
    return f"{figures.lag_ms_p50:.1f}, {figures.lag_ms_p99:.1f}"


_ROWS: tuple[tuple[str, Callable[[Figures], str]], ...] = (
    ("seconds", lambda f: f"{f.seconds:.1f}"),
    ("steps per second", lambda f: f"{f.steps_per_second:.2f}"),
    ("  while all slots are in demand", lambda f: f"{f.steady_steps_per_second:.2f}"),
    ("slots: inferring", lambda f: f"{f.spent.inferring:.1%}"),
    ("  acting and observing", lambda f: f"{f.spent.acting:.1%}"),
    ("  judging and closing", lambda f: f"{f.spent.finishing:.1%}"),
    ("  in gates", lambda f: f"{f.spent.in_gates:.1%}"),
    ("  at step barriers", lambda f: f"{f.spent.at_step_barriers:.1%}"),
    ("  without an attempt", lambda f: f"{f.spent.without_attempt:.1%}"),
    ("  between operations", lambda f: f"{f.spent.between:.1%}"),
    ("slots busy over the run", lambda f: "".join(_BLOCKS[min(8, round(share * 8))] for share in f.busy)),
    ("event loop delay p50, p99, ms", _lags),
    ("peak memory, MB", lambda f: f"{f.peak_mb:.0f}"),
    ("CPU ms per step", lambda f: f"{f.cpu_ms_per_step:.2f}"),
    ("attempts, steps", lambda f: f"{f.attempts}, {f.steps}"),
    ("outcomes", lambda f: ", ".join(f"{name} {count}" for name, count in f.outcomes.items())),
    ("errors", lambda f: ", ".join(f"{name} {count}" for name, count in f.errors.items()) or "none"),
)


def table(report: Report) -> Table:
    """Render both modes side by side."""
    made = Table(
        title=_title(report.conditions), caption=_caption(report), title_justify="left", caption_justify="left"
    )
    made.add_column("")
    made.add_column("asynchronous", justify="right")
    made.add_column("lockstep", justify="right")
    for label, show in _ROWS:
        made.add_row(label, show(report.asynchronous), show(report.lockstep))
    return made


def _title(conditions: Conditions) -> str:
    time = "virtual time" if conditions.virtual else "real time"
    lengths = f"{conditions.shortest} to {conditions.longest} steps, {conditions.mean_length:g} on average"
    return (
        f"{conditions.attempts_open} of {conditions.attempts} attempts open, {conditions.browser} browser, {time}; "
        f"{lengths}; decisions {conditions.decision.mean:g} s, sigma {conditions.decision.sigma:g}, "
        f"{conditions.stragglers:.0%} stragglers of {conditions.straggler_seconds:g} s"
    )


def _caption(report: Report) -> str:
    ratio = (
        f"{report.async_over_lockstep:.2f}x lockstep over the whole run, "
        f"{report.async_over_lockstep_steady:.2f}x while all slots are in demand; "
        f"published: {PUBLISHED:g}x, under different conditions"
    )
    return ratio if report.same_work else f"{ratio}; NOT THE SAME WORK: the ratios are not valid"
