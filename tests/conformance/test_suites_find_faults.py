"""Suites have teeth: each fault is found by the check that is named for it, and told in a sentence."""

from __future__ import annotations

import random
from contextlib import asynccontextmanager

import anyio
import msgspec
import pytest
import torch
from tests.unit.train.tiny import sample

from webgym.algorithms.advantages.estimator import estimator
from webgym.errors import ConfigError
from webgym.records.prompt import Completion, pack_logprobs
from webgym.records.sample import PolicyVersion, TrainingResult
from webgym.records.verdict import FactVerdict, Verdict
from webgym.testing.conformance import (
    ADVANTAGE_CHECKS,
    EVENTS_CHECKS,
    JUDGE_CHECKS,
    LOSS_CHECKS,
    POLICY_CHECKS,
    RECORDER_CHECKS,
    TRAINER_CHECKS,
    WEIGHTS_CHECKS,
    AdvantageExample,
    JudgeExample,
    LossExample,
    PolicyExample,
    RecorderExample,
    TrainerExample,
    WeightsExample,
)
from webgym.testing.rollouts import EventList, FakeJudge, MemoryRecorder
from webgym.testing.training import FakePolicy, FakeTrainer, FakeWeights
from webgym.train.batch_file import read_batch, write_batch

pytestmark = pytest.mark.anyio


async def faults(checks, *given) -> dict[str, str]:
    """What is wrong, by the names of the checks that say so."""
    found = {}
    for check in checks:
        try:
            await check(*given)
        except AssertionError as error:
            found[check.__name__] = str(error)
    return found


class Unequal(FakePolicy):
    async def sample(self, prompt, pictures, *, affinity="") -> Completion:
        completion = await super().sample(prompt, pictures)
        tokens = msgspec.structs.replace(completion.tokens, logprobs=pack_logprobs([-1.0]))
        return msgspec.structs.replace(completion, tokens=tokens)


class Greedy(FakePolicy):
    """Breaks for good when somebody does not wait."""

    broken = False

    async def sample(self, prompt, pictures, *, affinity="") -> Completion:
        if self.broken:
            raise ConfigError("it is broken")
        try:
            await anyio.sleep(0.01)
        except anyio.get_cancelled_exc_class():
            self.broken = True
            raise
        return await super().sample(prompt, pictures)


async def test_of_policies():
    found = await faults(POLICY_CHECKS, Unequal(), PolicyExample(trains=True))
    assert found == {"what_is_sampled_belongs_together": "there are 1 logprobs for 6 sampled tokens"}
    found = await faults(POLICY_CHECKS[:1], object(), PolicyExample())
    assert "has no method `sample`" in found["policies_follow_the_protocol"]


async def test_of_policies_that_break_when_nobody_waits():
    with pytest.raises((ConfigError, ExceptionGroup)):
        await faults(POLICY_CHECKS, Greedy(), PolicyExample())


class Careless(FakeJudge):
    async def judge(self, attempt, steps, last, answer) -> Verdict:
        steps[0]
        return Verdict((FactVerdict(1, 0, holds=True),))


class Moody(FakeJudge):
    async def judge(self, attempt, steps, last, answer) -> Verdict:
        self._holds = lambda _: random.random() < 0.5
        return await super().judge(attempt, steps, last, answer)


async def test_of_judges():
    found = await faults(JUDGE_CHECKS, Careless(), JudgeExample())
    assert "the rubric has [(1, 0), (1, 1), (4, 0)]" in found["a_verdict_is_on_every_fact_once"]
    assert "IndexError" in found["odd_attempts_are_judged_or_refused_by_name"]
    found = await faults(JUDGE_CHECKS, FakeJudge(), JudgeExample())
    assert list(found) == ["nothing_done_and_nothing_said_is_no_success"]
    random.seed(1)
    found = await faults(JUDGE_CHECKS, Moody(bool), JudgeExample())
    assert "concurrent calls found" in found["many_are_judged_at_once"]


class Appending(MemoryRecorder):
    async def begin(self, attempt) -> None:
        self.attempts[attempt.attempt_id] = attempt
        self.steps.setdefault(attempt.attempt_id, [])

    async def end(self, attempt, ending, blobs) -> None:
        self.endings[attempt.attempt_id] = ending


async def test_of_recorders():
    recorder = Appending()
    found = await faults(RECORDER_CHECKS, recorder, RecorderExample(recorder.trajectory, recorder.blobs.get))
    assert found.keys() == {
        "pictures_are_kept_by_their_address",
        "a_new_try_makes_the_steps_before_it_void",
        "an_attempt_ends_once",
        "an_attempt_that_was_cancelled_may_begin_again",
        "an_attempt_that_was_lost_may_begin_again",
    }
    assert found["an_attempt_ends_once"] == "a second ending must be refused with StoreError, but was accepted"


