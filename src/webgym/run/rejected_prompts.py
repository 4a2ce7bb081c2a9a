"""End a run early, with an explanation, if its policy rejects every prompt."""

from __future__ import annotations

from webgym.errors import ConfigError, PolicyRejected
from webgym.records.trajectory import Attempt, Cancellation, Ending, Infrastructure
from webgym.rollout.pool import Roll
from webgym.run.config import RunConfig
from webgym.run.prompt_room import policy_kind

ENOUGH = 8
"""Rejected attempts, with no other outcome so far, after which the run ends."""


def unless_rejected(roll: Roll, config: RunConfig) -> Roll:
    """Wrap `roll` to raise `ConfigError` if the first attempts all end because the policy rejects them."""
    rejected = 0
    hopeful = False

    async def one(attempt: Attempt) -> Ending:
        nonlocal rejected, hopeful
        ending = await roll(attempt)
        match ending.outcome:
            case Infrastructure(cause=PolicyRejected.code, message=message):
                rejected += 1
                if rejected >= ENOUGH and not hopeful:
                    raise ConfigError(
                        f"the first {rejected} attempts all ended because the policy rejected the prompt: "
                        f"{message}. {_advice(config)}"
                    )
            case Cancellation():
                pass
            case _:
                hopeful = True
        return ending

    return one


def _advice(config: RunConfig) -> str:
    agent, policy = config.agent, config.policy
    shown = (
        f"prompts are limited by agent.rounds = {agent.rounds}, agent.max_images = {agent.max_images} and "
        f"agent.max_prompt_tokens = {agent.max_prompt_tokens:,}"
    )
    if policy_kind(config) != "engine":
        return (
            f"If prompts are too long for the server, raise its context length or image limit, or shorten them: {shown}"
        )
    return (
        f"a prompt with its reply must fit into policy.length = {policy.length:,} tokens, of which policy.max_tokens = "
        f"{policy.max_tokens:,} for the reply: if that is too little, raise policy.length or shorten prompts; {shown}"
    )
