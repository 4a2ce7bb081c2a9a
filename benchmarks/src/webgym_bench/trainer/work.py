"""Training rows like those of a web agent: a few screenshots, text before each, and a reply that carries the loss."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from webgym.records.sample import Sample
from webgym.train.positions import Grid
from webgym.train.shape import Shape

_WORDS = 400
"""Token ids that are plain text in every size."""


@dataclass(frozen=True, slots=True)
class Range:
    """A range of integers, both ends included."""

    least: int
    most: int

    def draw(self, rng: random.Random) -> int:
        return rng.randint(self.least, self.most)


@dataclass(frozen=True, slots=True)
class Kind:
    """The distribution that rows are drawn from."""

    grid: Grid
    pictures: Range
    text: Range
    """Text tokens before each picture."""
    reply: Range


WEB = Kind(grid=(48, 80), pictures=Range(2, 5), text=Range(30, 500), reply=Range(80, 400))
"""Rows with screenshots of 1280 by 768."""
SMALL = Kind(grid=(16, 28), pictures=Range(2, 5), text=Range(10, 60), reply=Range(20, 60))
"""Rows with screenshots of 448 by 256."""


def make_rows(count: int, kind: Kind, config: Any, seed: int) -> list[Sample]:
    """Draw rows from the seed. No picture occurs twice, so that sharing gains nothing."""
    rng = random.Random(f"rows {seed}")  # noqa: S311 (must be repeatable, not secret)
    return [_row(number, kind, config, rng) for number in range(count)]


def _row(number: int, kind: Kind, config: Any, rng: random.Random) -> Sample:
    pictures = kind.pictures.draw(rng)
    tokens = kind.grid[0] * kind.grid[1] // config.vision_config.spatial_merge_size**2
    prompt: list[int] = []
    for _ in range(pictures):
        prompt += _words(kind.text.draw(rng), rng)
        prompt += [config.vision_start_token_id, *[config.image_token_id] * tokens, config.vision_end_token_id]
    length = kind.reply.draw(rng)
    return Sample(
        attempt_id=f"attempt-{number}",
        group="group",
        step=0,
        prompt=array("i", prompt).tobytes(),
        pictures=tuple(f"{number}/{each}" for each in range(pictures)),
        sampled=array("i", _words(length, rng)).tobytes(),
        logprobs=array("f", [-1.0] * length).tobytes(),
        versions=array("i", [0] * length).tobytes(),
        weights=array("f", [1.0 / length] * length).tobytes(),
        advantage=1.0,
    )


def _words(count: int, rng: random.Random) -> list[int]:
    return [rng.randrange(_WORDS) for _ in range(count)]


class Noise:
    """Returns the same in-memory noise for every picture, since decoding is not what is measured."""

    def __init__(self, kind: Kind, shape: Shape, dtype: torch.dtype) -> None:
        self._grid = kind.grid
        generator = torch.Generator().manual_seed(0)
        size = (kind.grid[0] * kind.grid[1], shape.vision.patch_values)
        self._patches = torch.randn(size, generator=generator).to(dtype)

    def grid(self, address: str) -> Grid:  # noqa: ARG002  the same for all
        return self._grid

    def patches(self, addresses: Iterable[str]) -> dict[str, Tensor]:
        return dict.fromkeys(addresses, self._patches)


def count(samples: list[Sample], kind: Kind) -> tuple[int, int]:
    """Return the number of tokens and of patches."""
    tokens = sum(len(sample.prompt) + len(sample.sampled) for sample in samples) // 4
    return tokens, sum(len(sample.pictures) for sample in samples) * kind.grid[0] * kind.grid[1]
