"""Weight updates of the built-in engine: it sleeps during an update and wakes with new weights."""

from __future__ import annotations

from webgym.engine.process import EngineProcess
from webgym.errors import TrainingError
from webgym.records.sample import PolicyVersion

_LEFT_ASLEEP = 2 << 30
"""Bytes that a sleeping engine may still hold on a GPU: the CUDA context, but no weights."""


class EngineWeights:
    """Implements `Weights` for the built-in engine, for training on one machine."""

    def __init__(self, engine: EngineProcess) -> None:
        self._engine = engine
        self._resting = False

    async def rest(self) -> None:
        """Put the engine to sleep and check that its memory is free.

        Raises:
            TrainingError: It still holds memory.
        """
        state = await self._engine.sleep()
        self._resting = True
        if not state.asleep or state.model_bytes or state.device_bytes > _LEFT_ASLEEP:
            held = max(state.model_bytes, state.device_bytes) / 1e9
            raise TrainingError(f"the sleeping engine still holds {held:.1f} GB: training may run out of memory")

    async def publish(self, policy: PolicyVersion) -> None:
        """Load these weights and sample from them from now on."""
        if self._resting:
            await self._engine.wake(policy)
            self._resting = False
        else:
            await self._engine.refresh(policy)
