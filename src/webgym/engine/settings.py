"""What can be configured about an engine."""

from __future__ import annotations

from typing import Literal

from webgym.records.base import Record

MIB = 2**20

InFlight = Literal["keep", "recompute"]


class EngineSettings(Record, frozen=True):
    """Of the engine, whatever the model."""

    device: str = "auto"
    """`auto` takes a GPU if there is one."""
    dtype: Literal["auto", "float32", "bfloat16"] = "auto"
    """`auto` is float32 on a processor and bfloat16 on a GPU."""
    slots: int = 16
    """Sequences that are continued at the same time."""
    length: int = 2048
    """Tokens of a prompt and its reply."""
    waiting: int = 1024
    """Requests that may wait for a slot; more are refused."""
    prompt_tokens: int = 0
    """That are read at once; 0 takes 2,048 on a processor, whose caches are small, and 16,384 on a GPU."""
    vision_patches: int = 0
    """That are looked at at once, likewise."""
    picture_bytes: int = 256 * MIB
    """Of pictures that need not be sent again."""
    feature_bytes: int | None = None
    """Of pictures that need not be looked at again; none: a small part of the memory that is left."""
    prefix_bytes: int | None = None
    """Of prompts that need not be read again where others begin like them; none: likewise; 0: off."""
    threads: int = 0
    """Of torch; 0 takes all cores."""
    in_flight: InFlight = "keep"
    """What becomes of unfinished replies when weights are refreshed: `keep` goes on with the keys and values of the old
    weights, `recompute` reads what there is with the new ones first. Tokens say either way who chose them."""
    graphs: bool = False
    """On a GPU, replay recorded steps: small models wait for launches, not for arithmetic."""
    load_seconds: float = 900.0
    """To load a model, at the start and with new weights: a large one takes minutes from a slow disk."""
