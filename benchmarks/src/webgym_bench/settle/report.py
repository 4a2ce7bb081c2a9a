"""Renders a report as a table."""

from __future__ import annotations

from collections.abc import Callable

from rich.table import Table

from webgym_bench.settle.compare import Report, Result
from webgym_bench.settle.pace import Pace

_CHECKS: tuple[tuple[str, Callable[[Result], object]], ...] = (
    ("pictures looked at again", lambda one: one.checked),
    ("  unfinished", lambda one: one.verdicts["unfinished"]),
    ("    and said so", lambda one: one.unfinished_told),
    ("  passing", lambda one: one.verdicts["passing"]),
    ("  moving", lambda one: one.verdicts["moving"]),
    ("not settled in time", lambda one: one.unsettled),
    ("on another page", lambda one: one.astray),
    ("failures", lambda one: sum(one.failures.values()) + sum(pace.failures for pace in one.paces)),
)
_PACES: tuple[tuple[str, Callable[[Pace], str]], ...] = (
    ("steps per second", lambda one: f"{one.steps_per_second:.2f}"),
    ("picture p50 / p95, ms", lambda one: f"{one.p50_ms:.0f} / {one.p95_ms:.0f}"),
    ("CPU ms per step", lambda one: f"{one.cpu_ms_per_step:.0f}"),
)


def table(report: Report) -> Table:
    """Render one column per system."""
    made = Table(title=_title(report), caption=_caption(report), title_justify="left", caption_justify="left")
    made.add_column("")
    for name in report.results:
        made.add_column(name, justify="right")
    results = list(report.results.values())
    for label, show in _CHECKS:
        made.add_row(label, *(str(show(one)) for one in results))
    for paces in zip(*(one.paces for one in results), strict=True):
        made.add_section()
        sessions = f"{paces[0].sessions} session" + ("s" if paces[0].sessions > 1 else "")
        made.add_row(f"{paces[0].kind}, {sessions}")
        for label, show in _PACES:
            made.add_row(f"  {label}", *(show(one) for one in paces))
    return made


def _title(report: Report) -> str:
    conditions = report.conditions
    return f"{', '.join(conditions.urls)}: {sum(report.steps.values())} steps, {conditions.sessions} sessions"


def _caption(report: Report) -> str:
    return "\n".join(
        f"steps per second over {name}: " + "; ".join(f"{what}: {ratio:.2f}x" for what, ratio in found.items())
        for name, found in report.ratios.items()
    )
