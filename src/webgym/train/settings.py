"""How the trainer computes: devices, precision, memory, and which weights are trained. The rest is in `recipe`."""

from __future__ import annotations

from typing import Literal

from webgym.algorithms.settings import Count, Positive, Settings, Share


class LoraSettings(Settings):
    """LoRA adapters on frozen weights."""

    rank: Count = 32
    alpha: Positive = 64.0
    """The low-rank update is scaled by alpha / rank."""
    targets: tuple[str, ...] = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
    """Layers that get adapters, by the last part of their names."""


class TrainerSettings(Settings):
    """Settings of a trainer."""

    device: Literal["auto", "cpu", "cuda"] = "auto"
    processes: Count = 1
    """Processes that the model is sharded over, on this machine. Each uses a GPU of its own, in the order of
    CUDA_VISIBLE_DEVICES, and holds a shard of weights, gradients and optimizer state."""
    wait_seconds: Positive = 1800.0
    """Timeout of collectives between processes: must be longer than rank 0 takes to write the weights."""
    step_seconds: Positive = 4 * 3600.0
    """Timeout for training on one batch, after which the trainer is considered dead and restarted."""
    precision: Literal["auto", "bfloat16", "float32"] = "auto"
    """Compute dtype; `auto` is bfloat16 on a GPU and float32 on a CPU, where bfloat16 without hardware support is 30
    times slower. Trainable weights are kept in float32 either way: an update at lr 1e-6 is smaller than the spacing of
    bfloat16 numbers."""
    first_moment: Literal["float32", "bfloat16"] = "float32"
    """Dtype of AdamW's first moment; bfloat16 saves 2 bytes per weight."""
    second_moment: Literal["float32", "bfloat16"] = "float32"
    """Dtype of AdamW's second moment; bfloat16 is rounded stochastically."""
    tokens: Count = 16_384
    """Maximum tokens per forward pass (micro-batch)."""
    patches: Count = 65_536
    """Maximum image patches per forward pass. A row that is larger by itself gets its own pass."""
    recompute: Share = 1.0
    """Share of the language model's layers with activation checkpointing, in a pass of `tokens` and `patches`; a
    smaller pass recomputes as few layers as fit into the same memory."""
    recompute_vision: Share = 1.0
    """The same for the vision tower."""
    compile: bool = False
    """Whether to compile the layers with torch.compile: takes about a minute, then runs faster on a GPU."""
    train_vision: bool = True
    """Whether the vision tower is trained too."""
    lora: LoraSettings | None = None
    """None: all weights are trained."""
    picture_cache: Count = 2 << 30
    """Bytes of image patches that each process caches."""
    seed: int = 0
