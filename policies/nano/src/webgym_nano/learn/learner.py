"""The training loop's step: model, optimizer and weight average."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from transformers import Qwen3VLForConditionalGeneration

from webgym.errors import LossNotFinite
from webgym_nano.config import NanoConfig
from webgym_nano.learn import checkpoint
from webgym_nano.learn.colours import recoloured, scaled
from webgym_nano.learn.lesson_buffer import Pile
from webgym_nano.learn.loss import Losses, Teaching
from webgym_nano.learn.measure import Measured, measure
from webgym_nano.learn.model import Pupil
from webgym_nano.learn.optimize import Average, Optimizer, schedule
from webgym_nano.learn.rows import Packer
from webgym_nano.learn.settings import LearnSettings
from webgym_nano.learn.words import Words

_HOW = ("rows", "loss", "optimizer", "batch", "recolour", "seed")
"""Settings that decide what is learned; a checkpoint can only be resumed with the same."""
_SMOOTH = 0.02
_AHEAD = 20
"""Steps that may be queued on the GPU before the CPU waits."""


def find_device(name: str) -> torch.device:
    """Return the named device; for `auto`, a GPU if there is one."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    return torch.device(name)


class Learner:
    """Trains one model on one device."""

    def __init__(
        self, model: Qwen3VLForConditionalGeneration, config: NanoConfig, settings: LearnSettings, words: Words
    ) -> None:
        self.device = find_device(settings.device)
        self.settings = settings
        self.config = config
        self.words = words
        self.packer = Packer(config, settings.rows, settings.loss, words)
        self.pupil = Pupil(model, config, words).to(self.device).train()
        self.optimizer = Optimizer(self.pupil, settings.optimizer)
        self.average = Average(self.pupil, settings.optimizer.average)
        self.step = 0
        self.seconds = 0.0
        """Seconds of the budget spent before this process resumed."""
        self._teaching = Teaching(self.pupil, settings.loss, words).to(self.device)
        self._taught: Any = self._teaching
        if self.device.type == "cuda":
            torch.set_float32_matmul_precision("high")
            if settings.compile:
                self._taught = torch.compile(self._teaching, dynamic=False)
                self.packer.compile()
        self._smooth: Tensor | None = None

    def prepare(self, pile: Pile) -> None:
        """Run a step without an update, to compile and to run out of memory, if at all, before the clock starts."""
        self._pass(pile).total.backward()
        self.optimizer.clear()
        self._wait()

    def learn(self, pile: Pile, progress: float) -> None:
        """Take one training step."""
        losses = self._pass(pile)
        losses.total.backward()
        norm = self.optimizer.step(schedule(progress, self.step, self.settings.optimizer))
        self.step += 1
        self.average.follow(self.step)
        now = torch.stack([*(loss.detach() for loss in losses), norm.detach()])
        self._smooth = now if self._smooth is None else self._smooth.lerp(now, _SMOOTH)
        if self.step % _AHEAD == 0:
            self._wait()

    def _pass(self, pile: Pile) -> Losses:
        settings = self.settings
        generator = torch.Generator().manual_seed(settings.seed * 1_000_003 + self.step)
        stack = pile.at(pile.sample(settings.batch, generator))
        rows = self.packer.pack(stack, generator)
        cuda = self.device.type == "cuda"
        pictures = scaled(stack.pictures, torch.bfloat16 if cuda else torch.float32)
        if settings.recolour:
            pictures = recoloured(pictures, generator)
        with torch.autocast(self.device.type, torch.bfloat16, enabled=cuda):
            return self._taught(pictures, rows, stack.letters)

    def figures(self) -> dict[str, float]:
        """Return losses and gradient norm, smoothed over the last steps.

        Raises:
            LossNotFinite: They are not finite; the last checkpoint is from before.
        """
        if self._smooth is None:
            return {}
        values: list[float] = self._smooth.tolist()
        found = dict(zip((*Losses._fields, "norm"), values, strict=True))
        if not all(-1e9 < value < 1e9 for value in values):
            raise LossNotFinite(f"step {self.step}: {found}")
        return found

    def measure(self, pile: Pile, most: int) -> Measured:
        """Measure the averaged weights on held-out lessons."""
        self.average.exchange()
        self.pupil.eval()
        try:
            return measure(self.pupil, self.packer, pile, self.words, most)
        finally:
            self.pupil.train()
            self.average.exchange()

    def save(self, folder: Path, seconds: float) -> None:
        """Write a checkpoint to resume from.

        Raises:
            LossNotFinite: The losses are not finite; the previous checkpoint stays.
        """
        self.figures()
        head = checkpoint.Head(self.step, seconds, self._how())
        checkpoint.save(folder, head, self.pupil, self.optimizer, self.average)

    def resume(self, folder: Path) -> bool:
        """Resume from a checkpoint; return whether there was one."""
        head = checkpoint.restore(folder, self._how(), self.pupil, self.optimizer, self.average)
        if head is not None:
            self.step, self.seconds = head.step, head.seconds
        return head is not None

    def _how(self) -> dict[str, Any]:
        return self.settings.model_dump(mode="json", include=set(_HOW))

    def _wait(self) -> None:
        if self.device.type == "cuda":
            torch.cuda.synchronize()
