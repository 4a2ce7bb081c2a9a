"""Computes the reported metrics of a training mode."""

from __future__ import annotations

from dataclasses import dataclass

from webgym.records.curve import Iteration, UpdateSummary
from webgym.records.observation import Viewport
from webgym_bench.flow.conditions import Conditions
from webgym_bench.flow.engine import Statistics
from webgym_bench.flow.stage import Log

_PATCH = 16
_FRAMES = 2
_COLOURS = 3
_FLOAT = 4


def fp32_bytes(viewport: Viewport) -> int:
    """Return the size of one screenshot as the fp32 tensor of a processor: 16 by 16 patches, each for two frames."""
    patches = (viewport.width // _PATCH) * (viewport.height // _PATCH)
    return patches * _PATCH * _PATCH * _FRAMES * _COLOURS * _FLOAT


@dataclass(frozen=True)
class Bytes:
    """Bytes sent between processes per step."""

    inference: float
    """To and from the inference process, pictures included."""
    training: float
    """To the trainer: the batch, and each picture once."""
    all: float
    fp32: int
    """What one step would send to the trainer if its screenshot travelled as an fp32 tensor."""
    fp32_over_all: float


@dataclass(frozen=True)
class Figures:
    """The metrics of one training mode, in modelled seconds and hours."""

    updates: int
    """Timed updates."""
    seconds: float
    seconds_per_update: float
    trajectories: int
    """Trajectories trained on."""
    trajectories_per_hour: float
    steps: int
    parts: dict[str, float]
    """Mean seconds per update by phase, as reported by the training loop."""
    lag_mean: float
    lag_max: int
    idle: dict[str, float]
    """Idle share of the browser slots, the inference slots and the trainer."""
    dropped: int
    """Groups dropped as too stale to train on."""
    bytes_per_step: Bytes


@dataclass(frozen=True)
class Split:
    """The speedup of asynchronous training as factors whose product is the total."""

    restarts: float
    """Gain from not stopping and restarting inference."""
    overlap: float
    """Gain from training while rollouts continue."""
    barrier: float
    """Gain from not waiting for an update's last attempt, less the cost of staleness."""


def figures(conditions: Conditions, log: Log, statistics: Statistics) -> Figures:
    """Compute the metrics of the updates after the warm-up."""
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
    """Split the speedup by removing the parts of a synchronous update one after the other."""
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


def _bytes(learned: list[UpdateSummary], statistics: Statistics) -> Bytes:
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
