"""A moving average of the trained weights: what updates have in common stays, and their noise cancels."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor

from webgym.train.model import PackedModel
from webgym.train.optimizer import trainable


class WeightAverage:
    """The mean of the weights after each batch, which turns into an exponential one with this decay."""

    def __init__(self, model: PackedModel, decay: float) -> None:
        self._model = model
        self._decay = decay
        self._means = {name: weight.detach().clone() for name, weight in trainable(model)}

    @torch.no_grad()
    def add(self, batches: int) -> None:
        """Add the current weights, those after this many batches."""
        share = max(1 - self._decay, 1 / batches)
        for name, weight in trainable(self._model):
            self._means[name].lerp_(weight, share)

    def tensors(self) -> Iterator[tuple[str, Tensor]]:
        """Yield the means by the names of their weights."""
        yield from self._means.items()

    @contextmanager
    def in_place(self) -> Generator[None]:
        """Have the model hold the means inside the block."""
        self._swap()
        try:
            yield
        finally:
            self._swap()

    @torch.no_grad()
    def _swap(self) -> None:
        for name, weight in trainable(self._model):
            held = weight.clone()
            weight.copy_(self._means[name])
            self._means[name].copy_(held)
