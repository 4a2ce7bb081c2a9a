"""Predictions as tables for the terminal."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from rich.table import Table

from webgym_bench.plan.advise import Advice
from webgym_bench.plan.costs import Costs, Farm, Prices
from webgym_bench.plan.latency import Lognormal, mean_of
from webgym_bench.plan.outcome import Outcome
from webgym_bench.plan.published import Check


def _shared(value: float | None) -> str:
    return "-" if value is None else f"{value:.0%}"


_ROWS: tuple[tuple[str, Callable[[Outcome], str]], ...] = (
    ("minutes", lambda o: f"{o.minutes:.1f}"),
    ("steps per minute", lambda o: f"{o.steps_per_minute:,.0f}"),
    ("trajectories per hour", lambda o: f"{o.trajectories_per_hour:,.0f}"),
    ("browsers: at pages", lambda o: _shared(o.browsers_at_pages)),
    ("  waiting for replies", lambda o: _shared(o.browsers_at_replies)),
    ("  idle", lambda o: _shared(o.browsers_idle)),
    ("processors: load", lambda o: _shared(o.cpu_load)),
    ("  wait per step, mean and p95, s", lambda o: f"{o.cpu_waits.mean:.2f}, {o.cpu_waits.p95:.2f}"),
    ("inference: load", lambda o: _shared(o.gpu_load)),
    ("  idle", lambda o: _shared(o.gpus_idle)),
    ("  wait per step, mean and p95, s", lambda o: f"{o.gpu_waits.mean:.2f}, {o.gpu_waits.p95:.2f}"),
    ("trainer: idle", lambda o: _shared(o.trainer_idle)),
    ("lag, mean and max", lambda o: f"{o.lag.mean:.1f}, {o.lag.most}" if o.lag else "-"),
)


def predictions(found: Sequence[Outcome], prices: Prices) -> Table:
    """Tabulate one farm, with a column per mode."""
    farm = found[0].farm
    made = Table(title=_title(farm), title_justify="left")
    made.add_column("")
    for one in found:
        made.add_column(one.way, justify="right")
    for label, show in _ROWS:
        if any(show(one) != "-" for one in found):
            made.add_row(label, *(show(one) for one in found))
    made.add_row("cost per 1,000 trajectories", *(f"{cost(one, prices):,.2f}" for one in found))
    return made


def cost(found: Outcome, prices: Prices) -> float:
    """Return the cost of 1,000 trajectories."""
    return 1000 * prices.hour(found.farm) / found.trajectories_per_hour


def advised(advice: Advice) -> Table:
    """Tabulate the recommended limits and gains."""
    made = Table(title="Limits", title_justify="left", show_header=False)
    per_cpu = advice.browsers_per_cpu
    made.add_row("browsers per CPU", f"{per_cpu:.1f}" if per_cpu < math.inf else "no limit")
    if advice.browsers_per_cpu_most < math.inf:
        made.add_row("  hard maximum", f"{advice.browsers_per_cpu_most:.1f}")
    made.add_row("concurrent replies per GPU", f"{advice.replies_per_gpu:.1f}")
    made.add_row("sessions per GPU", f"{advice.sessions_per_gpu:.0f}")
    for name, gain in advice.gains.items():
        made.add_row(f"25 % more {name}", f"{gain:+.0%} steps per minute")
    made.add_row("bottleneck", advice.bottleneck or "none that more resources would relieve")
    return made


def checked(found: Sequence[Check]) -> Table:
    """Tabulate published numbers beside predictions."""
    made = Table(title="Minutes for 1,800 trajectories on 24 GPUs", title_justify="left")
    for name in ("CPUs", "browsers", "way", "published", "predicted", "error"):
        made.add_column(name, justify="left" if name == "way" else "right")
    for one in found:
        error = "fitted" if one.fitted else f"{one.error:+.1%}"
        farm = one.farm
        made.add_row(str(farm.cpus), str(farm.browsers), one.way, f"{one.published:.1f}", f"{one.predicted:.1f}", error)
    return made


def costs_told(costs: Costs) -> str:
    """Describe the costs, one line each."""

    def told(what: object) -> str:
        return f"median {what.median:.2f} s, sigma {what.sigma:.2f}" if isinstance(what, Lognormal) else "as measured"

    cpu = f"{mean_of(costs.cpu):.2f} CPU seconds ({told(costs.cpu)}) on up to {costs.page_cores:g} cores"
    page = f"then {mean_of(costs.page):.2f} s ({told(costs.page)}) and pauses of {costs.pause:g} s"
    return (
        f"a page: {cpu}, {page}\n"
        f"a reply: {mean_of(costs.reply):.2f} s alone ({told(costs.reply)}); at most {1 / costs.gpu_seconds:.1f} steps "
        f"per second per GPU\n"
        f"an open page: {costs.idle_cpus:.2f} cores"
    )


def _title(farm: Farm) -> str:
    trainer = f", {farm.trainer_gpus} training GPUs" if farm.trainer_gpus else ""
    return f"{farm.cpus} CPUs, {farm.browsers} browsers, {farm.gpus} GPUs{trainer}"
