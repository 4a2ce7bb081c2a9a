"""An agent that uses a vision-language model."""

from __future__ import annotations

import secrets
from collections.abc import Mapping

import anyio
import msgspec

from webgym.agent.budget import Estimate, PromptBudget, estimate_tokens
from webgym.agent.context import Context
from webgym.agent.dialects.dialect import Dialect
from webgym.agent.dialects.registry import dialect_named
from webgym.agent.history import picture_of
from webgym.agent.settings import AgentSettings
from webgym.agent.untrusted import cut
from webgym.errors import BrowserFault
from webgym.records.action import Answer
from webgym.records.decision import Branch, Decision, MalformedReply, Turn
from webgym.records.observation import Capture, Observation
from webgym.records.prompt import Completion, Prompt
from webgym.records.session import Look
from webgym.records.task import Task
from webgym.stages import Policy

_UNREADABLE = 2_000
"""Maximum characters that later prompts show of a malformed reply: some are endless."""


class VlmAgent:
    """The agent of one attempt: builds the prompt, samples from the policy, parses the reply.

    Args:
        task: The task to attempt.
        policy: The model to sample from.
        dialect: How the model writes actions.
        settings: What prompts contain; its `dialect` is ignored.
        affinity: Prompts with the same key should go to the same server. Default: a random key.
        estimate: Estimates the tokens of a message part, if the default is too inaccurate.
        room: Maximum prompt tokens of the policy; None: unknown.
    """

    def __init__(
        self,
        task: Task,
        policy: Policy,
        dialect: Dialect,
        settings: AgentSettings = AgentSettings(),
        *,
        affinity: str = "",
        estimate: Estimate = estimate_tokens,
        room: int | None = None,
    ) -> None:
        most = settings.max_prompt_tokens if room is None else min(settings.max_prompt_tokens, room)
        budget = PromptBudget(most, settings.max_images, estimate)
        self._policy = policy
        self._dialect = dialect
        self._affinity = affinity or secrets.token_hex(8)
        self._context = Context(task, dialect, settings, budget)
        self._branches = settings.branches
        self._pictures: dict[str, bytes] = {}

    async def decide(self, capture: Capture) -> Turn:
        """Sample and parse the next decision."""
        seen = capture.observation
        pictures = self._pictures | self._picture(capture)
        prompt = self._context.prompt(seen)
        shown = {picture.address: pictures[picture.address] for picture in prompt.pictures}
        completion = await self._policy.sample(prompt, shown, affinity=self._affinity)
        choice = _accounted(self._dialect.parse(completion, seen), completion)
        kept = self._dialect.keep(completion)
        self._context.add(seen, choice, kept if isinstance(choice, Decision) else cut(kept, _UNREADABLE))
        branches = () if _answer_of(choice) is None else await self._branch(prompt, shown, seen)
        # Keep only what may be shown again: a thousand attempts may be open at once.
        self._pictures = {address: pictures[address] for address in self._context.pictures}
        return Turn(choice, prompt, completion, branches)

    async def _branch(self, prompt: Prompt, shown: Mapping[str, bytes], seen: Observation) -> tuple[Branch, ...]:
        """Sample other replies to this prompt."""
        branches: list[Branch] = []

        async def one() -> None:
            completion = await self._policy.sample(prompt, shown, affinity=self._affinity)
            choice = self._dialect.parse(completion, seen)
            branches.append(Branch(_answer_of(choice), _without_prompt(completion)))

        async with anyio.create_task_group() as tasks:
            for _ in range(self._branches):
                tasks.start_soon(one)
        return tuple(branches)

    def _picture(self, capture: Capture) -> dict[str, bytes]:
        picture = picture_of(capture.observation, marks=self._dialect.look.marks)
        if picture is None or picture.address in self._pictures:
            return {}
        if picture.address not in capture.blobs:
            raise BrowserFault("the session did not send the screenshot that its observation refers to")
        return {picture.address: capture.blobs[picture.address]}


def vlm_agent(
    task: Task,
    policy: Policy,
    settings: AgentSettings = AgentSettings(),
    *,
    affinity: str = "",
    room: int | None = None,
) -> VlmAgent:
    """Create an agent from its settings.

    Raises:
        ConfigError: There is no such dialect or prompt version.
    """
    return VlmAgent(task, policy, dialect_named(settings.dialect), settings, affinity=affinity, room=room)


def look_for(settings: AgentSettings) -> Look:
    """Return what must be observed for an agent with these settings."""
    return msgspec.structs.replace(
        dialect_named(settings.dialect).look,
        screenshot=settings.screenshot,
        quality=settings.quality,
        settle_seconds=settings.settle_seconds,
    )


def _answer_of(choice: Decision | MalformedReply) -> str | None:
    match choice:
        case Decision(action=Answer(text=text)):
            return text
        case _:
            return None


def _without_prompt(completion: Completion) -> Completion:
    if completion.tokens is None:
        return completion
    return msgspec.structs.replace(completion, tokens=msgspec.structs.replace(completion.tokens, prompt=b""))


def _accounted(choice: Decision | MalformedReply, completion: Completion) -> Decision | MalformedReply:
    """Replace the problem of a malformed reply if the cause is how it ended: cut off or refused."""
    match choice, completion.finish:
        case MalformedReply(), "length":
            message = "it was cut off at the longest length allowed before an action was complete; write less"
            return msgspec.structs.replace(choice, problem="cut_off", message=message)
        case MalformedReply(), "refused":
            message = "it was a refusal; choose an action, or give up with the answer that says why"
            return msgspec.structs.replace(choice, problem="refused", message=message)
        case _:
            return choice
