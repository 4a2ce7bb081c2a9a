"""Engine settings."""

from __future__ import annotations

from typing import Literal

from webgym.records.base import Record

MIB = 2**20

InFlight = Literal["keep", "recompute"]


class EngineSettings(Record, frozen=True):
    """Settings of an engine, whatever the model."""

    device: str = "auto"
    """`auto` takes a GPU if there is one."""
    dtype: Literal["auto", "float32", "bfloat16"] = "auto"
    """`auto` is float32 on a CPU and bfloat16 on a GPU."""
    slots: int = 16
    """Maximum number of sequences decoded at the same time."""
    length: int = 2048
    """Maximum tokens of a prompt and its reply."""
    waiting: int = 1024
    """Requests that may wait for a slot; more are refused."""
    prompt_tokens: int = 0
    """Maximum tokens per prefill; 0 takes 2,048 on a CPU, whose caches are small, and 16,384 on a GPU."""
    vision_patches: int = 0
    """Maximum patches per pass of the vision tower; 0 takes the same values."""
    picture_bytes: int = 256 * MIB
    """Size of the cache of preprocessed images, which need not be sent again."""
    feature_bytes: int | None = None
    """Size of the cache of image features; None: a small part of the remaining memory."""
    prefix_bytes: int | None = None
    """Size of the prefix cache; None: a small part of the remaining memory; 0: off."""
    threads: int = 0
    """Number of torch threads; 0: torch's default."""
    in_flight: InFlight = "keep"
    """What happens to unfinished replies when weights are refreshed: `keep` goes on with the old weights' KV cache,
    `recompute` rebuilds it with the new ones first. Either way, each token records the version that sampled it."""
    graphs: bool = False
    """On a GPU, decode with CUDA graphs: small models are bound by kernel launches, not by arithmetic."""
    load_seconds: float = 900.0
    """Timeout for loading weights, at the start and on refresh: a large model takes minutes from a slow disk."""