class Forgetful(FakeTrainer):
    """Learns again whenever it is asked, and remembers nothing."""

    async def step(self, batch, version, folder):
        self._file.unlink(missing_ok=True)
        found = read_batch(batch)
        folder.mkdir(exist_ok=True)
        (folder / "weights.txt").write_text(str(random.random()))
        return TrainingResult(PolicyVersion(found.version + 1, str(folder)), 1, 1, 1, 0.0, 0.0, {})


async def test_of_trainers():
    @asynccontextmanager
    async def opened(folder):
        yield Forgetful(folder, read_batch)

    found = await faults(TRAINER_CHECKS, opened, TrainerExample([sample(1)], write_batch, without_rate=opened))
    assert found.keys() == {
        "asked_again_it_does_not_learn_twice",
        "it_goes_on_where_it_was",
        "what_it_cannot_learn_from_is_refused",
        "without_a_learning_rate_nothing_changes",
    }


class Sleepless(FakeWeights):
    async def rest(self) -> None:
        pass


async def test_of_weights(tmp_path):
    policy = FakePolicy()
    one, other = (PolicyVersion(version, str(tmp_path)) for version in (1, 2))
    example = WeightsExample(policy, one, other, damaged=PolicyVersion(3, str(tmp_path)))
    found = await faults(WEIGHTS_CHECKS, Sleepless(policy), example)
    assert found == {
        "nothing_is_sampled_at_rest": "it replied while at rest: 'hello'",
        "weights_that_cannot_be_sampled_from_are_refused": (
            "weights that are damaged or missing must be refused with WebGymError, but was accepted"
        ),
    }


class Full(EventList):
    def emit(self, event) -> None:
        if len(self.events) > 1000:
            raise OverflowError("no room")
        super().emit(event)


async def test_of_events():
    found = await faults(EVENTS_CHECKS, Full())
    assert "never raises" in found["whoever_tells_of_much_is_not_stopped"]


def in_order_of_arrival(tokens):
    return -tokens.weights * tokens.log_ratio().exp() * torch.arange(len(tokens.weights))


LOSS_FAULTS = {
    "tokens_that_do_not_count_have_no_part": lambda tokens: (
        -tokens.weights * (tokens.current - tokens.anchor).clamp(-20, 20).exp().prod().clamp(max=2)
    ),
    "it_is_linear_in_the_weights": lambda tokens: -tokens.weights.square() * tokens.log_ratio().exp(),
    "its_gradients_are_those_of_its_value": lambda tokens: (
        -tokens.weights * tokens.log_ratio().exp().detach() * tokens.logprobs()
    ),
    "the_order_of_rows_does_not_matter": in_order_of_arrival,
    "rows_may_be_split_over_passes": lambda tokens: -tokens.weights * tokens.log_ratio().exp() / len(tokens.weights),
    "it_stays_finite_at_extreme_ratios": lambda tokens: -tokens.weights * (tokens.current - tokens.anchor).exp(),
}


@pytest.mark.parametrize("named", LOSS_FAULTS)
async def test_of_losses(named):
    assert named in await faults(LOSS_CHECKS, LOSS_FAULTS[named], LossExample())


async def test_of_losses_that_are_none():
    found = await faults(LOSS_CHECKS[:1], lambda tokens: 0.0, LossExample())
    assert "expected is a tensor with the loss of each of the 60 tokens" in next(iter(found.values()))
    found = await faults(LOSS_CHECKS[:1], lambda tokens: tokens.weights, LossExample({"size": 1}))
    assert "expected is a function that is called as f(tokens, size=…)" in next(iter(found.values()))


def the_first_is_best(members):
    return [float(not place) for place, _ in enumerate(members)]


def remembering():
    seen = []

    def against_all(members):
        seen.extend(one.reward for one in members)
        return [one.reward - sum(seen) / len(seen) for one in members]

    return against_all


ADVANTAGE_FAULTS = {
    "every_member_has_an_advantage": lambda members: [one.reward for one in members][:2],
    "the_order_of_members_does_not_matter": the_first_is_best,
    "groups_do_not_influence_each_other": remembering(),
    "equal_members_have_no_advantage": lambda members: [one.reward for one in members],
}


@pytest.mark.parametrize("named", ADVANTAGE_FAULTS)
async def test_of_estimators(named):
    assert named in await faults(ADVANTAGE_CHECKS, ADVANTAGE_FAULTS[named], AdvantageExample())


async def test_of_estimators_that_compare_nothing_and_say_so():
    rewards = estimator(compares=False)(lambda members: [one.reward for one in members])
    assert await faults(ADVANTAGE_CHECKS, rewards, AdvantageExample()) == {}
