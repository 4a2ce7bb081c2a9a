"""From what was timed to the figures that are reported."""

from __future__ import annotations

from dataclasses import dataclass

from webgym.bench.flow.conditions import Conditions
from webgym.bench.flow.engine import Statistics
from webgym.bench.flow.stage import Log
from webgym.records.curve import Iteration, Learned
from webgym.records.observation import Viewport

_PATCH = 16
_FRAMES = 2
_COLOURS = 3
_FLOAT = 4


def fp32_bytes(viewport: Viewport) -> int:
    """Of one screenshot as the tensor that a processor makes of it: patches of 16 by 16 pixels, each twice in time."""
    patches = (viewport.width // _PATCH) * (viewport.height // _PATCH)
    return patches * _PATCH * _PATCH * _FRAMES * _COLOURS * _FLOAT


@dataclass(frozen=True)
class Bytes:
    """Across processes, for each step."""

    inference: float
    """To and from the process that answers, pictures included."""
    training: float
    """To the process that learns: the batch, and each picture once."""
    all: float
    fp32: int
    """If the picture of a step went to the trainer as a tensor instead."""
    fp32_over_all: float


@dataclass(frozen=True)
class Figures:
    """One way of training. Seconds and hours are those of the thing that is modelled."""

    updates: int
    """That were timed."""
    seconds: float
    seconds_per_update: float
    trajectories: int
    """Learned from."""
    trajectories_per_hour: float
    steps: int
    parts: dict[str, float]
    """Where an update's seconds went, as its own loop tells."""
    lag_mean: float
    lag_max: int
    idle: dict[str, float]
    """Shares of the slots of browsers, of inference and of the trainer."""
    dropped: int
    """Groups that were too old to learn from."""
    bytes_per_step: Bytes


@dataclass(frozen=True)
class Split:
    """What asynchronous training gains, as factors. Their product is the whole."""

    restarts: float
    """By not stopping and starting inference."""
    overlap: float
    """By learning while rollouts go on."""
    barrier: float
    """By not waiting for the last attempt of an update; less what staleness costs."""


def figures(conditions: Conditions, log: Log, statistics: Statistics) -> Figures:
    """Of the updates after the warm-up."""
    times = {one.iteration: at for at, one in log.iterations}
    timed = [one for _, one in log.iterations if one.iteration > log.warmup]
    seconds = (times[timed[-1].iteration] - times[log.warmup]) / conditions.scale
    learned = [one.learned for one in timed if one.learned]
    trajectories = round(sum(one.figures["trajectories"] for one in learned))
    flows = [one.flow for one in timed if one.flow]
    return Figures(
        updates=len(timed),
        seconds=round(seconds, 2),
        seconds_per_update=round(seconds / len(timed), 2),
        trajectories=trajectories,
        trajectories_per_hour=round(3600 * trajectories / seconds, 1),
        steps=sum(one.rows for one in learned),
        parts=_parts(timed, conditions.scale),
        lag_mean=round(sum(one.lag_mean for one in flows) / max(1, len(flows)), 3),
        lag_max=max((one.lag_max for one in flows), default=0),
        idle={name: round(share, 3) for name, share in log.idle.items()},
        dropped=sum(one.fates.get("stale", 0) for one in learned),
        bytes_per_step=_bytes(learned, statistics),
    )


def split(sync: Figures, asynchronous: Figures) -> Split:
    """From the parts of a synchronous update: what is left when one after the other is taken away."""
    restarts = sync.parts.get("sleep", 0.0) + sync.parts.get("wake", 0.0)
    learn = sync.parts.get("learn", 0.0)
    whole = sync.seconds_per_update
    alone = whole - restarts
    longest = max(alone - learn, learn)
    return Split(
        restarts=round(whole / alone, 3),
        overlap=round(alone / longest, 3),
        barrier=round(longest / asynchronous.seconds_per_update, 3),
    )


def _parts(timed: list[Iteration], scale: float) -> dict[str, float]:
    names = dict.fromkeys(name for one in timed for name in one.seconds)
    return {name: round(sum(one.seconds.get(name, 0.0) for one in timed) / len(timed) / scale, 2) for name in names}


def _bytes(learned: list[Learned], statistics: Statistics) -> Bytes:
    inference = (statistics.received + statistics.sent) / max(1, statistics.requests)
    sent = sum(one.figures["batch_bytes"] + one.figures["picture_bytes"] for one in learned)
    training = sent / max(1, sum(one.rows for one in learned))
    tensor = fp32_bytes(Viewport())
    return Bytes(
        round(inference),
        round(training),
        round(inference + training),
        tensor,
        round(tensor / (inference + training), 1),
    )
