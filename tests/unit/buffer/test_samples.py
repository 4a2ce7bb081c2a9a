"""Samples: what is in them, and what is refused."""

from __future__ import annotations

from array import array

import msgspec
import pytest
from tests.unit.buffer.making import MAKER, PLACE, TASK, step, tokens, turn

from webgym.buffer.samples import SampleMaker, runs, sampled_length
from webgym.errors import SampleError, SampleProblem, TrainingError
from webgym.records.action import Click, Point
from webgym.records.prompt import Tokens, pack_ids, pack_logprobs, unpack_ids, unpack_logprobs
from webgym.records.trajectory import Attempt, Step

ATTEMPT = Attempt("a-1", TASK, group="g-1")


def made(reply: Tokens | None, pictures: int = 1, maker: SampleMaker = MAKER):
    one = step(4)
    one = msgspec.structs.replace(one, turn=turn(Click(Point(1, 1)), reply, pictures))
    return maker.make(ATTEMPT, one, advantage=-2.0, weight=0.25)


def with_(**changes) -> Tokens:
    return msgspec.structs.replace(tokens(3, version=5), **changes)


def test_a_sample_holds_the_very_tokens_and_weighs_each_with_advantage_times_weight():
    sample = made(with_())
    assert (sample.attempt_id, sample.group, sample.step, sample.advantage) == ("a-1", "g-1", 4, -2.0)
    assert unpack_ids(sample.prompt) == array("i", [5, PLACE, 6])
    assert unpack_ids(sample.sampled) == array("i", [10, 11, 12])
    assert unpack_logprobs(sample.logprobs) == array("f", [-0.5] * 3)
    assert unpack_ids(sample.versions) == array("i", [5] * 3)
    assert unpack_logprobs(sample.weights) == array("f", [-0.5] * 3)
    assert sample.pictures == ("sha256:p0",)


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (None, SampleProblem.NO_TOKENS),
        (with_(sampled=b"", logprobs=b"", versions=b""), SampleProblem.BAD_LENGTHS),
        (with_(prompt=b""), SampleProblem.BAD_LENGTHS),
        (with_(sampled=b"12345"), SampleProblem.BAD_LENGTHS),
        (with_(sampled=pack_ids([1, -1, 2])), SampleProblem.BAD_VALUES),
        (with_(logprobs=b""), SampleProblem.NO_LOGPROBS),
        (with_(logprobs=pack_logprobs([-1.0, -1.0])), SampleProblem.BAD_LENGTHS),
        (with_(logprobs=pack_logprobs([-1.0, float("nan"), -1.0])), SampleProblem.BAD_VALUES),
        (with_(logprobs=pack_logprobs([-1.0, float("-inf"), -1.0])), SampleProblem.BAD_VALUES),
        (with_(logprobs=pack_logprobs([-1.0, 0.5, -1.0])), SampleProblem.BAD_VALUES),
        (with_(versions=b""), SampleProblem.NO_VERSIONS),
        (with_(versions=pack_ids([5])), SampleProblem.BAD_LENGTHS),
        (with_(top_p=0.99), SampleProblem.OTHER_DISTRIBUTION),
        (with_(top_k=2), SampleProblem.OTHER_DISTRIBUTION),
        (with_(temperature=0.0), SampleProblem.BAD_VALUES),
        (tokens(3, 5, pictures=2), SampleProblem.PICTURES),
        (tokens(3, 5, pictures=0), SampleProblem.PICTURES),
    ],
)
def test_a_step_that_cannot_be_learned_from_is_refused_by_name(reply, problem):
    with pytest.raises(SampleError, match="attempt a-1, step 4") as caught:
        made(reply)
    assert caught.value.problem == problem
    assert isinstance(caught.value, TrainingError)


def test_a_step_without_its_prompt_is_refused():
    one = step(1)
    bare = msgspec.structs.replace(one.turn, prompt=None)
    with pytest.raises(SampleError) as caught:
        MAKER.make(ATTEMPT, Step(1, one.observation, bare), advantage=1.0, weight=1.0)
    assert caught.value.problem == SampleProblem.NO_PROMPT


def test_the_servers_version_stands_for_that_of_every_token():
    one = step(1, tokens(2, version=None))
    reply = msgspec.structs.replace(one.turn.completion, version=9)
    one = msgspec.structs.replace(one, turn=msgspec.structs.replace(one.turn, completion=reply))
    sample = MAKER.make(ATTEMPT, one, advantage=1.0, weight=1.0)
    assert unpack_ids(sample.versions) == array("i", [9, 9])


def test_cloning_needs_no_logprobs_and_takes_whatever_distribution_they_are_of():
    cloning = SampleMaker(runs(PLACE), logprobs=False)
    sample = made(with_(top_p=0.99, top_k=2, temperature=0.0, logprobs=b"", versions=b""), maker=cloning)
    assert (sample.logprobs, sample.versions, sample.temperature) == (b"", b"", 1.0)
    with pytest.raises(SampleError):
        made(tokens(3, 5, pictures=2), maker=cloning)


def test_pictures_are_counted_by_run_of_tokens():
    ids = array("i", [PLACE, PLACE, 1, PLACE, 2, 2, PLACE, PLACE, PLACE])
    assert runs(PLACE)(ids) == 3
    assert runs(PLACE)(array("i")) == 0


def test_a_step_without_tokens_has_the_length_one_so_that_nothing_is_divided_by_zero():
    assert sampled_length(step(1, tokens(5))) == 5
    assert sampled_length(Step(1, step(1).observation, turn(Click(Point(1, 1)), None))) == 1
