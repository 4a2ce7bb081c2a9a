"""Fits unknown costs to the measured duration of a workload."""

from __future__ import annotations

import math

import msgspec

from webgym.errors import ConfigError
from webgym.records.base import Record
from webgym_bench.plan.costs import Costs, Farm, Way, Work
from webgym_bench.plan.latency import Lognormal, mean_of
from webgym_bench.plan.lengths import deal
from webgym_bench.plan.simulate import roll_out

TAKEN = 0.9
"""CPU utilization of a farm that, by rule of thumb, has just enough CPUs."""
_ROUNDS = 40
_CLOSE = 0.002
_HASTE = 0.35
"""Fraction of the relative lockstep error applied to sigma per iteration."""


class Target(Record, frozen=True, omit_defaults=False):
    """Measured minutes of a workload on one farm."""

    farm: Farm
    asynchronous: float
    lockstep: float

    def ways(self) -> tuple[tuple[Way, float], ...]:
        return (("asynchronous", self.asynchronous), ("lockstep", self.lockstep))


def fit(given: Costs, work: Work, target: Target) -> Costs:
    """Fit three unknowns to one farm.

    CPU time of a page: from the steps per second and the assumption that this farm has just enough CPUs. Median of
    pages: from the asynchronous minutes, which follow the mean step. Sigma, common to CPU time, pages and replies: from
    the lockstep minutes, which follow the slowest step.

    Raises:
        ConfigError: No costs fit.
    """
    page, reply = given.page, given.reply
    if not isinstance(page, Lognormal) or not isinstance(reply, Lognormal):
        raise ConfigError("measured latencies cannot be fitted: give lognormal ones")
    deck = deal(work)
    rate = sum(map(len, deck.attempts)) / (60 * target.asynchronous)
    cpu = TAKEN * (target.farm.cpus - given.idle_cpus * target.farm.browsers) / rate
    median, sigma = page.median, page.sigma
    for _ in range(_ROUNDS):
        costs = msgspec.structs.replace(
            given,
            cpu=Lognormal(cpu * math.exp(-(sigma**2) / 2), sigma),
            page=Lognormal(median, sigma, page.most),
            reply=Lognormal(reply.median, sigma, reply.most),
        )
        short = target.asynchronous / roll_out(target.farm, costs, work, "asynchronous", deck).minutes - 1
        light = target.lockstep / roll_out(target.farm, costs, work, "lockstep", deck).minutes - 1
        if max(abs(short), abs(light)) < _CLOSE:
            return costs
        # Steps 10 % too short need pages longer by 10 % of a step.
        longer = short * costs.step_seconds / max(mean_of(costs.page), 1e-6)
        median = max(0.01, median * (1 + max(-0.5, min(1.0, longer))))
        sigma = max(0.0, sigma + _HASTE * max(-0.5, min(0.5, light)))
    raise ConfigError("no costs reproduce both the asynchronous and the lockstep time of this farm: check the numbers")
