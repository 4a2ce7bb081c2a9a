"""Sketched gradients of the groups of a stored run."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

import msgspec
import torch
from torch import Tensor

from webgym.algorithms.losses.tokens import LossTokens
from webgym.algorithms.settings import LossSettings
from webgym.buffer.samples import SampleMaker
from webgym.records.sample import Sample
from webgym.records.trajectory import Step
from webgym.store.read import Run
from webgym.train.loss import policy_loss
from webgym.train.optimizer import trainable
from webgym.train.trainer import ModelTrainer
from webgym_bench.signal.share import Contrast

WIDTH = 1 << 17
"""Dimension of a gradient sketch. Inner products of sketches have a relative error of about 1/sqrt(WIDTH)."""

Group = list[tuple[str, bool]]
"""Attempt ids, each with whether the attempt succeeded."""
Told = Callable[[int, int], None]
"""Called with the groups done and the groups in total."""


def mixed_groups(run: Run) -> list[Group]:
    """Return the groups that have both successes and failures."""
    found: defaultdict[str, Group] = defaultdict(list)
    for row in run.rows():
        if row.reward is not None:
            found[row.group].append((row.attempt_id, row.reward > 0))
    return [group for group in found.values() if len({won for _, won in group}) > 1]


class Sketch:
    """Count-sketches gradients: projects them to `width` numbers, approximately preserving inner products."""

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
        """Sketch the gradient of a loss. Unless it is the `last` of a forward pass, the graph is retained."""
        grads = torch.autograd.grad(loss, self._weights, retain_graph=not last, materialize_grads=True)
        flat = torch.cat([grad.flatten().float() for grad in grads])
        return self.blank().index_add_(0, self._places, flat * self._signs)


def contrasts(
    trainer: ModelTrainer,
    run: Run,
    groups: Sequence[Group],
    maker: SampleMaker,
    dampings: Sequence[float],
    seconds: float,
    told: Told,
) -> dict[float, list[Contrast]]:
    """Compute the contrast of each group for each damping, for as many groups as the time allows."""
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
            sample = maker.make(trajectory.attempt, step, advantage=1.0, weight=1.0)
            yield msgspec.structs.replace(sample, temperature=_temperature(step))


def _temperature(step: Step) -> float:
    """Return the temperature that a step was sampled at: at another one, gradients would share more than the signal."""
    completion = step.turn.completion
    return (completion.tokens.temperature if completion and completion.tokens else 1.0) or 1.0


def _gradients(
    trainer: ModelTrainer, samples: Sequence[Sample], dampings: Sequence[float], sketch: Sketch
) -> dict[float, Tensor]:
    """Return the sketched ascent direction of the sampled tokens' log-probability, for each damping."""
    found = {damping: sketch.blank() for damping in dampings}
    for pack, spoken in trainer.passes(samples):
        tokens = LossTokens(spoken.logprobs, pack.weights)
        for damping in dampings:
            loss, _ = policy_loss(tokens, LossSettings(use="logprob", damping=damping))
            found[damping] -= sketch.of(loss, last=damping == dampings[-1])
    return found
