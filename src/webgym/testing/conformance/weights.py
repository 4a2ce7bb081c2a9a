"""Conformance checks for `Weights`. The example's policy reports which version it samples from."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

import anyio

from webgym.errors import PolicyError, WebGymError
from webgym.records.prompt import Completion, Prompt, unpack_ids
from webgym.records.sample import PolicyVersion
from webgym.stages import Policy, Weights
from webgym.testing.conformance.checking import bounded, refused
from webgym.testing.conformance.policies import PICTURES, PROMPT

_AT_REST_SECONDS = 0.2
"""Must be far longer than a reply of the example's policy takes."""


@dataclass(frozen=True, slots=True)
class WeightsExample:
    """How to exercise an implementation."""

    policy: Policy
    """The policy that samples from the weights."""
    first: PolicyVersion
    second: PolicyVersion
    """Must be of another version than `first`."""
    damaged: PolicyVersion | None = None
    """Weights that cannot be sampled from; None skips the check."""
    prompt: Prompt = PROMPT
    pictures: Mapping[str, bytes] = field(default_factory=lambda: PICTURES)


WeightsCheck = Callable[[Weights, WeightsExample], Awaitable[None]]


async def weights_follow_the_protocol(weights: Weights, example: WeightsExample) -> None:
    """It has `rest` and `publish`."""
    del example
    assert isinstance(weights, Weights), f"{weights!r} lacks `rest` or `publish`"


async def what_is_published_is_sampled_from(weights: Weights, example: WeightsExample) -> None:
    """Once `publish` returns, every token is sampled from the new version."""
    for policy in (example.first, example.second, example.first):
        await weights.publish(policy)
        await _check_serves(example, policy)


async def published_twice_is_published(weights: Weights, example: WeightsExample) -> None:
    """Publishing is idempotent, because the caller may crash before it learns of the result."""
    for _ in range(2):
        await weights.publish(example.second)
        await _check_serves(example, example.second)


async def a_rest_ends_with_the_next_publish(weights: Weights, example: WeightsExample) -> None:
    """Publishing ends a rest, with new weights as well as with the current ones."""
    await weights.publish(example.first)
    for policy in (example.second, example.second):
        await weights.rest()
        await weights.publish(policy)
        await _check_serves(example, policy)


async def nothing_is_sampled_at_rest(weights: Weights, example: WeightsExample) -> None:
    """While resting, requests wait or fail with a `PolicyError`; afterwards they are served."""
    await weights.publish(example.first)
    await _asked(example)
    await weights.rest()
    try:
        with anyio.move_on_after(_AT_REST_SECONDS):
            completion = await _asked(example)
            raise AssertionError(f"it replied while at rest: {completion.text!r}")
    except PolicyError:
        pass
    finally:
        await weights.publish(example.second)
    await _check_serves(example, example.second)


async def weights_that_cannot_be_sampled_from_are_refused(weights: Weights, example: WeightsExample) -> None:
    """They are refused with a `WebGymError`, and sampling continues from the previous weights."""
    if example.damaged is None:
        return
    await weights.publish(example.first)
    with refused("weights that are damaged or missing", WebGymError):
        await weights.publish(example.damaged)
    await _check_serves(example, example.first)


async def _asked(example: WeightsExample) -> Completion:
    return await example.policy.sample(example.prompt, example.pictures)


async def _check_serves(example: WeightsExample, policy: PolicyVersion) -> None:
    completion = await _asked(example)
    told = {completion.version}
    if completion.tokens is not None and completion.tokens.versions:
        told |= set(unpack_ids(completion.tokens.versions))
    assert told == {policy.version}, f"version {policy.version} is published, but the reply has {told}"


WEIGHTS_CHECKS: tuple[WeightsCheck, ...] = bounded(
    weights_follow_the_protocol,
    what_is_published_is_sampled_from,
    published_twice_is_published,
    a_rest_ends_with_the_next_publish,
    nothing_is_sampled_at_rest,
    weights_that_cannot_be_sampled_from_are_refused,
)
