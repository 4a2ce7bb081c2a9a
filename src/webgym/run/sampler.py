"""The sampler of a training run: a built-in engine, or inference servers."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from webgym.engine.process import open_engine
from webgym.engine.settings import EngineSettings
from webgym.inference.weights import ServerWeights
from webgym.records.sample import PolicyVersion
from webgym.run.config import PolicyConfig
from webgym.run.engine import engine_settings, sampler
from webgym.run.engine_weights import EngineWeights
from webgym.run.servers import open_servers
from webgym.stages import Policy, Weights


@dataclass(frozen=True, slots=True)
class Sampler:
    """Samples from the policy and accepts new weights."""

    at: Callable[[float, int], Policy]
    """Makes a policy that samples at a temperature and seed. An engine is reproducible if requests arrive in the same
    order; servers ignore the seed."""
    weights: Weights
    restarts: Callable[[], int]
    """Returns how often the engine or a server died and was restarted."""


@asynccontextmanager
async def open_sampler(
    config: PolicyConfig,
    policy: PolicyVersion,
    logs: Path,
    say: Callable[[str], None],
    engine: EngineSettings | None = None,
) -> AsyncGenerator[Sampler]:
    """Open a sampler that serves these weights. Servers that it starts write their logs to the folder `logs`.

    `engine` overrides the engine settings of the policy.

    Raises:
        ConfigError: The sampler does not start.
        PolicyUnavailable: Running servers did not accept the weights.
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
            # Servers that were already running may have any weights loaded.
            await servers.replicas.refresh(policy)
            yield Sampler(
                lambda temperature, _seed: servers.policy(config, temperature),
                ServerWeights(servers.replicas),
                lambda: servers.replicas.restarts,
            )
