"""The trainer: takes batches of samples, updates the model's weights."""

from __future__ import annotations

import functools
import math
import operator
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from webgym.algorithms.losses.chosen import loss_of
from webgym.algorithms.losses.tokens import LossTokens
from webgym.errors import LossNotFinite
from webgym.records.sample import AVERAGED, Batch, PolicyVersion, Sample
from webgym.train.diagnostics import TokenSums
from webgym.train.distributed_tensors import full_tensor, processes, rank
from webgym.train.estimate import fitted_to_pass
from webgym.train.load import PublishedModel, save_weights
from webgym.train.logprobs import TokenLogprobs
from webgym.train.loss import policy_loss
from webgym.train.model import PackedModel
from webgym.train.optimizer import adamw
from webgym.train.pack_loader import PackLoader
from webgym.train.packing import Pack
from webgym.train.recipe import Minibatch, Recipe, plan_updates
from webgym.train.report import StepReport, UpdateFigures
from webgym.train.rows import SampleRow
from webgym.train.settings import TrainerSettings
from webgym.train.shard import added_up, largest
from webgym.train.typed import backward, split
from webgym.train.weight_average import WeightAverage


@dataclass(frozen=True, slots=True)
class FixedLogprobs:
    """Logprobs that stay fixed while training on a batch, by row."""

    proximal: dict[int, Tensor]
    reference: dict[int, Tensor]


