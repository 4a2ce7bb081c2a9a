"""Renders a report as a table."""

from __future__ import annotations

from collections.abc import Callable

from rich.table import Table

from webgym_bench.figures import Figures
from webgym_bench.sessions import Report

_ROWS: tuple[tuple[str, Callable[[Figures], str]], ...] = (
    ("steps per second", lambda f: f"{f.steps_per_second:.2f}"),
    ("CPU ms per step", lambda f: f"{f.cpu_ms_per_step:.0f}"),
    ("  by kind of process", lambda f: "\n".join(f"{name} {ms:.0f}" for name, ms in f.cpu_ms_by.items() if ms >= 1)),
    ("memory per session, MB", lambda f: f"{f.pss_mb_per_session:.0f}"),
    ("client process, MB", lambda f: f"{f.pss_mb_client:.0f}"),
    ("step p50, ms", lambda f: f"{f.p50_ms:.0f}"),
    ("step p95, ms", lambda f: f"{f.p95_ms:.0f}"),
    ("open p50, ms", lambda f: f"{f.open_p50_ms:.0f}"),
    ("close p50, ms", lambda f: f"{f.close_p50_ms:.0f}"),
    ("screenshot, KB", lambda f: f"{f.bytes_per_step / 1000:.0f}"),
    ("wrong states", lambda f: _counts(f.wrong_states, f.wrong_by)),
    ("failures", lambda f: _counts(f.failures, f.failures_by)),
    ("steps", lambda f: f"{f.steps}"),
    ("CPU used by other processes", lambda f: f"{f.busy_elsewhere:.0%}"),
)


def table(report: Report) -> Table:
    """Render one column per system."""
    columns = {report.plan.system: report.ours}
    if report.png:
        columns[f"{report.plan.system}, png"] = report.png
    columns |= report.others
    made = Table(title=_title(report), caption=_caption(report), title_justify="left", caption_justify="left")
    made.add_column("")
    for name in columns:
        made.add_column(name, justify="right")
    for label, show in _ROWS:
        made.add_row(label, *(show(one) for one in columns.values()))
    return made


def _title(report: Report) -> str:
    conditions = report.plan.conditions
    return f"{conditions.sessions} sessions, {conditions.episodes} episodes each, {conditions.format}"


def _caption(report: Report) -> str:
    ratios: list[str] = []
    if report.speedup is not None:
        ratios.append(f"{report.speedup:.2f}x the steps per second of the published sequence on {report.baseline}")
    if report.cpu_over_cdp is not None:
        ratios.append(f"{report.cpu_over_cdp:.2f}x the CPU of bare CDP")
    if report.cpu_over_other is not None:
        ratios.append(f"{report.cpu_over_other:.2f}x the CPU of the other browser")
    return "; ".join(ratios)


def _counts(total: int, by: dict[str, int]) -> str:
    return f"{total} ({', '.join(f'{name} {count}' for name, count in by.items())})" if by else f"{total}"
