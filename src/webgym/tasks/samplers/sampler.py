"""Task samplers: reproducible by seed, resumable from a small state, without overlap between workers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec
import numpy as np

from webgym.errors import ConfigError, TaskSetError
from webgym.records.base import Record
from webgym.tasks.samplers.informative import Values, weights_of
from webgym.tasks.samplers.pool import Mask, TaskPool
from webgym.tasks.samplers.streams import BalancedStream, Stream, Uniform
from webgym.tasks.similarity.shingles import Places
from webgym.tasks.split.make import largest_remainders

Kind = Literal["uniform", "ratio", "balanced", "adaptive"]
Estimates = tuple[Values, Values]
"""Successes and failures of each task in the pool."""
_LEVELS = {"easy": 1, "medium": 2, "hard": 3}
_EDGES = (1, 4, 7)
_LEAST = 0.02
"""Minimum weight of a task, relative to a maximally informative one: hopeless tasks may become solvable."""


class TaskSampling(Record, frozen=True):
    """How tasks are drawn."""

    kind: Kind = "uniform"
    seed: int = 0
    worker: int = 0
    workers: int = 1
    ratio: dict[str, float] = {}
    """For `ratio`: the share of each level, such as easy 5, medium 3, hard 2."""
    group: int = 8
    """For `adaptive`: number of attempts per task."""


class SamplerState(Record, frozen=True, omit_defaults=False):
    """The complete state of a sampler, sufficient to resume it."""

    sampling: TaskSampling
    fingerprint: str
    drawn: int = 0
    """Number of draws so far."""
    positions: tuple[int, ...] = ()
    """Position of this worker in each stream."""


class PoolSampler:
    """Draws tasks from a pool."""

    def __init__(self, pool: TaskPool, sampling: TaskSampling, state: SamplerState | None = None) -> None:
        """Start afresh, or resume from a state.

        Raises:
            ConfigError: The settings are invalid.
            TaskSetError: The state belongs to another pool or other settings.
        """
        if not 0 <= sampling.worker < sampling.workers:
            raise ConfigError(f"worker must be 0 to {sampling.workers - 1}, not {sampling.worker}")
        self._pool, self._sampling = pool, sampling
        self._levels = np.digitize(pool.difficulty, _EDGES).astype(np.int64)
        self._streams = self._open()
        if state is not None and (state.fingerprint != pool.fingerprint or state.sampling != sampling):
            raise TaskSetError("this sampler state belongs to other tasks or sampling settings: start a new one")
        self._drawn = state.drawn if state else 0
        self._positions = list(state.positions) if state else [0] * len(self._streams)

    def draw(self, count: int, *, without: Mask | None = None, estimates: Estimates | None = None) -> Places:
        """Draw `count` distinct tasks as indices into the pool; fewer only if there are not enough.

        `without`: tasks to exclude for now. `estimates`: past outcomes of each task, for `adaptive`.
        """
        match self._sampling.kind:
            case "adaptive":
                found = self._informative(count, without, estimates)
            case "ratio":
                shares = largest_remainders(list(self._ratio().values()), count)
                parts = [self._read(number, share, without) for number, share in enumerate(shares)]
                found = self._shuffled(np.concatenate(parts))
            case "balanced":
                found = self._balanced(count, without)
            case "uniform":
                found = self._read(0, count, without)
        self._drawn += 1
        return found

    def most(self, without: Mask | None = None) -> int:
        """Return how many distinct tasks one draw can yield while keeping the ratio, if there is one."""
        there = ~without if without is not None else np.ones(len(self._pool), bool)
        if self._sampling.kind != "ratio":
            return int((self._mine() & there).sum())
        ratio = self._ratio()
        whole = sum(ratio.values())
        found = {level: int((there & (self._levels == _LEVELS[level])).sum()) for level in ratio}
        return int(min(found[level] * whole / share for level, share in ratio.items()))

    def state(self) -> SamplerState:
        """Return the current state."""
        return SamplerState(self._sampling, self._pool.fingerprint, self._drawn, tuple(self._positions))

    def _open(self) -> list[Stream]:
        seed = self._sampling.seed
        everything = np.arange(len(self._pool), dtype=np.int64)
        match self._sampling.kind:
            case "uniform":
                return [Uniform(everything, (seed,))]
            case "balanced":
                return [BalancedStream(self._pool.site, (seed,))]
            case "ratio":
                return [Uniform(self._of_level(level), (seed, _LEVELS[level])) for level in self._ratio()]
            case "adaptive":
                return []

    def _ratio(self) -> Mapping[str, float]:
        ratio = self._sampling.ratio
        if not ratio or set(ratio) - set(_LEVELS) or min(ratio.values()) < 0 or not sum(ratio.values()):
            raise ConfigError(f"a ratio gives the shares of {', '.join(_LEVELS)}, such as easy=5,medium=3,hard=2")
        return {level: share for level, share in ratio.items() if share}

    def _of_level(self, level: str) -> Places:
        found = np.flatnonzero(self._levels == _LEVELS[level]).astype(np.int64)
        if not len(found):
            raise ConfigError(f"there are no {level} tasks to draw from")
        return found

    def _read(self, number: int, count: int, without: Mask | None) -> Places:
        """Read a stream until there are enough distinct tasks that are not excluded."""
        stream, workers, worker = self._streams[number], self._sampling.workers, self._sampling.worker
        if self._sampling.kind == "balanced":  # all workers read the same positions, and each keeps its own tasks
            workers, worker = 1, 0
        found: dict[int, None] = {}
        most = -(-len(self._pool) // workers) + 2 * stream.cycle
        read = 0
        while len(found) < count and read < most:
            want = max(64, count - len(found))
            positions = (self._positions[number] + np.arange(want)) * workers + worker
            for step, place in enumerate(map(int, stream.at(positions)), start=1):
                if without is None or not without[place]:
                    found.setdefault(place)
                if len(found) == count or step == want:
                    self._positions[number] += step
                    read += step
                    break
        return np.fromiter(found, np.int64, len(found))

    def _balanced(self, count: int, without: Mask | None) -> Places:
        """Draw round-robin over websites; what a bounded number of rounds misses on large ones is appended at random.

        Tasks are partitioned among workers, because a website with a single task yields the same one in every round.
        """
        mine = self._mine() if without is None else self._mine() & ~without
        found = self._read(0, count, ~mine)
        if len(found) == count:
            return found
        mine[found] = False
        rest = np.random.default_rng((self._sampling.seed, len(self._pool))).permutation(np.flatnonzero(mine))
        return np.concatenate((found, rest[: count - len(found)])).astype(np.int64)

    def _informative(self, count: int, without: Mask | None, estimates: Estimates | None) -> Places:
        """Draw without replacement by weight: the smallest exponential variates win."""
        size = len(self._pool)
        won, lost = estimates or (np.zeros(size), np.zeros(size))
        weights = weights_of(won, lost, self._levels, self._sampling.group)
        mine = self._mine() & (~without if without is not None else True)
        places = np.flatnonzero(mine).astype(np.int64)
        rng = np.random.default_rng((self._sampling.seed, self._drawn))
        waits = (rng.exponential(size=size) / np.maximum(weights, _LEAST))[places]
        if count < len(places):
            chosen = np.argpartition(waits, count)[:count]
            places, waits = places[chosen], waits[chosen]
        return places[np.argsort(waits, kind="stable")]

    def _mine(self) -> Mask:
        """Return a mask of this worker's own tasks, so that no task is drawn by two workers."""
        if self._sampling.workers == 1:
            return np.ones(len(self._pool), bool)
        shuffled = np.random.default_rng(self._sampling.seed).permutation(len(self._pool))
        return shuffled % self._sampling.workers == self._sampling.worker

    def _shuffled(self, places: Places) -> Places:
        return np.random.default_rng((self._sampling.seed, self._sampling.worker, self._drawn)).permutation(places)


def shares_of(text: str) -> dict[str, float]:
    """Parse a ratio: `easy=5,medium=3,hard=2`.

    Raises:
        ConfigError: It is malformed.
    """
    try:
        pairs = (pair.partition("=") for pair in text.split(","))
        return {level.strip(): float(share) for level, _, share in pairs}
    except ValueError:
        raise ConfigError(f"ratio {text!r}: write easy=5,medium=3,hard=2") from None


def hardest_first(pool: TaskPool, places: Places) -> Places:
    """Sort tasks by decreasing difficulty, so that the longest do not start last."""
    return places[np.argsort(-pool.difficulty[places], kind="stable")]


def in_groups(places: Places, size: int) -> Places:
    """Repeat each task `size` times in a row: a group of attempts."""
    return np.repeat(places, size)


def read_state(data: bytes) -> SamplerState:
    """Decode a state from JSON.

    Raises:
        TaskSetError: It is damaged.
    """
    try:
        return msgspec.json.decode(data, type=SamplerState)
    except msgspec.DecodeError as error:
        raise TaskSetError(f"the state of the sampler cannot be read: {error}") from error
