"""Gradients of a stored run's groups, each in a few numbers."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

import torch
from torch import Tensor

from webgym.bench.signal.share import Contrast
from webgym.buffer.samples import SampleMaker
from webgym.records.sample import Sample
from webgym.store.read import Run
from webgym.train.loss import LossTokens, policy_loss
from webgym.train.optimizer import trainable
from webgym.train.recipe import LossSettings
from webgym.train.trainer import Trainer

WIDTH = 1 << 17
"""Numbers that stand for a gradient. Products of two of them are off by 1/sqrt of this, in any direction."""

Group = list[tuple[str, bool]]
"""Attempts, and whether they succeeded."""
Told = Callable[[int, int], None]
"""Groups that are done, of how many."""


def mixed_groups(run: Run) -> list[Group]:
    """Groups in which some attempts succeeded and some did not."""
    found: defaultdict[str, Group] = defaultdict(list)
    for row in run.rows():
        if row.reward is not None:
            found[row.group].append((row.attempt_id, row.reward > 0))
    return [group for group in found.values() if len({won for _, won in group}) > 1]


class Sketch:
    """Makes a few numbers of many, so that products of two gradients stay about what they are."""

    def __init__(self, weights: Sequence[Tensor], width: int = WIDTH) -> None:
        self._weights = weights
        self._width = width
        self._device = weights[0].device
        draws = torch.Generator().manual_seed(0)
        count = sum(weight.numel() for weight in weights)
        self._places = torch.randint(0, width, (count,), generator=draws).to(self._device)
        self._signs = (torch.randint(0, 2, (count,), generator=draws) * 2 - 1).to(self._device, torch.int8)

    def blank(self) -> Tensor:
        return torch.zeros(self._width, device=self._device)

    def of(self, loss: Tensor, *, last: bool) -> Tensor:
        """Of the gradient of a loss; unless it is the `last`, there are others of the same pass."""
        grads = torch.autograd.grad(loss, self._weights, retain_graph=not last, materialize_grads=True)
        flat = torch.cat([grad.flatten().float() for grad in grads])
        return self.blank().index_add_(0, self._places, flat * self._signs)


def contrasts(
    trainer: Trainer,
    run: Run,
    groups: Sequence[Group],
    maker: SampleMaker,
    dampings: Sequence[float],
    seconds: float,
    told: Told,
) -> dict[float, list[Contrast]]:
    """Of each group, for each damping; of as many groups as there is time for."""
    sketch = Sketch([weight for _, weight in trainable(trainer.model)])
    end = time.monotonic() + seconds
    found: dict[float, list[Contrast]] = {damping: [] for damping in dampings}
    for number, group in enumerate(groups):
        if time.monotonic() > end:
            break
        better, worse = (
            _gradients(trainer, [*_samples(run, group, maker, won=won)], dampings, sketch) for won in (True, False)
        )
        success = sum(won for _, won in group) / len(group)
        for damping in dampings:
            found[damping].append(Contrast(better[damping], worse[damping], success))
        told(number + 1, len(groups))
    return found


def _samples(run: Run, group: Group, maker: SampleMaker, *, won: bool) -> Iterator[Sample]:
    for attempt_id in (name for name, succeeded in group if succeeded == won):
        trajectory = run.trajectory(attempt_id)
        for step in trajectory.steps:
            yield maker.make(trajectory.attempt, step, advantage=1.0, weight=1.0)


def _gradients(
    trainer: Trainer, samples: Sequence[Sample], dampings: Sequence[float], sketch: Sketch
) -> dict[float, Tensor]:
    """Upwards: of the log probability of what was sampled."""
    found = {damping: sketch.blank() for damping in dampings}
    for pack, spoken in trainer.passes(samples):
        tokens = LossTokens(spoken.logprobs, pack.weights)
        for damping in dampings:
            loss, _ = policy_loss(tokens, LossSettings(surrogate="logprob", damping=damping))
            found[damping] -= sketch.of(loss, last=damping == dampings[-1])
    return found
