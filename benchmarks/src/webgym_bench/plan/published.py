"""The published benchmark table, and which of its numbers the model is fitted to.

Minutes for 1,800 trajectories of 13.2 steps on average on 24 H100s (arXiv 2601.02439), asynchronous and synchronous.
"""

from __future__ import annotations

import math

from webgym.records.base import Record
from webgym_bench.plan.costs import Costs, Farm, Way, Work, usual_reply
from webgym_bench.plan.fit import Target
from webgym_bench.plan.latency import Lognormal
from webgym_bench.plan.lengths import deal
from webgym_bench.plan.simulate import roll_out

ROWS = (
    Target(Farm(64, 128, 24), asynchronous=48.6, lockstep=264.0),
    Target(Farm(128, 256, 24), asynchronous=24.8, lockstep=125.0),
    Target(Farm(256, 256, 24), asynchronous=23.2, lockstep=99.4),
    Target(Farm(768, 256, 24), asynchronous=21.8, lockstep=92.4),
)
FITTED_ROW = 1
"""The only row used for fitting."""
WORK = Work(trajectories=1800, mean_length=13.2, shortest=2, longest=30, complete=0.95, grace=30.0)
"""The released settings abandon the last 5 % of attempts 30 seconds after the others end."""
IDLE_CPUS = 1 / math.sqrt(2 * 4)
"""Cores used by an idle page. The published rule is two browsers per CPU, and four are known to crash, so an idle page
uses between a quarter and a half of a CPU: this is the geometric mean."""
GIVEN = Costs(
    cpu=Lognormal(2.0, 0.5),
    idle_cpus=IDLE_CPUS,
    page_cores=2.0,
    page=Lognormal(5.0, 0.5, most=30.0),
    pause=1.6,
    reply=usual_reply(0.5),
    gpu_seconds=0.4,
)
"""Starting point of the fit, which replaces `cpu`, the median of `page` and every sigma. The rest is not fitted: page
timeout (30 seconds) and pauses are in the released code, replies are those of an 8B model on an H100."""
FITTED = Costs(
    cpu=Lognormal(1.931, 0.406),
    idle_cpus=IDLE_CPUS,
    page_cores=2.0,
    page=Lognormal(8.456, 0.406, most=30.0),
    pause=1.6,
    reply=usual_reply(0.406),
    gpu_seconds=0.4,
)
"""The result of fitting `GIVEN` to the fitted row; a test repeats the fit and compares."""


class Check(Record, frozen=True, omit_defaults=False):
    """One published number and its prediction."""

    farm: Farm
    way: Way
    published: float
    predicted: float
    fitted: bool

    @property
    def error(self) -> float:
        """Relative prediction error."""
        return self.predicted / self.published - 1


def check(costs: Costs = FITTED) -> tuple[Check, ...]:
    """Predict every row of the table, in both modes."""
    deck = deal(WORK)
    return tuple(
        Check(row.farm, way, minutes, roll_out(row.farm, costs, WORK, way, deck).minutes, number == FITTED_ROW)
        for number, row in enumerate(ROWS)
        for way, minutes in row.ways()
    )
