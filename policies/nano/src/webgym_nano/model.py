"""Nano as a transformers model, with newly initialized weights."""

from __future__ import annotations

import math

import torch
from transformers import Qwen3VLConfig, Qwen3VLForConditionalGeneration

from webgym_nano import characters
from webgym_nano.characters import vocabulary
from webgym_nano.config import NanoConfig

_RESIDUAL_TEXT = ("o_proj.weight", "down_proj.weight")
_RESIDUAL_VISION = ("attn.proj.weight", "mlp.linear_fc2.weight")


def model_config(config: NanoConfig = NanoConfig()) -> Qwen3VLConfig:
    """Return the transformers config."""
    ids = vocabulary()
    return Qwen3VLConfig(
        text_config={
            "vocab_size": len(ids),
            "hidden_size": config.size,
            "intermediate_size": config.inner,
            "num_hidden_layers": config.layers,
            "num_attention_heads": config.heads,
            "num_key_value_heads": config.key_heads,
            "head_dim": config.head_size,
            "max_position_embeddings": config.longest,
            "tie_word_embeddings": True,
            "pad_token_id": ids[characters.END_OF_TEXT],
            "eos_token_id": ids[characters.END_OF_TURN],
            "rope_parameters": {
                "rope_type": "default",
                "rope_theta": config.rope_theta,
                "mrope_section": list(config.mrope),
                "mrope_interleaved": True,
            },
        },
        vision_config={
            "depth": config.vision_layers,
            "hidden_size": config.vision_size,
            "intermediate_size": config.vision_inner,
            "num_heads": config.vision_heads,
            "patch_size": config.patch,
            "spatial_merge_size": config.merge,
            "temporal_patch_size": 2,
            "out_hidden_size": config.size,
            "num_position_embeddings": config.vision_grid**2,
            "deepstack_visual_indexes": list(config.deepstack),
        },
        image_token_id=ids[characters.IMAGE_PAD],
        video_token_id=ids[characters.VIDEO_PAD],
        vision_start_token_id=ids[characters.VISION_START],
        vision_end_token_id=ids[characters.VISION_END],
        tie_word_embeddings=True,
    )


def new_model(config: NanoConfig = NanoConfig(), *, seed: int = 0) -> Qwen3VLForConditionalGeneration:
    """Return a new model in float32, deterministic for a seed."""
    model = Qwen3VLForConditionalGeneration(model_config(config))
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            spread = _spread(name, weight, config)
            if spread:
                weight.normal_(std=spread, generator=generator)
    return model.eval()


def _spread(name: str, weight: torch.Tensor, config: NanoConfig) -> float:
    """Return the initial standard deviation; 0: left as it is. Residual projections are scaled down by depth."""
    if name.endswith("embed_tokens.weight"):
        return 0.05
    if name.endswith("pos_embed.weight"):
        return 0.02
    if weight.dim() < 2:
        return 0.0
    spread = weight[0].numel() ** -0.5
    if "patch_embed" in name:
        return spread * math.sqrt(2)  # both frames of its input are the same image
    if name.endswith(_RESIDUAL_TEXT):
        return spread / math.sqrt(2 * config.layers)
    if ".blocks." in name and name.endswith(_RESIDUAL_VISION):
        return spread / math.sqrt(2 * config.vision_layers)
    return spread
