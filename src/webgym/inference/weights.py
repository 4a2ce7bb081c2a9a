"""Servers while their policy learns: at rest, and given new weights."""

from __future__ import annotations

from webgym.errors import PolicyError, TrainingError
from webgym.inference.replicas import Replicas
from webgym.records.sample import PolicyVersion


class ServerWeights:
    """Tells servers what to sample from: the `Weights` of training with servers."""

    def __init__(self, replicas: Replicas) -> None:
        self._replicas = replicas

    async def rest(self) -> None:
        """Pause, and give memory back where the trainer needs it (`policy.servers.sleep`).

        Raises:
            TrainingError: A server did not.
        """
        try:
            await self._replicas.rest()
        except PolicyError as error:
            raise TrainingError(f"the servers do not rest: {error}") from error

    async def publish(self, policy: PolicyVersion) -> None:
        """Sample from these weights from now on.

        Raises:
            TrainingError: A server did not take them.
        """
        try:
            await self._replicas.refresh(policy)
        except PolicyError as error:
            raise TrainingError(f"weights of version {policy.version} did not reach {error}") from error
