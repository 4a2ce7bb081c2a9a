"""The sampler of evaluations: separate from that of training, whose weights change meanwhile."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from webgym.errors import ConfigError, PolicyRejected
from webgym.inference.launch import Serving
from webgym.inference.opening import open_replicas
from webgym.records.prompt import Completion, Prompt, unpack_ids
from webgym.records.sample import PolicyVersion
from webgym.run.config import PolicyConfig
from webgym.run.sampler import open_sampler
from webgym.run.servers import LOGS
from webgym.run.train_config import TrainConfig
from webgym.stages import Policy

_OF_EVALUATIONS = "evaluation"
"""Folder of the logs of evaluation servers, inside that of the training servers."""


def evaluation_policy(config: TrainConfig) -> PolicyConfig:
    """Return the policy settings that evaluations use."""
    flow, policy = config.train.flow, config.policy
    if flow.evaluation_servers.given:
        return policy.model_copy(update={"servers": flow.evaluation_servers.like(policy.servers)})
    return policy.model_copy(update={"server": "engine", "device": flow.evaluation_device or policy.device})


async def check_evaluations(config: TrainConfig) -> None:
    """Check that evaluations have a sampler.

    Raises:
        ConfigError: Rollouts use servers and no sampler of evaluations is configured, or its servers do not answer.
    """
    flow, policy = config.train.flow, evaluation_policy(config)
    if config.policy.server != "engine" and not (flow.evaluation_servers.given or flow.evaluation_device):
        raise ConfigError(
            f"train.mode = 'async' evaluates while it trains, and the servers of policy.server = "
            f"{config.policy.server!r} get new weights meanwhile. Choose separate servers for evaluation that run "
            'already (train.flow.evaluation_servers.urls=["http://…"]) or are started for each evaluation '
            "(train.flow.evaluation_servers.replicas=1, with devices and arguments as needed), or a separate engine "
            "(train.flow.evaluation_device=cuda:1, or cpu)"
        )
    if policy.server != "engine" and policy.servers.urls:
        nothing_yet = PolicyVersion(0, "")
        async with open_replicas(Serving(policy.server), policy.servers, nothing_yet):
            pass


@asynccontextmanager
async def open_pinned(
    config: TrainConfig, policy: PolicyVersion, run: Path, say: Callable[[str], None]
) -> AsyncGenerator[Callable[[], Policy]]:
    """Open a sampler of these weights and yield a function that makes policies pinned to their version.

    Raises:
        ConfigError: The sampler does not start or answer.
        PolicyUnavailable: A server did not accept the weights.
    """
    chosen = evaluation_policy(config)

    def tell(line: str) -> None:
        say(f"evaluation: {line}")

    async with open_sampler(chosen, policy, run / LOGS / _OF_EVALUATIONS, tell) as sampler:
        yield lambda: PinnedSampler(sampler.at(config.evaluate.temperature, config.seed), policy.version)


@dataclass(frozen=True, slots=True)
class PinnedSampler:
    """A policy that rejects replies sampled from any other version."""

    inner: Policy
    version: int

    async def sample(self, prompt: Prompt, pictures: Mapping[str, bytes], *, affinity: str = "") -> Completion:
        """Sample one reply.

        Raises:
            PolicyRejected: The reply has tokens of another version: something else changed the server's weights.
        """
        completion = await self.inner.sample(prompt, pictures, affinity=affinity)
        told = unpack_ids(completion.tokens.versions) if completion.tokens else ()
        if others := {*told} - {self.version}:
            raise PolicyRejected(
                f"the evaluation server sampled from version {min(others)}, not {self.version}: another process "
                "updated its weights"
            )
        return completion
