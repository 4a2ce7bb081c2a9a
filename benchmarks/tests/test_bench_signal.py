"""`webgym bench signal` finds what gradients have in common, of as many groups as there is time for."""

from __future__ import annotations

from types import SimpleNamespace

import msgspec
import pytest
import torch
from tests.unit.buffer import making
from tests.unit.train import tiny

from webgym.buffer.advantages import GroupAdvantages, score
from webgym.buffer.samples import SampleMaker
from webgym.records.action import Answer
from webgym.records.trajectory import Attempt, Ending, Failure, Step, Success, Trajectory
from webgym.train.optimizer import trainable
from webgym_bench.signal.gradients import Sketch, contrasts, mixed_groups
from webgym_bench.signal.share import Contrast, common_share


class Attempts:
    """A run of attempts at one step each: `a-won-4` is in group a, succeeded and said four tokens."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def rows(self):
        return [
            SimpleNamespace(group=name.split("-")[0], attempt_id=name, reward=float("won" in name))
            for name in self._names
        ]

    def trajectory(self, name: str) -> Trajectory:
        group, ended, length = name.split("-")[:3]
        turn = making.turn(Answer("done"), making.tokens(int(length), pictures=0), pictures=0)
        outcome = Success() if ended == "won" else Failure()
        attempt = Attempt(name, making.TASK, group=group)
        return Trajectory(attempt, (Step(1, making.look(1, None), turn),), Ending(outcome, steps=1))


def test_the_share_is_what_was_put_in():
    draws = torch.Generator().manual_seed(1)
    common, noise = torch.randn(4000, generator=draws), torch.randn(60, 4000, generator=draws)
    share, error = common_share(0.5 * common + noise)
    assert abs(share - 0.25 / 1.25) < 4 * error < 0.1
    nothing, error = common_share(noise)
    assert abs(nothing) < 4 * error < 0.01


def test_the_error_is_that_of_leaving_out_one_after_the_other():
    rows = torch.randn(5, 30, generator=torch.Generator().manual_seed(2)) + 0.3
    left = torch.tensor([common_share(rows[[k for k in range(5) if k != out]])[0] for out in range(5)])
    expected = (4 / 5 * ((left - left.mean()) ** 2).sum()).sqrt()
    assert common_share(rows)[1] == pytest.approx(float(expected), rel=1e-4)


def test_attempts_are_weighed_against_each_other_as_in_training():
    better, worse = torch.tensor([2.0, 0.0]), torch.tensor([0.0, 3.0])
    match score([1.0, 0.0, 0.0, 0.0], "grpo"):
        case GroupAdvantages(advantages=(won, lost, *_)):
            expected = (won * better + lost * worse) / 4
        case other:
            pytest.fail(f"{other}")
    found = Contrast(better, worse, 0.25)
    # Both are divided by the number of attempts in training, which changes no share.
    torch.testing.assert_close(found.advantage(1.0) / found.advantage(1.0).norm(), expected / expected.norm())
    assert found.advantage(0.0)[1] == 0


def test_a_sketch_keeps_products(tmp_path):
    model = tiny.trainer(tiny.folder(tmp_path)).model
    weights = [weight for _, weight in trainable(model)]
    sketch = Sketch(weights, width=1 << 14)
    draws = torch.Generator().manual_seed(3)
    first = [torch.randn(weight.shape, generator=draws) for weight in weights]
    second = [one + torch.randn(one.shape, generator=draws) for one in first]

    def of(values):
        return sketch.of(sum((weight * one).sum() for weight, one in zip(weights, values, strict=True)), last=True)

    def cosine(one, other):
        return float(torch.nn.functional.cosine_similarity(one, other, dim=0))

    exact = cosine(*(torch.cat([one.flatten() for one in values]) for values in (first, second)))
    assert cosine(of(first), of(second)) == pytest.approx(exact, abs=0.05)


def test_groups_that_went_one_way_are_left_out():
    run = Attempts("a-won-3", "a-lost-3", "b-won-3", "b-won-4-again", "c-lost-2")
    assert mixed_groups(run) == [[("a-won-3", True), ("a-lost-3", False)]]


def test_what_better_and_worse_attempts_both_did_cancels_out_and_damping_changes_the_rest(tmp_path):
    trainer = tiny.trainer(tiny.folder(tmp_path))
    run = Attempts("a-won-3", "a-lost-3", "b-won-4", "b-lost-2")
    told = []
    found = contrasts(
        trainer, run, mixed_groups(run), making.MAKER, (0.0, 1.0), 60.0, lambda done, of: told.append((done, of))
    )
    same, other = found[0.0]
    assert told == [(1, 2), (2, 2)]
    assert same.better.norm() > 0
    assert same.advantage(1.0).norm() < 1e-3 * same.better.norm()
    assert other.advantage(1.0).norm() > 0.1 * other.better.norm()
    assert found[1.0][1].better.norm() < other.better.norm()


def test_gradients_are_those_of_the_temperature_that_was_sampled_at(tmp_path):
    trainer = tiny.trainer(tiny.folder(tmp_path))

    class Warm(Attempts):
        def trajectory(self, name: str) -> Trajectory:
            made = super().trajectory(name)
            (step,) = made.steps
            tokens = msgspec.structs.replace(step.turn.completion.tokens, temperature=2.0)
            completion = msgspec.structs.replace(step.turn.completion, tokens=tokens)
            turn = msgspec.structs.replace(step.turn, completion=completion)
            return msgspec.structs.replace(made, steps=(msgspec.structs.replace(step, turn=turn),))

    names = ("a-won-3", "a-lost-4")
    plain, warm = (
        contrasts(trainer, run, mixed_groups(run), SampleMaker(lambda ids: 0, logprobs=False), (0.0,), 60.0, print)[0.0]
        for run in (Attempts(*names), Warm(*names))
    )
    assert warm[0].better.norm() < 0.8 * plain[0].better.norm()  # logits are divided by the temperature


def test_no_group_begins_when_time_is_up(tmp_path):
    run = Attempts("a-won-3", "a-lost-3")
    trainer = tiny.trainer(tiny.folder(tmp_path))
    assert contrasts(trainer, run, mixed_groups(run), making.MAKER, (0.0,), -1.0, print) == {0.0: []}
