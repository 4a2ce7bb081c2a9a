"""From sampled attempts to better weights, with every recipe: a tiny policy learns which token is right."""

from __future__ import annotations

import random
from array import array

import pytest
import torch
from tests.unit.buffer.making import MAKER, PLACE, TASK, look, turn

from webgym.buffer.batches import Weighing, batch_of
from webgym.buffer.groups import BatchRequirements, Collector, Group
from webgym.buffer.replay import Replay, ReplaySettings, cloning_batch
from webgym.buffer.samples import SampleMaker, runs
from webgym.errors import TrainingError
from webgym.records.action import Answer
from webgym.records.prompt import Tokens, pack_ids, pack_logprobs, unpack_ids, unpack_logprobs
from webgym.records.sample import Batch
from webgym.records.trajectory import Attempt, Ending, Failure, Infrastructure, Step, Success, Trajectory
from webgym.train.loss import LossTokens, policy_loss
from webgym.train.recipe import PRESETS, GroupSource, Recipe, ReplaySource, plan_updates

CHOICES = 6
RIGHT = 4


class Bandit:
    """One step, one token; reward for one of six. A third of the attempts is lost on the way."""

    def __init__(self, recipe: Recipe, lr: float) -> None:
        self.recipe = recipe
        self.logits = torch.zeros(CHOICES, dtype=torch.float64, requires_grad=True)
        self.optimizer = torch.optim.SGD([self.logits], lr=lr)
        self.chance = random.Random(3)
        self.version = 0
        self.replay = Replay(ReplaySettings(steps=40))
        self.store: dict[str, Trajectory] = {}

    @property
    def success(self) -> float:
        return float(self.logits.detach().softmax(0)[RIGHT])

    def roll(self, name: str, group: str) -> Trajectory:
        logprobs = self.logits.detach().log_softmax(0)
        [token] = self.chance.choices(range(CHOICES), logprobs.exp().tolist())
        outcome = Success() if token == RIGHT else Failure()
        if self.chance.random() < 1 / 3:
            outcome = Infrastructure("timeout")
        versions = pack_ids([self.version])
        reply = Tokens(pack_ids([1, PLACE]), pack_ids([token]), pack_logprobs([float(logprobs[token])]), versions)
        one = Step(1, look(1, None), turn(Answer("x"), reply))
        return Trajectory(Attempt(name, TASK, group=group), (one,), Ending(outcome))

    def batch(self) -> Batch:
        match self.recipe.source:
            case GroupSource() as source:
                collector = Collector(BatchRequirements(groups=8, estimator=source.estimator, max_lag=source.max_lag))
                while missing := collector.missing():
                    for place in range(missing):
                        group = f"g{place}"
                        members = [self.roll(f"{group}-{member}", group) for member in range(source.members)]
                        collector.put(Group(group, tuple(members)))
                weighing = Weighing(source.aggregation, source.k, source.skip_unchanged)
                return batch_of(collector.take(self.version), MAKER, weighing, self.version)
            case ReplaySource():
                for number in range(64):
                    one = self.roll(f"{self.version}-{number}", "")
                    self.store[one.attempt.attempt_id] = one
                    self.replay.add(self.version, one)
                cloning = SampleMaker(runs(PLACE), logprobs=False)
                refs = self.replay.draw(self.version)
                return cloning_batch(refs, self.store.__getitem__, cloning, self.version)

    def update(self) -> None:
        batch = self.batch()
        sampled = torch.tensor([unpack_ids(one.sampled)[0] for one in batch.samples])
        weights = torch.tensor([unpack_logprobs(one.weights)[0] for one in batch.samples])
        behaviour = None
        if self.recipe.loss.needs_behaviour:
            behaviour = torch.tensor([unpack_logprobs(one.logprobs)[0] for one in batch.samples])
        proximal = self.logits.detach().log_softmax(0)[sampled]
        for part in plan_updates(len(batch.samples), self.recipe.updates, self.version):
            rows = torch.tensor(part.rows)
            tokens = LossTokens(
                current=self.logits.log_softmax(0)[sampled[rows]],
                weights=weights[rows],
                behaviour=None if behaviour is None else behaviour[rows],
                proximal=proximal[rows],
                rows=torch.arange(len(rows)),
            )
            loss, _ = policy_loss(tokens, self.recipe.loss)
            self.optimizer.zero_grad()
            (part.scale * loss).backward()
            self.optimizer.step()
        self.version += 1


@pytest.mark.parametrize("name", PRESETS)
def test_every_recipe_makes_the_right_choice_likelier(name):
    recipe = PRESETS[name]
    is_constant = isinstance(recipe.source, GroupSource) and recipe.source.aggregation == "constant"
    bandit = Bandit(recipe, lr=5.0 if is_constant else 0.5)  # its weights are a tenth of those of the others
    assert bandit.success == pytest.approx(1 / CHOICES)
    for _ in range(12):
        if bandit.success > 0.9:
            break  # `cispo` clips no gradients, and soon all attempts succeed
        try:
            bandit.update()
        except TrainingError:
            pytest.fail("nothing to learn from")
    assert bandit.success > 0.6


@pytest.mark.parametrize("name", ["asyncwebrl-grpo", "webgym-fbc"])
def test_without_a_learning_rate_nothing_is_learned(name):
    bandit = Bandit(PRESETS[name], lr=0.0)
    for _ in range(3):
        bandit.update()
    assert bandit.success == pytest.approx(1 / CHOICES)


def test_arrays_of_samples_are_what_torch_reads():
    batch = Bandit(PRESETS["rloo"], lr=1.0).batch()
    weights = torch.frombuffer(bytearray(batch.samples[0].weights), dtype=torch.float32)
    assert weights.tolist() == array("f", batch.samples[0].weights).tolist()
