"""The results of a simulation."""

from __future__ import annotations

from collections.abc import Sequence

from webgym.records.base import Record
from webgym_bench.plan.costs import Costs, Farm, Way
from webgym_bench.plan.farm_stations import FarmStations
from webgym_bench.plan.latency import mean_of

_BUSIEST = 0.99


class Waits(Record, frozen=True, omit_defaults=False):
    """Delay of a step due to contention, in seconds."""

    mean: float
    p95: float


class Lag(Record, frozen=True, omit_defaults=False):
    """Number of updates between the weights that started an attempt and those trained on it."""

    mean: float
    most: int
    dropped: int
    """Groups discarded as too stale."""


class Outcome(Record, frozen=True, omit_defaults=False):
    """The results for one farm in one mode."""

    farm: Farm
    way: Way
    minutes: float
    trajectories: int
    steps: int
    steps_per_minute: float
    trajectories_per_hour: float
    browsers_at_pages: float
    """Share of the browsers' time; the three shares add up to 1."""
    browsers_at_replies: float
    browsers_idle: float
    """Share spent waiting for other attempts or the trainer, or without an attempt."""
    cpu_load: float
    """CPU utilization, idle pages included."""
    gpu_load: float
    """Utilization: share of the GPUs' maximum steps per second."""
    gpus_idle: float
    """Share of the GPUs' time without a reply to generate."""
    trainer_idle: float | None
    cpu_waits: Waits
    gpu_waits: Waits
    pages_at_once: int
    """99th percentile over time, as is `replies_at_once`."""
    replies_at_once: int
    lag: Lag | None = None


def outcome(
    stations: FarmStations,
    costs: Costs,
    way: Way,
    *,
    seconds: float,
    made: tuple[int, int],
    busy: float | None,
    lag: Lag | None,
) -> Outcome:
    """Compute the results from the state of the stations.

    `seconds`: measured time. `made`: trajectories and steps in it. `busy`: seconds of trainer work; None without one.
    """
    farm = stations.farm
    trajectories, steps = made
    # The stations count from the start; the measured time may exclude a warm-up.
    whole = max(stations.clock.now, 1e-9)
    browsers = farm.browsers * whole
    pages, replies = min(1.0, stations.spent.pages / browsers), stations.spent.replies / browsers
    working = len(stations.spent.cpu_waits) * mean_of(costs.cpu) / (farm.cpus * whole)
    return Outcome(
        farm=farm,
        way=way,
        minutes=seconds / 60,
        trajectories=trajectories,
        steps=steps,
        steps_per_minute=60 * steps / seconds,
        trajectories_per_hour=3600 * trajectories / seconds,
        browsers_at_pages=pages,
        browsers_at_replies=replies,
        browsers_idle=max(0.0, 1 - pages - replies),
        cpu_load=min(1.0, costs.idle_cpus * farm.browsers / farm.cpus + working),
        gpu_load=stations.steps * costs.gpu_seconds / (farm.gpus * whole),
        gpus_idle=stations.gpus.gauge.mean(lambda count: max(0.0, 1 - count / farm.gpus)),
        trainer_idle=None if busy is None else 1 - busy / seconds,
        cpu_waits=_waits(stations.spent.cpu_waits),
        gpu_waits=_waits(stations.spent.gpu_waits),
        pages_at_once=stations.loading.quantile(_BUSIEST),
        replies_at_once=stations.gpus.gauge.quantile(_BUSIEST),
        lag=lag,
    )


def _waits(seconds: Sequence[float]) -> Waits:
    if not seconds:
        return Waits(0.0, 0.0)
    ordered = sorted(max(0.0, one) for one in seconds)
    return Waits(sum(ordered) / len(ordered), ordered[int(0.95 * (len(ordered) - 1))])
