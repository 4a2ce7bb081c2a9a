"""Conformance checks for `Policy`."""

from __future__ import annotations

import math
from array import array
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import anyio

from webgym.errors import PolicyRejected
from webgym.records.prompt import Completion, Prompt, Tokens, unpack_ids, unpack_logprobs
from webgym.stages import Policy
from webgym.testing.conformance.checking import bounded, can_be_stored, refused
from webgym.testing.conformance.example_records import a_prompt, drawn

PROMPT, PICTURES = a_prompt()
_AT_ONCE = 8
_CUT_OFF_SECONDS = (0.0, 0.005, 0.05)
"""Cancellation before a reply is begun, while it is generated, and perhaps after it."""


@dataclass(frozen=True, slots=True)
class PolicyExample:
    """How to exercise an implementation."""

    prompt: Prompt = PROMPT
    """A prompt that it replies to."""
    pictures: Mapping[str, bytes] = field(default_factory=lambda: PICTURES)
    trains: bool = False
    """Whether its replies are used for training, and so must have token ids, logprobs and versions."""
    refused: Prompt | None = None
    """A prompt that it rejects, such as one that is too long; None skips the check."""


PolicyCheck = Callable[[Policy, PolicyExample], Awaitable[None]]


async def policies_follow_the_protocol(policy: Policy, example: PolicyExample) -> None:
    """`sample` returns a completion that can be stored."""
    assert isinstance(policy, Policy), f"{policy!r} has no method `sample`"
    completion = await _asked(policy, example)
    can_be_stored("a completion", completion)
    assert completion.seconds >= 0, f"a reply took {completion.seconds} s"
    assert completion.cost >= 0, f"a reply cost {completion.cost} dollars"


async def what_is_sampled_belongs_together(policy: Policy, example: PolicyExample) -> None:
    """Each sampled token has one logprob and one version, and the counts agree."""
    completion = await _asked(policy, example)
    if completion.tokens is None:
        assert not example.trains, "`tokens` is missing: a reply cannot be trained on without it"
        return
    _check_tokens(completion, completion.tokens)
    if example.trains:
        assert completion.tokens.logprobs, "`logprobs` is missing: a reply cannot be trained on without it"
        assert completion.tokens.versions, "`versions` is missing: it says which weights sampled each token"


async def pictures_that_are_not_in_the_prompt_do_no_harm(policy: Policy, example: PolicyExample) -> None:
    """Extra pictures, which the prompt does not use, are ignored."""
    other = {f"sha256:{64 * '1'}": drawn(200)}
    await _asked(policy, PolicyExample(example.prompt, {**example.pictures, **other}))


async def many_may_ask_at_once(policy: Policy, example: PolicyExample) -> None:
    """Concurrent requests with equal, different and no affinity all succeed: affinity is only a hint."""
    replies: list[Completion] = []

    async def ask(affinity: str) -> None:
        replies.append(await _asked(policy, example, affinity))

    async with anyio.create_task_group() as tasks:
        for number in range(_AT_ONCE):
            tasks.start_soon(ask, ("", "one", f"of its own {number}")[number % 3])
    assert len(replies) == _AT_ONCE, f"{len(replies)} of {_AT_ONCE} concurrent requests got a reply"


async def a_reply_that_is_not_waited_for_harms_no_other(policy: Policy, example: PolicyExample) -> None:
    """Cancelling requests affects neither concurrent nor later ones."""
    heard: list[Completion] = []

    async def bystander() -> None:
        heard.append(await _asked(policy, example, "bystander"))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(bystander)
        for seconds in _CUT_OFF_SECONDS:
            with anyio.move_on_after(seconds):
                await _asked(policy, example)
    assert heard, "a concurrent request got no reply"
    await _asked(policy, example)


async def a_prompt_that_it_cannot_take_is_refused(policy: Policy, example: PolicyExample) -> None:
    """It is rejected with `PolicyRejected`, so that it is not retried, and later requests still succeed."""
    if example.refused is None:
        return
    with refused("this prompt", PolicyRejected):
        await policy.sample(example.refused, example.pictures)
    await _asked(policy, example)


async def _asked(policy: Policy, example: PolicyExample, affinity: str = "") -> Completion:
    pictures = MappingProxyType(dict(example.pictures))  # the policy must not modify the caller's mapping
    completion = await policy.sample(example.prompt, pictures, affinity=affinity)
    assert isinstance(completion, Completion), f"`sample` gave {completion!r} and not a Completion"
    return completion


def _check_tokens(completion: Completion, tokens: Tokens) -> None:
    prompt, sampled, versions = (_ids(tokens, name) for name in ("prompt", "sampled", "versions"))
    assert len(tokens.logprobs) % 4 == 0, "`logprobs` are float32 of four bytes each"
    logprobs = unpack_logprobs(tokens.logprobs)
    assert sampled, "`tokens` has no sampled tokens"
    assert prompt, "`tokens` has no prompt tokens"
    assert min(*prompt, *sampled) >= 0, "a token id is below 0"
    for name, found in (("logprobs", len(logprobs)), ("versions", len(versions))):
        assert found in {0, len(sampled)}, f"there are {found} {name} for {len(sampled)} sampled tokens"
    assert all(math.isfinite(logprob) and logprob <= 0 for logprob in logprobs), "a logprob is above 0 or not finite"
    counts = completion.prompt_tokens, completion.sampled_tokens
    told = len(prompt), len(sampled)
    assert counts == told, f"the token counts of prompt and reply are {counts}, but should be {told}"
    if versions and completion.version is not None:
        assert completion.version in versions, f"version {completion.version} is reported, but no token has it"


def _ids(tokens: Tokens, name: str) -> array[int]:
    data: bytes = getattr(tokens, name)
    assert len(data) % 4 == 0, f"`{name}` are int32 of four bytes each"
    return unpack_ids(data)


POLICY_CHECKS: tuple[PolicyCheck, ...] = bounded(
    policies_follow_the_protocol,
    what_is_sampled_belongs_together,
    pictures_that_are_not_in_the_prompt_do_no_harm,
    many_may_ask_at_once,
    a_reply_that_is_not_waited_for_harms_no_other,
    a_prompt_that_it_cannot_take_is_refused,
)
