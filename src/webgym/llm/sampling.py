"""Sampling parameters, and whether the server's logprobs match the sampled distribution."""

from __future__ import annotations

from typing import Any

from webgym.llm.config import ModelConfig
from webgym.records.base import Record

_HARMLESS = frozenset(
    {"chat_template_kwargs", "mm_processor_kwargs", "priority", "seed", "skip_special_tokens", "stop"}
    | {"stop_token_ids", "user"}
)
"""Extra fields known not to affect the sampled distribution."""


class SamplingDistribution(Record, frozen=True):
    """The distribution sampled from; None where the server's default applies."""

    temperature: float | None
    top_p: float | None
    top_k: int
    exact_logprobs: bool
    """Whether the server's logprobs are of exactly this distribution."""


def sampling_of(config: ModelConfig) -> SamplingDistribution:
    """Return the effective sampling parameters of a configuration."""
    own = None if config.api == "openai" else 1.0
    temperature = own if config.temperature is None else config.temperature
    top_p = own if config.top_p is None else config.top_p
    return SamplingDistribution(temperature, top_p, config.top_k, _exact(config, temperature, top_p))


def _exact(config: ModelConfig, temperature: float | None, top_p: float | None) -> bool:
    if config.api == "openai" or not temperature:  # temperature 0 is greedy decoding, not sampling
        return False
    if not config.extra_body.keys() <= _HARMLESS:
        return config.logprobs == "processed"
    match config.logprobs or {"vllm": "raw", "sglang": "scaled"}[config.api]:
        case "processed":
            return True
        case "scaled":
            return top_p == 1.0 and config.top_k == 0
        case _:
            return temperature == 1.0 and top_p == 1.0 and config.top_k == 0


def fields_of(config: ModelConfig) -> dict[str, Any]:
    """Return the request fields for sampling and for token data."""
    sampling = sampling_of(config)
    fields: dict[str, Any] = {config.max_tokens_field: config.max_tokens}
    if sampling.temperature is not None:
        fields["temperature"] = sampling.temperature
    if sampling.top_p is not None:
        fields["top_p"] = sampling.top_p
    if config.top_k:
        fields["top_k"] = config.top_k
    if config.api != "openai":
        # If omitted, the checkpoint's generation config applies, and the distribution is not the recorded one.
        fields = {"top_k": -1, "min_p": 0.0, "repetition_penalty": 1.0, **fields}
    return fields | _token_fields(config) | config.extra_body


def _token_fields(config: ModelConfig) -> dict[str, Any]:
    match config.api if config.tokens else "openai":
        case "vllm":
            return {"logprobs": True, "top_logprobs": 0, "return_token_ids": True}
        case "sglang":
            return {"logprobs": True, "return_meta_info": True, "return_prompt_token_ids": True}
        case _:
            return {}
