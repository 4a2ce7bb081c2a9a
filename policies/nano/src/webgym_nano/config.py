"""Dimensions of nano, and its image preprocessing."""

from __future__ import annotations

from collections.abc import Mapping

from webgym.records.base import Record


class NanoConfig(Record, frozen=True):
    """Dimensions of a Qwen3-VL small enough to ship: 9.9 million parameters by default."""

    width: int = 448
    """Width of screenshots, in pixels."""
    height: int = 320
    patch: int = 16
    merge: int = 2
    """Patches along each side of one token: 448 by 320 pixels are 140 tokens."""
    vision_layers: int = 6
    vision_size: int = 256
    vision_heads: int = 4
    vision_inner: int = 1024
    vision_grid: int = 24
    """Side of the square grid of learned positions, which is interpolated to the image."""
    deepstack: tuple[int, ...] = ()
    """Vision layers whose features are added to the first text layers; each has a merger of 1.3 million parameters."""
    layers: int = 4
    size: int = 256
    heads: int = 4
    key_heads: int = 2
    inner: int = 768
    longest: int = 4096
    """Maximum tokens of a prompt and its reply."""
    rope_theta: float = 10_000.0

    @property
    def head_size(self) -> int:
        return self.size // self.heads

    @property
    def picture_tokens(self) -> int:
        """Tokens of a screenshot."""
        cell = self.patch * self.merge
        return (self.width // cell) * (self.height // cell)

    @property
    def mrope(self) -> tuple[int, int, int]:
        """Number of rotary frequencies for time, height and width, in the proportions of Qwen3-VL."""
        half = self.head_size // 2
        side = half * 5 // 16
        return (half - 2 * side, side, side)


SIZES: Mapping[str, NanoConfig] = {
    "10m": NanoConfig(),
    "28m": NanoConfig(
        vision_layers=8, vision_size=384, vision_heads=6, vision_inner=1536, layers=6, size=384, heads=6, inner=1152
    ),
    "116m": NanoConfig(
        vision_layers=12, vision_size=640, vision_heads=10, vision_inner=2560, layers=10, size=640, heads=10, inner=1920
    ),
}
"""By number of parameters. The first is what ships."""


def picture_settings(config: NanoConfig = NanoConfig()) -> dict[str, object]:
    """Return `preprocessor_config.json`. Larger images are shrunk to take no more tokens than a screenshot."""
    cell = config.patch * config.merge
    return {
        "image_processor_type": "Qwen2VLImageProcessor",
        "processor_class": "Qwen3VLProcessor",
        "patch_size": config.patch,
        "merge_size": config.merge,
        "temporal_patch_size": 2,
        "size": {"shortest_edge": cell * cell, "longest_edge": config.width * config.height},
        "resample": 3,
        "do_convert_rgb": True,
        "do_resize": True,
        "do_rescale": True,
        "rescale_factor": 1 / 255,
        "do_normalize": True,
        "image_mean": [0.5, 0.5, 0.5],
        "image_std": [0.5, 0.5, 0.5],
    }
