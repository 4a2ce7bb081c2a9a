"""Nano small enough for tests that learn."""

from webgym_nano.config import NanoConfig

SMALL = NanoConfig(
    vision_layers=1,
    vision_size=32,
    vision_heads=2,
    vision_inner=64,
    vision_grid=8,
    layers=2,
    size=64,
    heads=2,
    key_heads=1,
    inner=128,
)
