"""Recommended limits, and which resource to add next."""

from __future__ import annotations

import math
from collections.abc import Callable

import msgspec

from webgym.records.base import Record
from webgym_bench.plan.costs import Costs, Farm
from webgym_bench.plan.latency import mean_of
from webgym_bench.plan.outcome import Outcome

_CPU_LOAD = 0.9
"""CPU utilization above which a burst of page loads has to queue."""
_SLOWER = 1.5
"""Acceptable slowdown of a reply, relative to an idle GPU."""
_ROOM = 1.1
"""Headroom over the 99th percentile of the demand."""
_MORE = 1.25
_WORTH = 0.02


class Gates(Record, frozen=True, omit_defaults=False):
    """`[pool.gates]` of a run: each gate's initial and maximum size."""

    open: tuple[int, int]
    navigate: tuple[int, int]
    act: tuple[int, int]
    observe: tuple[int, int]
    infer: tuple[int, int]

    def toml(self) -> str:
        """Return the table for a run's configuration."""
        rows = "\n".join(f"{name} = [{low}, {high}]" for name, (low, high) in msgspec.structs.asdict(self).items())
        return f"[pool.gates]\n{rows}"


class Advice(Record, frozen=True, omit_defaults=False):
    """Recommendations for one farm."""

    browsers_per_cpu: float
    """Beyond it, steps wait for CPUs; infinite if pages use no CPU time."""
    browsers_per_cpu_most: float
    """Limit at which idle pages alone use up all CPUs."""
    replies_per_gpu: float
    """Concurrent replies; beyond it, a reply takes 1.5 times as long as on an idle GPU."""
    sessions_per_gpu: float
    """Sessions that keep one GPU this busy; most of their time is spent on pages."""
    gates: Gates
    gains: dict[str, float]
    """Relative gain in steps per minute from 25 % more of each resource."""
    bottleneck: str
    """The resource with the largest gain; empty if no gain is worth it."""


def advise(farm: Farm, costs: Costs, found: Outcome, predict: Callable[[Farm], Outcome]) -> Advice:
    """Derive recommendations from a prediction for this farm, and from predictions for larger ones."""
    step, reply = costs.step_seconds, mean_of(costs.reply)
    at_once = 1 + (_SLOWER - 1) * reply / costs.gpu_seconds
    most = 1 / costs.idle_cpus if costs.idle_cpus else math.inf
    cores = costs.idle_cpus + mean_of(costs.cpu) / step
    gains = {
        name: predict(more).steps_per_minute / found.steps_per_minute - 1 for name, more in _larger(farm, most).items()
    }
    best = max(gains, key=lambda name: gains[name])
    return Advice(
        browsers_per_cpu=_CPU_LOAD / cores if cores else math.inf,
        browsers_per_cpu_most=most,
        replies_per_gpu=at_once,
        sessions_per_gpu=at_once * (step + (_SLOWER - 1) * reply) / (_SLOWER * reply),
        gates=_gates(farm, costs, found),
        gains=gains,
        bottleneck=best if gains[best] > _WORTH else "",
    )


def _larger(farm: Farm, most: float) -> dict[str, Farm]:
    def more(count: int) -> int:
        return math.ceil(count * _MORE)

    found = {
        "cpus": msgspec.structs.replace(farm, cpus=more(farm.cpus)),
        "gpus": msgspec.structs.replace(farm, gpus=more(farm.gpus)),
    }
    if farm.trainer_gpus:
        found["trainer gpus"] = msgspec.structs.replace(farm, trainer_gpus=more(farm.trainer_gpus))
    if more(farm.browsers) < most * farm.cpus:
        found["browsers"] = msgspec.structs.replace(farm, browsers=more(farm.browsers))
    return found


def _gates(farm: Farm, costs: Costs, found: Outcome) -> Gates:
    """Give every gate room for what the farm needs, but no more than it can sustain."""
    attempts = found.trajectories / max(found.minutes * 60, 1e-9)
    first = mean_of(costs.cpu) / costs.page_cores + costs.pause + mean_of(costs.page)
    opening = max(1, math.ceil(_ROOM * attempts * first))
    # Headroom, because demand exceeds the 99th percentile at times.
    pages = max(1, min(farm.browsers, math.ceil(_ROOM * found.pages_at_once)))
    replies = max(1, min(farm.browsers, math.ceil(_ROOM * found.replies_at_once)))
    return Gates(
        open=(opening, max(opening, farm.browsers // 4)),
        navigate=(pages, farm.browsers),
        act=(pages, farm.browsers),
        observe=(opening, max(opening, farm.browsers // 4)),
        infer=(replies, farm.browsers),
    )
