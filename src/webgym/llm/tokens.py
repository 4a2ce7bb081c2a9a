"""Token ids and logprobs, in the formats of vLLM and SGLang."""

from __future__ import annotations

import math
from typing import Annotated, Any

import msgspec

from webgym.llm.sampling import SamplingDistribution
from webgym.records.prompt import Tokens, pack_ids, pack_logprobs

TokenId = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
_ID_IN_TEXT = "token_id:"
_UNKNOWN = -9000.0
"""Logprobs below this are placeholders for unknown values."""


class TokenLogprob(msgspec.Struct):
    """One entry of `logprobs.content`."""

    logprob: float
    token: str = ""


class Logprobs(msgspec.Struct):
    """OpenAI's format, which both servers support."""

    content: list[TokenLogprob] | None = None


class MetaInfo(msgspec.Struct):
    """SGLang's `meta_info`."""

    output_token_logprobs: list[tuple[float | None, TokenId, Any]] | None = None


class TokenDetails(msgspec.Struct):
    """All places in a reply with one choice that may hold ids and logprobs."""

    prompt_ids: list[TokenId] | None = None
    sampled_ids: list[TokenId] | None = None
    logprobs: Logprobs | None = None
    meta_info: MetaInfo | None = None


def tokens_of(details: TokenDetails, sampling: SamplingDistribution, version: int | None) -> Tokens | None:
    """Extract the token data; None if the server sent no token ids.

    Logprobs are left empty unless they are of the distribution sampled from.
    """
    sampled = _sampled_ids(details)
    if sampled is None or details.prompt_ids is None:
        return None
    logprobs = _logprobs(details) if sampling.exact_logprobs else []
    if len(logprobs) != len(sampled) or not all(math.isfinite(logprob) and logprob > _UNKNOWN for logprob in logprobs):
        logprobs = []
    return Tokens(
        prompt=pack_ids(details.prompt_ids),
        sampled=pack_ids(sampled),
        logprobs=pack_logprobs(logprobs),
        versions=b"" if version is None else pack_ids([version] * len(sampled)),
        temperature=1.0 if sampling.temperature is None else sampling.temperature,
        top_p=1.0 if sampling.top_p is None else sampling.top_p,
        top_k=sampling.top_k,
    )


def _sampled_ids(details: TokenDetails) -> list[int] | None:
    if details.sampled_ids is not None:
        return details.sampled_ids
    if details.meta_info and details.meta_info.output_token_logprobs is not None:
        return [token for _, token, _ in details.meta_info.output_token_logprobs]
    return _ids_in_text(details.logprobs)


def _ids_in_text(logprobs: Logprobs | None) -> list[int] | None:
    """Parse ids from servers configured to write `token_id:606` in place of the token."""
    written = [entry.token.removeprefix(_ID_IN_TEXT) for entry in (logprobs and logprobs.content) or []]
    if not written or not all(digits.isascii() and digits.isdigit() and len(digits) < 10 for digits in written):
        return None
    return [int(digits) for digits in written]


def _logprobs(details: TokenDetails) -> list[float]:
    if details.meta_info and details.meta_info.output_token_logprobs is not None:
        return [math.nan if logprob is None else logprob for logprob, _, _ in details.meta_info.output_token_logprobs]
    return [entry.logprob for entry in (details.logprobs and details.logprobs.content) or []]
