"""What the unknown costs must be for a farm to take as long as it took."""

from __future__ import annotations

import math

import msgspec

from webgym.errors import ConfigError
from webgym.plan.costs import Costs, Farm, Way, Work
from webgym.plan.latency import Lognormal, mean_of
from webgym.plan.lengths import deal
from webgym.plan.simulate import roll_out
from webgym.records.base import Record

TAKEN = 0.9
"""Share of the processors that is taken where a rule of thumb says that there are just enough of them."""
_ROUNDS = 40
_CLOSE = 0.002
_HASTE = 0.35
"""How much of a relative error of lockstep goes into sigma at once."""


class Target(Record, frozen=True, omit_defaults=False):
    """Minutes that a farm took for its work."""

    farm: Farm
    asynchronous: float
    lockstep: float

    def ways(self) -> tuple[tuple[Way, float], ...]:
        return (("asynchronous", self.asynchronous), ("lockstep", self.lockstep))


def fit(given: Costs, work: Work, target: Target) -> Costs:
    """Three unknowns from one farm.

    The processor time of a page: from the steps per second and the rule that this farm has just enough processors. The
    median of pages: from the asynchronous minutes, which follow the mean of a step. The tail, the same for processor
    time, pages and replies: from the minutes in lockstep, which follow the slowest of all.

    Raises:
        ConfigError: There are no such costs.
    """
    page, reply = given.page, given.reply
    if not isinstance(page, Lognormal) or not isinstance(reply, Lognormal):
        raise ConfigError("what was measured is not fitted")
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
        # A step that is too short by a tenth needs pages that are longer by a tenth of a step.
        longer = short * costs.step_seconds / max(mean_of(costs.page), 1e-6)
        median = max(0.01, median * (1 + max(-0.5, min(1.0, longer))))
        sigma = max(0.0, sigma + _HASTE * max(-0.5, min(0.5, light)))
    raise ConfigError("no costs were found with which this farm takes that long both ways: is a number wrong?")
