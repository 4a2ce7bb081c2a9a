"""FLOPs of a row, to compare throughput with a machine's peak."""

from __future__ import annotations

from webgym_nano.config import NanoConfig
from webgym_nano.learn.letters import CLASSES, SLOT_HEIGHT, SLOT_WIDTH
from webgym_nano.learn.settings import RowSettings

_BOTH_WAYS = 3
"""Forward and backward pass, in units of the forward pass."""


def flops_of_a_row(config: NanoConfig, rows: RowSettings, words: int) -> float:
    """Return the FLOPs of one image with its segments, forward and backward. Attention counts without its mask."""
    return _BOTH_WAYS * (_vision(config) + _text(config, rows, words))


def _vision(config: NanoConfig) -> float:
    patches = (config.width // config.patch) * (config.height // config.patch)
    size, merged = config.vision_size, config.vision_size * config.merge**2
    layer = 2 * patches * (4 * size**2 + 2 * size * config.vision_inner) + 4 * patches**2 * size
    embed = 2 * patches * 3 * config.patch**2 * size
    merger = 2 * config.picture_tokens * (merged**2 + merged * config.size) * (1 + len(config.deepstack))
    slots = (config.patch // SLOT_HEIGHT) * (config.patch // SLOT_WIDTH)
    return embed + config.vision_layers * layer + merger + 2 * patches * size * slots * CLASSES


def _text(config: NanoConfig, rows: RowSettings, words: int) -> float:
    keys = config.head_size * config.key_heads
    matrices = 2 * config.size**2 + 2 * config.size * keys + 3 * config.size * config.inner
    layer = 2 * rows.tokens * matrices + 4 * rows.tokens**2 * config.size
    return config.layers * layer + 2 * rows.replies * config.size * words
