"""Trainer and sampler of asynchronous training: loaded late, watched, metered, and published to until they answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import anyio

from webgym.errors import DeadlineError, PolicyUnavailable, TrainingError
from webgym.records.prompt import Completion, Prompt
from webgym.records.sample import PolicyVersion, TrainingResult
from webgym.records.trajectory import Attempt, Ending
from webgym.rollout.pool import Roll
from webgym.run.meter import Meter
from webgym.run.watch import Watch
from webgym.stages import Policy, Trainer, Weights

_PUBLISH_SECONDS = 600.0
"""Timeout for publishing weights, long enough for a sampler that died to restart."""
_PAUSE_SECONDS = 1.0


class WatchedTrainer:
    """A trainer that loads while the first rollouts run, as it is not needed before the first batch."""

    def __init__(self, inner: Trainer, prepare: Callable[[], Awaitable[None]], watch: Watch, meter: Meter) -> None:
        self._inner, self._prepare, self._watch, self._meter = inner, prepare, watch, meter
        self._ready = anyio.Event()

    async def get_ready(self) -> None:
        """Wait until the trainer is ready. An error ends the run early."""
        await self._prepare()
        self._ready.set()

    async def step(self, batch: Path, version: int, folder: Path) -> TrainingResult:
        with self._watch.during("the trainer"), self._meter.one():
            await self._ready.wait()
            return await self._inner.step(batch, version, folder)


@dataclass(frozen=True, slots=True)
class WatchedWeights:
    """A sampler to which weights are published again while it is restarted."""

    inner: Weights
    watch: Watch
    seconds: float = _PUBLISH_SECONDS

    async def rest(self) -> None:
        await self.inner.rest()

    async def publish(self, policy: PolicyVersion) -> None:
        """Publish new weights, retrying if the sampler dies meanwhile.

        Raises:
            TrainingError: The sampler did not accept them in time.
            ConfigError: The weights are unusable.
        """
        trouble = "it did not respond"
        with self.watch.during("publishing weights"), anyio.move_on_after(self.seconds):
            while True:
                try:
                    await self.inner.publish(policy)
                except (PolicyUnavailable, DeadlineError) as error:
                    trouble = str(error)
                else:
                    return
                await anyio.sleep(_PAUSE_SECONDS)
        raise TrainingError(
            f"weights of version {policy.version} were not loaded within {self.seconds:.0f} s: {trouble}"
        )


@dataclass(frozen=True, slots=True)
class MeteredPolicy:
    """A policy that measures its utilisation."""

    inner: Policy
    meter: Meter

    async def sample(self, prompt: Prompt, pictures: Mapping[str, bytes], *, affinity: str = "") -> Completion:
        with self.meter.one():
            return await self.inner.sample(prompt, pictures, affinity=affinity)


def metered(roll: Roll, meter: Meter) -> Roll:
    """Measure how many attempts are in progress."""

    async def one(attempt: Attempt) -> Ending:
        with meter.one():
            return await roll(attempt)

    return one
