"""The policy that a configuration names, for as long as a run needs it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

import anyio.to_thread

from webgym.agent.policies.served import ServedPolicy
from webgym.engine.process import open_engine
from webgym.errors import ConfigError
from webgym.llm.config import ModelConfig
from webgym.pipeline.runs.config import RunConfig
from webgym.pipeline.runs.engine import engine_settings, sampler
from webgym.pipeline.runs.models import find_policy
from webgym.pipeline.runs.named import made
from webgym.records.sample import PolicyVersion
from webgym.stages import Policy


@asynccontextmanager
async def policy_of(config: RunConfig) -> AsyncGenerator[Policy | None]:
    """None if the agent asks no model.

    Raises:
        ConfigError: The agent asks a model, and none is named.
    """
    if config.agent.use != "vlm":
        yield None
        return
    async with AsyncExitStack() as stack:
        match _kind(config):
            case "engine":
                yield await stack.enter_async_context(_engine(config))
            case "served":
                yield await stack.enter_async_context(ServedPolicy(_model(config)))
            case path:
                policy = made(path, "agent.policy", Policy)
                if hasattr(policy, "__aenter__"):
                    await stack.enter_async_context(policy)
                yield policy


def _kind(config: RunConfig) -> str:
    if config.agent.policy != "auto":
        return config.agent.policy
    return "engine" if config.policy.model else "served"


@asynccontextmanager
async def _engine(config: RunConfig) -> AsyncGenerator[Policy]:
    folder = await anyio.to_thread.run_sync(find_policy, config.policy.model)
    async with open_engine(PolicyVersion(0, str(folder)), engine_settings(config.policy)) as engine:
        yield sampler(engine, config.policy, config.policy.temperature, config.seed)


def _model(config: RunConfig) -> ModelConfig:
    if config.model is None:
        raise ConfigError(
            "no model is named: give policy.model (a folder or a name on the hub, sampled from on this machine), or "
            "model.servers and model.model (any OpenAI-compatible server), or choose another agent, such as "
            "agent.use=oracle"
        )
    return config.model