class ModelTrainer:
    """Trains a model on batches, one at a time."""

    def __init__(
        self,
        model: PackedModel,
        loader: PackLoader,
        recipe: Recipe,
        settings: TrainerSettings,
        *,
        source: PublishedModel,
        reference: PackedModel | None = None,
    ) -> None:
        self.model = model
        self.recipe = recipe
        self.settings = settings
        self.source = source
        self.optimizer = adamw(model, recipe.optimizer, settings)
        self.steps = 0
        """Optimizer steps taken so far."""
        self.batches = 0
        """Batches trained on so far."""
        self.average = WeightAverage(model, recipe.optimizer.average) if recipe.optimizer.average else None
        self._loader = loader
        self._of_tokens = loss_of(recipe.loss)
        self._reference = reference

    def step(self, batch: Batch) -> StepReport:
        """Train on a batch.

        Raises:
            SampleError: It is empty, or a sample does not fit the model.
            TokenizerMismatch: A sample was made with another vocabulary.
            LossNotFinite: Loss or gradients are not finite. That optimizer step was not taken.
        """
        began = time.monotonic()
        rows = self._loader.rows(batch.samples)
        plan = plan_updates(len(rows), self.recipe.updates, self.settings.seed + self.batches)
        known = self._known(rows, plan)
        passes = 0
        updates: list[UpdateFigures] = []
        for minibatch in plan:
            figures, count = self._update([rows[n] for n in minibatch.rows], minibatch, known, batch.done)
            updates.append(figures)
            passes += count
        self.batches += 1
        if self.average is not None:
            self.average.add(self.batches)
        return StepReport(
            version=batch.version + 1,
            rows=len(rows),
            tokens=sum(len(row.ids) for row in rows),
            sampled=sum(row.sampled for row in rows),
            pictures=len({address for row in rows for address in row.pictures}),
            passes=passes,
            seconds=time.monotonic() - began,
            updates=tuple(updates),
        )

    def logprobs(self, samples: Sequence[Sample]) -> list[Tensor]:
        """Return the logprobs of each sample's sampled tokens under the current weights.

        Raises:
            SampleError: There are none, or one does not fit the model.
        """
        found = self._logprobs(self.model, self._loader.rows(samples, weighted=False))
        return [found[number] for number in range(len(samples))]

    def passes(self, samples: Sequence[Sample]) -> Iterator[tuple[Pack, TokenLogprobs]]:
        """Yield the model's outputs for these samples, pass by pass. Gradients flow.

        Raises:
            SampleError: There are none, or one does not fit the model.
        """
        for pack in self._loader.packs(self._loader.rows(samples)):
            yield pack, self.model(pack)

    def save(self, folder: Path, version: int) -> PolicyVersion:
        """Write the weights, and their average, as checkpoints for inference. All ranks must call it."""
        found = save_weights(self.model, self.source.config, folder, self.source.folder)
        if self.average is not None:
            with self.average.in_place():
                save_weights(self.model, self.source.config, folder / AVERAGED, self.source.folder)
        return PolicyVersion(version, str(folder), found)

    def _known(self, rows: list[SampleRow], plan: Sequence[Minibatch]) -> FixedLogprobs:
        """Compute proximal and reference logprobs before the first update.

        Rows of the first minibatch need no proximal pass, since its update runs with these weights anyway; unless
        another rank may need their logprobs later.
        """
        loss = self.recipe.loss
        first = set(plan[0].rows) if processes() == 1 or len(plan) == 1 else set[int]()
        later = [row for place, row in enumerate(rows) if place not in first]
        proximal = self._logprobs(self.model, later) if loss.needs_proximal and later else {}
        reference = self._logprobs(self._reference, rows) if loss.kl and self._reference is not None else {}
        return FixedLogprobs(proximal, reference)

    @torch.no_grad()
    def _logprobs(self, model: PackedModel, rows: list[SampleRow]) -> dict[int, Tensor]:
        order = sorted(rows, key=lambda row: row.number)
        found = torch.zeros(sum(row.sampled for row in order), device=self._loader.device)
        by_row = dict(zip((row.number for row in order), split(found, [row.sampled for row in order]), strict=True))
        for pack in self._loader.packs(order, rank(), processes()):
            parts = split(model(pack).logprobs, pack.lengths)
            for number, part in zip(pack.numbers, parts, strict=True):
                if not pack.spare:
                    by_row[number].copy_(part)
        added_up(found)
        return by_row

    def _update(
        self, rows: list[SampleRow], minibatch: Minibatch, known: FixedLogprobs, done: float
    ) -> tuple[UpdateFigures, int]:
        losses: list[Tensor] = []
        sums: list[TokenSums] = []
        for pack in self._loader.packs(rows, rank(), processes()):
            self._save_memory(pack)
            loss, of_pack = self._loss(pack, known)
            # FSDP averages gradients over ranks; these have to be summed.
            backward(loss * (minibatch.scale * processes()))
            losses.append(loss.detach())
            sums.append(of_pack)
        lr = self.recipe.optimizer.lr_at(self.steps, done)
        total, norm = self._move(torch.stack(losses).sum(), lr)
        figures = _over_processes(functools.reduce(operator.add, sums)).report()
        return UpdateFigures(minibatch.epoch, len(rows), total, norm, lr, figures), len(losses)

    def _save_memory(self, pack: Pack) -> None:
        settings = self.settings
        if settings.recompute or settings.recompute_vision:
            settings = fitted_to_pass(self.model.shape, settings, len(pack.ids), pack.patches)
            vision = settings.recompute_vision if settings.train_vision else 0.0
            self.model.save_memory(text=settings.recompute, vision=vision)

    def _loss(self, pack: Pack, known: FixedLogprobs) -> tuple[Tensor, TokenSums]:
        spoken = self.model(pack)
        tokens = LossTokens(
            current=spoken.logprobs,
            weights=pack.weights,
            behaviour=pack.behaviour,
            proximal=self._proximal(pack, spoken.logprobs, known),
            reference=torch.cat([known.reference[n] for n in pack.numbers]) if known.reference else None,
            advantages=pack.advantages,
            rows=pack.rows,
            entropy=spoken.entropy,
        )
        return policy_loss(tokens, self.recipe.loss, self._of_tokens)

    def _proximal(self, pack: Pack, current: Tensor, known: FixedLogprobs) -> Tensor | None:
        if not self.recipe.loss.needs_proximal:
            return None
        for number, part in zip(pack.numbers, split(current.detach(), pack.lengths), strict=True):
            known.proximal.setdefault(number, part)
        return torch.cat([known.proximal[number] for number in pack.numbers])

    def _move(self, loss: Tensor, lr: float) -> tuple[float, float]:
        """Clip gradients and take one optimizer step, unless something is not finite."""
        weights = [weight for group in self.optimizer.param_groups for weight in group["params"]]
        norm: Any = torch.nn.utils.clip_grad_norm_(weights, self.recipe.optimizer.clip_norm)
        total, size = float(added_up(loss)), float(full_tensor(norm))
        if not (math.isfinite(total) and math.isfinite(size)):
            self.optimizer.zero_grad()
            what = f"loss {total}, gradient norm {size}"
            raise LossNotFinite(f"optimizer step {self.steps + 1} was skipped: {what}")
        for group in self.optimizer.param_groups:
            group["lr"] = lr
        self.optimizer.step()
        self.optimizer.zero_grad()
        self.steps += 1
        return total, size


def _over_processes(sums: TokenSums) -> TokenSums:
    return TokenSums(added_up(sums.sums), largest(sums.peaks))
