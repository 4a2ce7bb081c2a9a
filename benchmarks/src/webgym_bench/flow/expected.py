"""What the scale model predicts for the same latencies on an otherwise idle machine."""

from __future__ import annotations

from dataclasses import dataclass

from webgym_bench.flow.conditions import Conditions
from webgym_bench.plan.costs import Costs, Farm, Training, Way, Work
from webgym_bench.plan.latency import Lognormal, measured
from webgym_bench.plan.simulate import train
from webgym_bench.rollouts.work import Work as Waits

_PLENTY = 10**6
_NOTHING = 1e-6
_UPDATES, _WARMUP = 40, 6
_DRAWS = 4000


@dataclass(frozen=True)
class Expected:
    """Modelled seconds per update."""

    asynchronous: float
    synchronous: float

    @property
    def async_over_sync(self) -> float:
        return round(self.synchronous / self.asynchronous, 3)


def expected(conditions: Conditions) -> Expected:
    """Simulate both modes with the latencies of the benchmark and unlimited CPUs and GPUs.

    The model does not limit concurrent replies: with fewer inference slots than browsers it is too optimistic.
    """
    latencies = conditions.latencies
    waits = Waits(latencies)
    costs = Costs(
        cpu=Lognormal(_NOTHING),
        idle_cpus=0.0,
        page_cores=1.0,
        page=measured([waits.page_seconds(number, 0) for number in range(_DRAWS)]),
        pause=0.0,
        reply=measured([waits.decision_seconds(number, 1) for number in range(_DRAWS)]),
        gpu_seconds=_NOTHING,
    )
    farm = Farm(_PLENTY, conditions.browsers, _PLENTY, trainer_gpus=1)
    work = Work(
        mean_length=latencies.mean_length,
        shortest=latencies.shortest,
        longest=latencies.longest,
        seed=latencies.seed,
    )
    training = Training(
        groups=conditions.groups,
        members=conditions.members,
        gpu_seconds=conditions.train_seconds / conditions.trajectories,
        refresh=conditions.refresh_seconds,
        # The model adds `refresh` to every restart, which already loads the weights.
        restart=max(0.0, conditions.restart_seconds - conditions.refresh_seconds),
        max_lag=conditions.max_lag,
        updates=_UPDATES,
        warmup=_WARMUP,
    )

    def seconds(way: Way) -> float:
        return round(60 * train(farm, costs, work, training, way).minutes / (_UPDATES - _WARMUP), 2)

    return Expected(seconds("asynchronous"), seconds("lockstep" if conditions.lockstep else "barrier"))
