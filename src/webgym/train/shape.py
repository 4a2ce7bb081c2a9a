"""Dimensions of a Qwen3-VL model, read from its config."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from webgym.errors import ModelError

_VISION_THETA = 10_000.0


@dataclass(frozen=True, slots=True)
class TextShape:
    """Dimensions of the language model."""

    vocabulary: int
    width: int
    mlp: int
    layers: int
    heads: int
    kv_heads: int
    head_width: int
    theta: float
    sections: tuple[int, int, int]
    """Number of rotary frequencies for time, height and width."""
    epsilon: float
    bias: bool

    @property
    def layer_parameters(self) -> int:
        """Parameters in the matrices of one layer; norms are negligible."""
        attention = self.width * self.head_width * 2 * (self.heads + self.kv_heads)
        return attention + 3 * self.width * self.mlp

    @property
    def embedding_parameters(self) -> int:
        return self.vocabulary * self.width


@dataclass(frozen=True, slots=True)
class VisionShape:
    """Dimensions of the vision tower."""

    width: int
    mlp: int
    layers: int
    heads: int
    patch: int
    frames: int
    """Frames per patch; a still image is repeated to fill them."""
    channels: int
    merge: int
    """Patches along each side of one token."""
    out: int
    side: int
    """Side of the square grid of learned positions."""
    deepstack: tuple[int, ...]
    """Layers whose features are added to the first layers of the language model."""
    activation: str
    theta: float

    @property
    def patch_values(self) -> int:
        """Values per patch, without the repeated frames."""
        return self.channels * self.patch * self.patch

    @property
    def layer_parameters(self) -> int:
        return 4 * self.width * self.width + 2 * self.width * self.mlp

    @property
    def merger_parameters(self) -> int:
        """Parameters of one merger; there is one per deepstack layer, and one more."""
        wide = self.width * self.merge**2
        return wide * wide + wide * self.out


@dataclass(frozen=True, slots=True)
class Shape:
    """Dimensions of a whole model."""

    text: TextShape
    vision: VisionShape
    image_token: int
    tied: bool
    """Whether the output matrix is tied to the embedding."""

    @property
    def text_parameters(self) -> int:
        """Parameters that a token is multiplied with: layers and output matrix, without the embedding."""
        return self.text.layers * self.text.layer_parameters + self.text.embedding_parameters

    @property
    def vision_parameters(self) -> int:
        vision = self.vision
        mergers = (1 + len(vision.deepstack)) * vision.merger_parameters
        embedding = vision.patch_values * vision.frames * vision.width + vision.side**2 * vision.width
        return vision.layers * vision.layer_parameters + mergers + embedding

    @property
    def parameters(self) -> int:
        embedding = 0 if self.tied else self.text.embedding_parameters
        return self.text_parameters + self.vision_parameters + embedding


def shape_of(config: Any) -> Shape:
    """Return the shape of a model with this transformers config.

    Raises:
        ModelError: It is of another architecture, or uses features that this trainer does not support.
    """
    if getattr(config, "model_type", None) != "qwen3_vl":
        raise ModelError(f"the model is a {getattr(config, 'model_type', 'unknown type')!r}; qwen3_vl is needed")
    shape = Shape(_text(config.text_config), _vision(config.vision_config), config.image_token_id, _tied(config))
    if shape.vision.out != shape.text.width:
        raise ModelError(f"the vision output width {shape.vision.out} differs from the text width {shape.text.width}")
    return shape


def _tied(config: Any) -> bool:
    """Whether embeddings are tied; old checkpoints say so in the text config only."""
    return bool(config.tie_word_embeddings or getattr(config.text_config, "tie_word_embeddings", False))


def _text(config: Any) -> TextShape:
    rope: dict[str, Any] = getattr(config, "rope_parameters", None) or {}
    if rope.get("rope_type", "default") != "default":
        raise ModelError(f"rope of type {rope['rope_type']!r} is not supported")
    if config.hidden_act != "silu" or config.attention_dropout:
        raise ModelError("only silu without dropout is supported")
    first, second, third = rope.get("mrope_section", (24, 20, 20))
    return TextShape(
        vocabulary=config.vocab_size,
        width=config.hidden_size,
        mlp=config.intermediate_size,
        layers=config.num_hidden_layers,
        heads=config.num_attention_heads,
        kv_heads=config.num_key_value_heads,
        head_width=config.head_dim,
        theta=float(rope["rope_theta"]),
        sections=(first, second, third),
        epsilon=config.rms_norm_eps,
        bias=config.attention_bias,
    )


def _vision(config: Any) -> VisionShape:
    side = int(config.num_position_embeddings**0.5)
    if side * side != config.num_position_embeddings:
        raise ModelError(f"{config.num_position_embeddings} position embeddings do not form a square grid")
    rope: dict[str, Any] = getattr(config, "rope_parameters", None) or {}
    return VisionShape(
        width=config.hidden_size,
        mlp=config.intermediate_size,
        layers=config.depth,
        heads=config.num_heads,
        patch=config.patch_size,
        frames=config.temporal_patch_size,
        channels=config.in_channels,
        merge=config.spatial_merge_size,
        out=config.out_hidden_size,
        side=side,
        deepstack=tuple(config.deepstack_visual_indexes),
        activation=config.hidden_act,
        theta=float(rope.get("rope_theta", _VISION_THETA)),
    )
