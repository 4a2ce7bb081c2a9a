"""Who samples while a policy learns: an engine of the run's own, or inference servers."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from webgym.engine.process import open_engine
from webgym.engine.settings import EngineSettings
from webgym.inference.weights import ServerWeights
from webgym.pipeline.runs.config import PolicyConfig
from webgym.pipeline.runs.engine import engine_settings, sampler
from webgym.pipeline.runs.servers import open_servers
from webgym.pipeline.train.weights import EngineWeights
from webgym.records.sample import PolicyVersion
from webgym.stages import Policy, Weights


@dataclass(frozen=True, slots=True)
class Sampler:
    """Samples, and takes new weights."""

    at: Callable[[float, int], Policy]
    """A policy that samples at this temperature. The seed decides what is sampled as far as requests come in the same
    order; servers have chances of their own."""
    weights: Weights
    restarts: Callable[[], int]
    """How often it died and was started again."""


@asynccontextmanager
async def open_sampler(
    config: PolicyConfig,
    policy: PolicyVersion,
    logs: Path,
    say: Callable[[str], None],
    engine: EngineSettings | None = None,
) -> AsyncGenerator[Sampler]:
    """Serves these weights as long as the block lasts. Servers that are started for it log in the folder `logs`.

    `engine`: settings of an engine, if not those of the policy.

    Raises:
        ConfigError: It does not start.
        PolicyUnavailable: Servers that run already did not take the weights.
    """
    if config.server == "engine":
        async with open_engine(policy, engine or engine_settings(config)) as process:
            yield Sampler(
                lambda temperature, seed: sampler(process, config, temperature, seed),
                EngineWeights(process),
                lambda: process.restarts,
            )
    else:
        async with open_servers(config, config.server, policy, logs, say) as servers:
            # Servers that run already may serve anything.
            await servers.replicas.refresh(policy)
            yield Sampler(
                lambda temperature, _seed: servers.policy(config, temperature),
                ServerWeights(servers.replicas),
                lambda: servers.replicas.restarts,
            )
