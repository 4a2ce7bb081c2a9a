"""A recorder that counts, and optionally forwards to another recorder."""

from __future__ import annotations

from collections.abc import Mapping

from webgym.records.trajectory import Attempt, Ending, Step
from webgym.stages import Recorder


class CountingRecorder:
    """Counts what is recorded and forwards it to `inner`, if there is one."""

    def __init__(self, inner: Recorder | None = None) -> None:
        self._inner = inner
        self.steps = 0
        self.endings = 0
        self.pictures = 0
        """Pictures recorded, counting repeats."""
        self.picture_bytes = 0

    async def begin(self, attempt: Attempt) -> None:
        if self._inner:
            await self._inner.begin(attempt)

    async def step(self, attempt: Attempt, step: Step, blobs: Mapping[str, bytes]) -> None:
        self.steps += 1
        self._count(blobs)
        if self._inner:
            await self._inner.step(attempt, step, blobs)

    async def end(self, attempt: Attempt, ending: Ending, blobs: Mapping[str, bytes]) -> None:
        self.endings += 1
        self._count(blobs)
        if self._inner:
            await self._inner.end(attempt, ending, blobs)

    def _count(self, blobs: Mapping[str, bytes]) -> None:
        self.pictures += len(blobs)
        self.picture_bytes += sum(map(len, blobs.values()))
