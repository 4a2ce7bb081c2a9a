"""Limits to set, and what to buy next."""

from __future__ import annotations

import math
from collections.abc import Callable

import msgspec

from webgym.plan.costs import Costs, Farm
from webgym.plan.latency import mean_of
from webgym.plan.outcome import Outcome
from webgym.records.base import Record

_CPU_LOAD = 0.9
"""Above it a burst of pages at once has to wait."""
_SLOWER = 1.5
"""How much longer a reply may take than alone."""
_ROOM = 1.1
"""Above what was needed for 99 % of the time."""
_MORE = 1.25
_WORTH = 0.02


class Gates(Record, frozen=True, omit_defaults=False):
    """`[pool.gates]` of a run: at the start, and at most."""

    open: tuple[int, int]
    navigate: tuple[int, int]
    act: tuple[int, int]
    observe: tuple[int, int]
    infer: tuple[int, int]

    def toml(self) -> str:
        """To be put into a run's configuration."""
        rows = "\n".join(f"{name} = [{low}, {high}]" for name, (low, high) in msgspec.structs.asdict(self).items())
        return f"[pool.gates]\n{rows}"


class Advice(Record, frozen=True, omit_defaults=False):
    """For one farm."""

    browsers_per_cpu: float
    """Beyond it processors are what steps wait for; infinite if pages take none of their time."""
    browsers_per_cpu_most: float
    """At it open pages alone take every processor."""
    replies_per_gpu: float
    """At once; beyond it a reply takes half as long again as alone."""
    sessions_per_gpu: float
    """That keep a GPU so busy: they are at pages for most of the time."""
    gates: Gates
    gains: dict[str, float]
    """What a quarter more of each would give, as a share of the steps per minute."""
    bottleneck: str
    """Of those, what gives most; empty if nothing gives anything."""


def advise(farm: Farm, costs: Costs, found: Outcome, predict: Callable[[Farm], Outcome]) -> Advice:
    """From a prediction for this farm, and a way to predict others."""
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
    """Every gate has room for what the farm needs, and no more than it can carry."""
    attempts = found.trajectories / max(found.minutes * 60, 1e-9)
    first = mean_of(costs.cpu) / costs.page_cores + costs.pause + mean_of(costs.page)
    opening = max(1, math.ceil(_ROOM * attempts * first))
    # What happens for less than 1 % of the time still has to be let in.
    pages = max(1, min(farm.browsers, math.ceil(_ROOM * found.pages_at_once)))
    replies = max(1, min(farm.browsers, math.ceil(_ROOM * found.replies_at_once)))
    return Gates(
        open=(opening, max(opening, farm.browsers // 4)),
        navigate=(pages, farm.browsers),
        act=(pages, farm.browsers),
        observe=(opening, max(opening, farm.browsers // 4)),
        infer=(replies, farm.browsers),
    )
