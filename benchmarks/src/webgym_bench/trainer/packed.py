"""Our trainer, used as in training, on rows held in memory."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from webgym.algorithms.settings import LossSettings
from webgym.records.sample import Batch, Sample
from webgym.train.estimate import fitted
from webgym.train.load import PublishedModel
from webgym.train.open import build
from webgym.train.optimizer import DTYPES
from webgym.train.pack_loader import PackLoader
from webgym.train.packing import PassBudget
from webgym.train.recipe import GroupSource, Optimizer, Recipe, Updates
from webgym.train.settings import TrainerSettings
from webgym.train.shape import Shape, shape_of
from webgym.train.trainer import ModelTrainer
from webgym_bench.trainer.clock import now
from webgym_bench.trainer.work import Kind, Noise

RECIPE = Recipe(source=GroupSource(), loss=LossSettings(), optimizer=Optimizer(lr=1e-6), updates=Updates())
_LEAVE = 2 << 30
"""Bytes of GPU memory to leave unused."""


class PackedLoop:
    """One optimizer step over all rows."""

    def __init__(self, config: Any, kind: Kind, device: torch.device, settings: TrainerSettings) -> None:
        shape = shape_of(config)
        model = build(shape, settings, device)
        model.scramble(0)
        noise = Noise(kind, shape, DTYPES[settings.precision])
        loader = PackLoader(noise, shape, PassBudget(settings.tokens, settings.patches), device)
        source = PublishedModel(Path(), config, shape)
        self.trainer = ModelTrainer(model, loader, RECIPE, settings, source=source)
        self.optimizer_seconds = 0.0
        self._began = 0.0
        self._device = device
        self.trainer.optimizer.register_step_pre_hook(self._begin)
        self.trainer.optimizer.register_step_post_hook(self._end)

    def step(self, samples: list[Sample]) -> float:
        report = self.trainer.step(Batch(tuple(samples)))
        return report.updates[-1].loss

    def _begin(self, *_: Any) -> None:
        self._began = now(self._device)

    def _end(self, *_: Any) -> None:
        self.optimizer_seconds = now(self._device) - self._began


def settings_for(
    shape: Shape, samples: list[Sample], kind: Kind, device: torch.device, *, compiled: bool
) -> TrainerSettings:
    """Recompute as few layers as GPU memory allows. On a CPU, use float32 without recomputation."""
    longest = max(len(sample.prompt) + len(sample.sampled) for sample in samples) // 4
    patches = max(len(sample.pictures) for sample in samples) * kind.grid[0] * kind.grid[1]
    if device.type == "cpu":
        return TrainerSettings(device="cpu", precision="float32", recompute=0.0, recompute_vision=0.0, compile=compiled)
    large = shape.parameters > 4e9
    tokens = max(longest, 6_000 if large else 20_000)
    settings = TrainerSettings(
        device="cuda",
        precision="bfloat16",
        tokens=tokens,
        patches=max(patches, 3 * tokens),
        first_moment="bfloat16" if large else "float32",
        second_moment="bfloat16" if large else "float32",
        compile=compiled,
    )
    return fitted(shape, settings, torch.cuda.mem_get_info(device)[0] - _LEAVE)
