"""How the trainer computes: nothing here changes what is learned, only how fast and in how much memory."""

from __future__ import annotations

from typing import Literal

from webgym.train.recipe import Count, Positive, Settings, Share


class LoraSettings(Settings):
    """Small matrices beside the large ones, which stay as they are."""

    rank: Count = 32
    alpha: Positive = 64.0
    """What they add is multiplied with this over the rank."""
    targets: tuple[str, ...] = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
    """Last names of the layers that get them."""


class TrainerSettings(Settings):
    """One trainer."""

    device: Literal["auto", "cpu", "cuda"] = "auto"
    processes: Count = 1
    """That the model is spread over, on this machine: each has a GPU of its own, from the first that
    CUDA_VISIBLE_DEVICES lists on, and a part of all weights, gradients and moments."""
    wait_seconds: Positive = 1800.0
    """How long one of several processes waits for the others before they are given up: more than it takes the first one
    to write the weights."""
    step_seconds: Positive = 4 * 3600.0
    """How long learning from one batch may take before the trainer is taken for dead and started again."""
    precision: Literal["auto", "bfloat16", "float32"] = "auto"
    """What is computed in; `auto` is bfloat16 on a GPU, and float32 on a processor: one that does not compute in
    bfloat16 itself takes 30 times as long. Weights that learn are kept in float32 either way: a step at lr 1e-6 is
    smaller than the distance from one bfloat16 number to the next."""
    first_moment: Literal["float32", "bfloat16"] = "float32"
    """What AdamW keeps its running mean in; bfloat16 saves 2 bytes for each weight."""
    second_moment: Literal["float32", "bfloat16"] = "float32"
    """Likewise its running square, rounded at random."""
    tokens: Count = 16_384
    """In one pass through the model."""
    patches: Count = 65_536
    """Likewise. A row that is larger still gets a pass of its own."""
    recompute: Share = 1.0
    """Share of the language model's layers that is computed again on the way back instead of kept, in a pass of as many
    `tokens` and `patches`; a smaller one computes as few again as fit into the same memory."""
    recompute_vision: Share = 1.0
    compile: bool = False
    """Whether torch compiles the layers: takes about a minute, then computes faster on a GPU."""
    train_vision: bool = True
    """Whether the vision tower learns too."""
    lora: LoraSettings | None = None
    """None: all weights learn."""
    picture_cache: Count = 2 << 30
    """Bytes of patches that each process keeps for the next time a picture is shown."""
    seed: int = 0
