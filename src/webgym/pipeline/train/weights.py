"""The engine while its policy learns: put to sleep, and given new weights."""

from __future__ import annotations

from webgym.engine.process import EngineProcess
from webgym.errors import TrainingError
from webgym.records.sample import PolicyVersion

_LEFT_ASLEEP = 2 << 30
"""Bytes that a sleeping engine may still hold on a GPU: its context, not its weights."""


class EngineWeights:
    """Tells an engine what to sample from: the `Weights` of training on one machine."""

    def __init__(self, engine: EngineProcess) -> None:
        self._engine = engine
        self._resting = False

    async def rest(self) -> None:
        """Give memory back, and check that it is free.

        Raises:
            TrainingError: It is not.
        """
        state = await self._engine.sleep()
        self._resting = True
        if not state.asleep or state.model_bytes or state.device_bytes > _LEFT_ASLEEP:
            held = max(state.model_bytes, state.device_bytes) / 1e9
            raise TrainingError(f"the engine sleeps and still holds {held:.1f} GB: there may be no room to train")

    async def publish(self, policy: PolicyVersion) -> None:
        """Sample from these weights from now on."""
        if self._resting:
            await self._engine.wake(policy)
            self._resting = False
        else:
            await self._engine.refresh(policy)
