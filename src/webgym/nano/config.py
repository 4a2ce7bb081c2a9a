"""How large nano is, and what it is shown."""

from __future__ import annotations

from webgym.records.base import Record


class NanoConfig(Record, frozen=True):
    """Sizes of a Qwen3-VL small enough to ship: 9.9 million parameters unless told otherwise."""

    width: int = 448
    """Of the screenshots it is made for, in pixels."""
    height: int = 320
    patch: int = 16
    merge: int = 2
    """Patches of a side that become one token: 448 by 320 pixels are 140 tokens."""
    vision_layers: int = 6
    vision_size: int = 256
    vision_heads: int = 4
    vision_inner: int = 1024
    vision_grid: int = 24
    """Learned positions of a side; resampled to the picture's."""
    deepstack: tuple[int, ...] = ()
    """Vision layers that also reach into the first text layers; a merger of 1.3 million parameters each."""
    layers: int = 4
    size: int = 256
    heads: int = 4
    key_heads: int = 2
    inner: int = 768
    longest: int = 4096
    """Tokens of a prompt and its reply."""
    rope_theta: float = 10_000.0

    @property
    def head_size(self) -> int:
        return self.size // self.heads

    @property
    def picture_tokens(self) -> int:
        """That a screenshot of its size takes."""
        cell = self.patch * self.merge
        return (self.width // cell) * (self.height // cell)

    @property
    def mrope(self) -> tuple[int, int, int]:
        """Frequencies for time, height and width, in the proportions of Qwen3-VL."""
        half = self.head_size // 2
        side = half * 5 // 16
        return (half - 2 * side, side, side)


def picture_settings(config: NanoConfig = NanoConfig()) -> dict[str, object]:
    """`preprocessor_config.json`: larger pictures are made smaller, and take no more tokens than a screenshot."""
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
