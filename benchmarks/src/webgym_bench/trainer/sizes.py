"""Model sizes to measure: published shapes, random weights."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def _config(text: dict[str, Any], vision: dict[str, Any], *, tied: bool, tokens: tuple[int, int, int]) -> Any:
    from transformers import Qwen3VLConfig  # noqa: PLC0415  slow to import

    image, start, end = tokens
    return Qwen3VLConfig(
        text_config={"max_position_embeddings": 262_144} | text,
        vision_config={"spatial_merge_size": 2, "temporal_patch_size": 2, "patch_size": 16} | vision,
        image_token_id=image,
        video_token_id=image + 1,
        vision_start_token_id=start,
        vision_end_token_id=end,
        tie_word_embeddings=tied,
    )


def _rope(*sections: int) -> dict[str, Any]:
    return {"rope_type": "default", "rope_theta": 5_000_000.0, "mrope_section": list(sections)}


def _large(width: int, mlp: int, layers: int, heads: int, **vision: Any) -> Any:
    text = {
        "vocab_size": 151_936,
        "hidden_size": width,
        "intermediate_size": mlp,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "num_key_value_heads": 8,
        "head_dim": 128,
        "rope_parameters": _rope(24, 20, 20),
    }
    seeing = {"num_heads": 16, "out_hidden_size": width, "num_position_embeddings": 2304} | vision
    return _config(text, seeing, tied=width < 4096, tokens=(151_655, 151_652, 151_653))


def _small(width: int, mlp: int, layers: int, depth: int) -> Any:
    text = {
        "vocab_size": 512,
        "hidden_size": width,
        "intermediate_size": mlp,
        "num_hidden_layers": layers,
        "num_attention_heads": width // 32,
        "num_key_value_heads": width // 64,
        "head_dim": 32,
        "rope_parameters": _rope(6, 5, 5),
    }
    vision = {
        "hidden_size": width,
        "intermediate_size": 2 * width,
        "depth": depth,
        "num_heads": width // 32,
        "out_hidden_size": width,
        "num_position_embeddings": 256,
        "deepstack_visual_indexes": [depth // 2],
    }
    return _config(text, vision, tied=True, tokens=(500, 501, 502))


SIZES: Mapping[str, Callable[[], Any]] = {
    "tiny": lambda: _small(64, 128, 2, 2),
    "nano": lambda: _small(256, 768, 6, 6),
    "2b": lambda: _large(
        2048, 6144, 28, 16, hidden_size=1024, intermediate_size=4096, depth=24, deepstack_visual_indexes=[5, 11, 17]
    ),
    "8b": lambda: _large(
        4096, 12_288, 36, 32, hidden_size=1152, intermediate_size=4304, depth=27, deepstack_visual_indexes=[8, 16, 24]
    ),
}
