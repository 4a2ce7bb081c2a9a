"""The policy that a configuration names, for as long as a run needs it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager

from webgym.agent.policies.served import ServedPolicy
from webgym.errors import ConfigError
from webgym.pipeline.runs.config import RunConfig
from webgym.pipeline.runs.named import made
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
        if config.agent.policy == "served":
            if config.model is None:
                raise ConfigError(
                    "no model is named: give model.servers and model.model (any OpenAI-compatible server), or choose "
                    "another agent, such as agent.use=oracle"
                )
            yield await stack.enter_async_context(ServedPolicy(config.model))
            return
        policy = made(config.agent.policy, "agent.policy", Policy)
        if hasattr(policy, "__aenter__"):
            await stack.enter_async_context(policy)
        yield policy
