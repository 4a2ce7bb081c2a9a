"""How a model is asked to sample, and what may then be said about the logprobs it gives."""

from __future__ import annotations

from typing import Any

from webgym.llm.config import ModelConfig
from webgym.records.base import Record

_HARMLESS = frozenset(
    {"chat_template_kwargs", "mm_processor_kwargs", "priority", "seed", "skip_special_tokens", "stop"}
    | {"stop_token_ids", "user"}
)
"""Extra fields that leave the distribution as it is. Of others we cannot know."""


class Sampling(Record, frozen=True):
    """The distribution that is sampled from, as far as it is known."""

    temperature: float | None
    top_p: float | None
    top_k: int
    exact_logprobs: bool
    """Whether the server's logprobs are of that very distribution."""


def sampling_of(config: ModelConfig) -> Sampling:
    """What the server is told, or falls back to where nothing is said."""
    own = None if config.api == "openai" else 1.0
    temperature = own if config.temperature is None else config.temperature
    top_p = own if config.top_p is None else config.top_p
    return Sampling(temperature, top_p, config.top_k, _exact(config, temperature, top_p))


def _exact(config: ModelConfig, temperature: float | None, top_p: float | None) -> bool:
    if config.api == "openai" or not temperature:  # at temperature 0 nothing is sampled
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
    """The fields of a request that say how to sample and what to tell about it."""
    sampling = sampling_of(config)
    fields: dict[str, Any] = {config.max_tokens_field: config.max_tokens}
    if sampling.temperature is not None:
        fields["temperature"] = sampling.temperature
    if sampling.top_p is not None:
        fields["top_p"] = sampling.top_p
    if config.top_k:
        fields["top_k"] = config.top_k
    if config.api != "openai":
        # Unsaid, these come from the model's own settings: the distribution would not be the one we record.
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
