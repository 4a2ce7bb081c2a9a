"""Dimensions of a Qwen3-VL model, read from its `config.json`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from webgym.errors import ConfigError
from webgym.records.base import Record


class Rope(Record, frozen=True):
    """Parameters of the rotary embeddings."""

    rope_theta: float = 0.0
    rope_type: str = "default"
    mrope_section: tuple[int, int, int] = (24, 20, 20)


class TextConfig(Record, frozen=True):
    """Dimensions of the language model."""

    vocab_size: int
    hidden_size: int
    intermediate_size: int
    num_hidden_layers: int
    num_attention_heads: int
    num_key_value_heads: int
    head_dim: int
    max_position_embeddings: int = 128_000
    rms_norm_eps: float = 1e-6
    rope_parameters: Rope | None = None
    rope_scaling: Rope | None = None
    """Older checkpoints' name for `rope_parameters`."""
    rope_theta: float = 0.0
    attention_bias: bool = False
    hidden_act: str = "silu"
    eos_token_id: int | tuple[int, ...] | None = None

    @property
    def rope(self) -> Rope:
        """The rotary parameters, under whichever name they are given."""
        rope = self.rope_parameters or self.rope_scaling or Rope()
        return msgspec.structs.replace(rope, rope_theta=rope.rope_theta or self.rope_theta or 500_000.0)

    @property
    def groups(self) -> int:
        """Query heads per key head."""
        return self.num_attention_heads // self.num_key_value_heads


class VisionConfig(Record, frozen=True):
    """Dimensions of the vision tower."""

    depth: int
    hidden_size: int
    intermediate_size: int
    num_heads: int
    out_hidden_size: int
    num_position_embeddings: int
    patch_size: int = 16
    spatial_merge_size: int = 2
    temporal_patch_size: int = 2
    in_channels: int = 3
    deepstack_visual_indexes: tuple[int, ...] = (8, 16, 24)
    hidden_act: str = "gelu_pytorch_tanh"

    @property
    def head_dim(self) -> int:
        return self.hidden_size // self.num_heads

    @property
    def side(self) -> int:
        """Side of the square grid of learned positions."""
        return int(self.num_position_embeddings**0.5)


class CheckpointConfig(Record, frozen=True):
    """Dimensions of the whole model."""

    text_config: TextConfig
    vision_config: VisionConfig
    image_token_id: int
    video_token_id: int
    vision_start_token_id: int
    vision_end_token_id: int
    model_type: str = ""
    tie_word_embeddings: bool = False

    @property
    def vision_ids(self) -> frozenset[int]:
        """Tokens that stand for images or mark their boundaries: they end a reply."""
        return frozenset(
            (self.image_token_id, self.video_token_id, self.vision_start_token_id, self.vision_end_token_id)
        )


def read_shape(folder: Path) -> CheckpointConfig:
    """Return the dimensions of the checkpoint in a folder.

    Raises:
        ConfigError: There is none, or it is not a Qwen3-VL that this engine can serve.
    """
    try:
        shape = msgspec.json.decode((folder / "config.json").read_bytes(), type=CheckpointConfig, strict=False)
    except OSError as error:
        raise ConfigError(f"{folder} holds no model: {error}") from error
    except msgspec.DecodeError as error:
        raise ConfigError(f"{folder}/config.json is not that of a Qwen3-VL model: {error}") from error
    text = shape.text_config
    unlike = {
        f"model_type {shape.model_type!r}": shape.model_type != "qwen3_vl",
        f"rope_type {text.rope.rope_type!r}": text.rope.rope_type != "default",
        "attention_bias": text.attention_bias,
        f"hidden_act {text.hidden_act!r}": text.hidden_act != "silu",
        f"hidden_act {shape.vision_config.hidden_act!r} of the vision tower": shape.vision_config.hidden_act
        != "gelu_pytorch_tanh",
        "a deepstack into the last layer": len(shape.vision_config.deepstack_visual_indexes) >= text.num_hidden_layers,
    }
    if wrong := [what for what, true in unlike.items() if true]:
        raise ConfigError(f"the engine cannot serve {folder}: {', '.join(wrong)}")
    return shape


def end_ids(folder: Path, shape: CheckpointConfig) -> frozenset[int]:
    """Return the tokens that end a reply, from `generation_config.json`, or else `config.json`."""
    told: Any = None
    path = folder / "generation_config.json"
    if path.is_file():
        told = msgspec.json.decode(path.read_bytes()).get("eos_token_id")
    told = shape.text_config.eos_token_id if told is None else told
    if told is None:
        raise ConfigError(f"{folder} does not say which token ends a reply")
    return frozenset([told] if isinstance(told, int) else told)
