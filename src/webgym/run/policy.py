"""Open the policy that a configuration names."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import anyio.to_thread

from webgym.agent.policies.served import ServedPolicy
from webgym.engine.process import open_engine
from webgym.errors import ConfigError
from webgym.llm.config import ModelConfig
from webgym.records.sample import PolicyVersion
from webgym.run.config import RunConfig
from webgym.run.engine import engine_settings, sampler
from webgym.run.import_path import made, named
from webgym.run.models import find_policy
from webgym.run.prompt_room import check_room, policy_kind
from webgym.run.servers import LOGS, open_servers
from webgym.stages import Policy

logger = logging.getLogger(__name__)


@asynccontextmanager
async def policy_of(
    config: RunConfig, folder: Path, say: Callable[[str], None] = logger.info
) -> AsyncGenerator[Policy | None]:
    """Open the policy of a run; None if the agent queries no model. Started servers log inside the run's folder.

    Raises:
        ConfigError: The agent queries a model, and none is named.
    """
    if config.agent.use != "vlm":
        yield None
        return
    async with AsyncExitStack() as stack:
        match policy_kind(config):
            case "engine":
                yield await stack.enter_async_context(_own(config, folder, say))
            case "served":
                yield await stack.enter_async_context(ServedPolicy(_model(config)))
            case path:
                policy = made(path, "agent.policy", Policy)
                if hasattr(policy, "__aenter__"):
                    await stack.enter_async_context(policy)
                yield policy


async def check_policy(config: RunConfig) -> None:
    """Check that the configured policy exists.

    Raises:
        ConfigError: The agent queries a model, and none is named, or its context has no room for a single page.
        ModelError: There is no such model.
    """
    if config.agent.use != "vlm":
        return
    match policy_kind(config):
        case "engine":
            folder = await anyio.to_thread.run_sync(find_policy, config.policy.model)
            await anyio.to_thread.run_sync(check_room, config, folder)
        case "served":
            _model(config)
        case path:
            named(path, "agent.policy")


@asynccontextmanager
async def _own(config: RunConfig, folder: Path, say: Callable[[str], None]) -> AsyncGenerator[Policy]:
    chosen = config.policy
    model = await anyio.to_thread.run_sync(find_policy, chosen.model)
    first = PolicyVersion(0, str(model))
    if chosen.server == "engine":
        async with open_engine(first, engine_settings(chosen)) as engine:
            yield sampler(engine, chosen, chosen.temperature, config.seed)
    else:
        async with open_servers(chosen, chosen.server, first, folder / LOGS, say) as servers:
            yield servers.policy(chosen, chosen.temperature)


def _model(config: RunConfig) -> ModelConfig:
    if config.model is None:
        raise ConfigError(
            "no model given: set policy.model (a folder or a Hugging Face name, run on this machine), or "
            "model.servers and model.model (any OpenAI-compatible server), or choose another agent, such as "
            "agent.use=oracle"
        )
    return config.model
