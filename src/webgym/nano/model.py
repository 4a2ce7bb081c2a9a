"""Nano with fresh weights."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import torch

from webgym.nano.config import NanoConfig, model_config

if TYPE_CHECKING:
    from transformers import Qwen3VLForConditionalGeneration

_RESIDUAL_TEXT = ("o_proj.weight", "down_proj.weight")
_RESIDUAL_VISION = ("attn.proj.weight", "mlp.linear_fc2.weight")


def new_model(config: NanoConfig = NanoConfig(), *, seed: int = 0) -> Qwen3VLForConditionalGeneration:
    """In float32, the same for the same seed."""
    from transformers import Qwen3VLForConditionalGeneration

    model = Qwen3VLForConditionalGeneration(model_config(config))
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            spread = _spread(name, weight, config)
            if spread:
                weight.normal_(std=spread, generator=generator)
    return model.eval()


def _spread(name: str, weight: torch.Tensor, config: NanoConfig) -> float:
    """Of a weight's first values; 0 where they stay as they are. What adds to the residual grows with depth."""
    if name.endswith("embed_tokens.weight"):
        return 0.05
    if name.endswith("pos_embed.weight"):
        return 0.02
    if weight.dim() < 2:
        return 0.0
    spread = weight[0].numel() ** -0.5
    if "patch_embed" in name:
        return spread * math.sqrt(2)  # both frames of its input are the same picture
    if name.endswith(_RESIDUAL_TEXT):
        return spread / math.sqrt(2 * config.layers)
    if ".blocks." in name and name.endswith(_RESIDUAL_VISION):
        return spread / math.sqrt(2 * config.vision_layers)
    return spread
