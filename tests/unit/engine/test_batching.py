"""Requests join, leave and wait; none is lost, and none changes another."""

from __future__ import annotations

import random

import pytest
from tests.unit.engine.tiny import finish, plain_logprobs, replies, request, submit

from webgym.engine.engine import Engine
from webgym.engine.request import SamplingParams
from webgym.engine.settings import EngineSettings
from webgym.errors import PolicyRejected, PolicyUnavailable
from webgym_nano.characters import vocabulary


def many(engine, count, most=40):
    rng = random.Random(5)
    return [
        request(engine, seed, words=rng.randint(3, 90), sampling=SamplingParams(max_tokens=rng.randint(1, most)))
        for seed in range(count)
    ]


def test_what_a_request_gets_does_not_depend_on_what_else_is_asked(engine):
    requests = many(engine, 11)
    alone = {number: replies(engine, {number: one})[number] for number, one in enumerate(requests)}
    together = replies(engine, requests)
    assert {n: reply.sampled for n, reply in together.items()} == {n: reply.sampled for n, reply in alone.items()}


def test_requests_join_while_others_are_half_done(engine):
    requests = many(engine, 9)
    expected = {n: reply.sampled for n, reply in replies(engine, requests).items()}
    said = {}
    for number, one in enumerate(requests):
        submit(engine, {number: one})
        said |= {done.number: done.reply for _ in range(3) for done in engine.step()}
    said |= finish(engine)
    assert {n: reply.sampled for n, reply in said.items()} == expected


def test_other_seeds_give_other_replies(engine):
    one = request(engine, 1)
    said = {}
    for seed in range(8):
        one.seed = seed
        said[seed] = replies(engine, [one])[0].sampled
    assert len(set(said.values())) > 5


def test_a_cancelled_request_leaves_the_others_alone(engine):
    requests = many(engine, 7)
    expected = {n: reply.sampled for n, reply in replies(engine, requests).items()}
    submit(engine, requests)
    said = {done.number: done.reply for done in engine.step()}
    for number in (0, 2, 6):
        engine.cancel(number)
    said |= finish(engine)
    assert {1, 3, 4, 5} <= set(said)
    assert all(said[number].sampled == expected[number] for number in said)


def test_a_reply_ends_at_its_limit_and_at_its_stops(engine):
    one = request(engine, 1, sampling=SamplingParams(max_tokens=12))
    whole = replies(engine, [one])[0]
    assert (len(whole.sampled), whole.finish) == (12, "length")
    one.sampling = SamplingParams(max_tokens=12, stop=(whole.sampled[4],))
    cut = replies(engine, [one])[0]
    assert cut.finish == "stop"
    assert cut.sampled == whole.sampled[: whole.sampled.index(whole.sampled[4]) + 1]


def test_a_reply_has_the_room_that_its_prompt_leaves(engine):
    one = request(engine, 3, sizes=(), words=500, sampling=SamplingParams(max_tokens=100))
    said = replies(engine, [one])[0]
    assert len(said.sampled) <= 512 - len(one.ids)
    with pytest.raises(PolicyRejected, match="tokens"):
        submit(engine, [request(engine, 3, sizes=(), words=520)])


def test_placeholders_that_match_no_pictures_are_refused(engine):
    one = request(engine, 1, sizes=((128, 96), (64, 64)))
    for ids, pictures in (
        (one.ids, one.pictures[:1]),
        (one.ids, one.pictures[::-1]),
        ([token for token in one.ids if token != 7], one.pictures),
        ([*one.ids, 7], one.pictures),
    ):
        with pytest.raises(PolicyRejected, match="placeholders"):
            engine.submit(1, ids, pictures)
    assert not engine.busy


@pytest.mark.parametrize(
    "sampling",
    [SamplingParams(temperature=-1), SamplingParams(top_p=0), SamplingParams(top_k=-1), SamplingParams(max_tokens=0)],
)
def test_samplings_that_make_no_sense_are_refused(engine, sampling):
    with pytest.raises(PolicyRejected):
        submit(engine, [request(engine, 1, sampling=sampling)])


def test_tokens_that_the_model_does_not_have_are_refused(engine):
    with pytest.raises(PolicyRejected):
        engine.submit(1, [3, len(vocabulary())], [])
    with pytest.raises(PolicyRejected):
        engine.submit(1, [], [])


def test_more_than_may_wait_are_refused(folder):
    engine = Engine(folder, EngineSettings(device="cpu", slots=1, length=512, waiting=1, threads=1))
    one = request(engine, 1, sampling=SamplingParams(max_tokens=2))
    submit(engine, {1: one, 2: one})
    with pytest.raises(PolicyUnavailable):
        submit(engine, {3: one})
    assert set(finish(engine)) == {1, 2}
    submit(engine, {3: one})


def test_pictures_are_looked_at_once(engine, monkeypatch):
    looked = []
    tower = engine._model.vision
    look = tower.look
    monkeypatch.setattr(tower, "look", lambda patches, grid: looked.append(len(patches)) or look(patches, grid))
    one = request(engine, 1)
    replies(engine, [one, one, one])
    replies(engine, [one])
    assert sum(looked) == 1


def test_nothing_is_computed_twice_or_kept_when_caches_are_off(folder, model):
    off = EngineSettings(device="cpu", slots=2, length=512, threads=1, feature_bytes=0, prefix_bytes=0)
    engine = Engine(folder, off)
    one = request(engine, 1)
    said = replies(engine, [one, one])
    assert engine.known_tokens == 0
    assert said[0] == said[1]
    expected = plain_logprobs(model, one, said[0].sampled)
    assert max(abs(a - b) for a, b in zip(said[0].logprobs, expected.tolist(), strict=True)) < 1e-3
