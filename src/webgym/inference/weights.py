"""Inference servers during training: paused, and given new weights."""

from __future__ import annotations

from webgym.errors import PolicyError, TrainingError
from webgym.inference.replicas import Replicas
from webgym.records.sample import PolicyVersion


class ServerWeights:
    """Implements the trainer's `Weights` for inference servers."""

    def __init__(self, replicas: Replicas) -> None:
        self._replicas = replicas

    async def rest(self) -> None:
        """Pause, and release GPU memory if `policy.servers.sleep` is set.

        Raises:
            TrainingError: A server did not pause.
        """
        try:
            await self._replicas.rest()
        except PolicyError as error:
            raise TrainingError(f"the servers could not be put to sleep: {error}") from error

    async def publish(self, policy: PolicyVersion) -> None:
        """Switch the servers to these weights.

        Raises:
            TrainingError: A server did not load them.
        """
        try:
            await self._replicas.refresh(policy)
        except PolicyError as error:
            raise TrainingError(f"weights of version {policy.version} did not reach {error}") from error
