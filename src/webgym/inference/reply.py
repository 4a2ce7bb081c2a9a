"""Token-level replies of servers, and checks of what in them can be trusted."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Literal

import msgspec

from webgym.errors import PolicyRejected
from webgym.llm.sampling import SamplingDistribution
from webgym.records.base import Record
from webgym.records.prompt import Tokens, pack_ids, pack_logprobs

TokenId = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
Finish = Literal["stop", "length"]
_UNKNOWN = -9000.0
"""A logprob below this is a placeholder for an unknown one."""
_MOST_VERSION = 2**31 - 1


class VersionSpan(msgspec.Struct, frozen=True):
    """Sampled tokens from `start` up to `end` come from weights of this version."""

    version: str
    start: int
    end: int


class ServerReply(Record, frozen=True):
    """A reply as the server gives it."""

    prompt: tuple[int, ...]
    """Prompt as the server read it, with placeholders expanded to one per image token."""
    sampled: tuple[int, ...]
    logprobs: tuple[float, ...]
    """One per sampled token, or empty."""
    spans: tuple[VersionSpan, ...]
    """Empty if the server does not report versions per token."""
    finish: Finish
    label: str = ""
    """Version of the weights at the end of the reply, if that is all the server reports."""
    cached: int = 0
    """Prompt tokens served from the server's prefix cache."""


class CheckedReply(Record, frozen=True):
    """A reply after checking."""

    tokens: Tokens
    version: int | None
    """Version of the last token."""


def checked_reply(
    reply: ServerReply, sent: Sequence[int], image_id: int, sampling: SamplingDistribution
) -> CheckedReply:
    """Return the tokens of a reply, for training.

    Logprobs stay empty unless they are of the distribution that was sampled from, and versions unless the server
    reports one for every token: what is unknown is not made up.

    Raises:
        PolicyRejected: The server read other tokens than it was sent.
    """
    if collapsed(reply.prompt, image_id) != collapsed(sent, image_id):
        raise PolicyRejected(_drift(reply.prompt, sent, image_id))
    versions = versions_of(reply.spans, len(reply.sampled))
    tokens = Tokens(
        prompt=pack_ids(reply.prompt),
        sampled=pack_ids(reply.sampled),
        logprobs=pack_logprobs(_believed(reply) if sampling.exact_logprobs else ()),
        versions=pack_ids(versions),
        temperature=1.0 if sampling.temperature is None else sampling.temperature,
        top_p=1.0 if sampling.top_p is None else sampling.top_p,
        top_k=sampling.top_k,
    )
    return CheckedReply(tokens, versions[-1] if versions else None)


def collapsed(ids: Sequence[int], image_id: int) -> list[int]:
    """Return the ids with each run of placeholders reduced to one."""
    first = list(ids[:1])
    return first + [token for before, token in pairwise(ids) if token != image_id or before != image_id]


def versions_of(spans: Sequence[VersionSpan], count: int) -> list[int]:
    """Return the version of each token; empty if one is missing or not a number."""
    versions: list[int] = []
    for span in spans:
        if span.start != len(versions) or not span.start <= span.end <= count:
            return []
        number = version_number(span.version)
        if number is None:
            return []
        versions += [number] * (span.end - span.start)
    return versions if len(versions) == count else []


def version_number(label: str) -> int | None:
    """Return the version in a label that we set; None for others, such as `default`."""
    number = int(label) if re.fullmatch(r"[0-9]{1,10}", label) else None
    return number if number is not None and number <= _MOST_VERSION else None


def _believed(reply: ServerReply) -> tuple[float, ...]:
    sound = all(math.isfinite(logprob) and logprob > _UNKNOWN for logprob in reply.logprobs)
    return reply.logprobs if sound and len(reply.logprobs) == len(reply.sampled) else ()


def _drift(prompt: Sequence[int], sent: Sequence[int], image_id: int) -> str:
    ours, theirs = collapsed(sent, image_id), collapsed(prompt, image_id)
    at = next((at for at, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), min(len(ours), len(theirs)))
    return (
        f"the server processed different tokens than it was sent, from token {at} on ({ours[at : at + 3]} became "
        f"{theirs[at : at + 3]}; {len(ours)} and {len(theirs)} in all, pictures counted once): it decodes and "
        "tokenises prompts again, or serves another model than `policy.model`"
    )
