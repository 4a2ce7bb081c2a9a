"""The engine computes what transformers computes."""

from __future__ import annotations

import pytest
import torch
from tests.unit.engine.tiny import Request, finish, inputs, plain_logprobs, replies, request, submit

from webgym.engine.engine import Engine
from webgym.engine.request import SamplingParams
from webgym.engine.settings import EngineSettings

TOLERANCE = 1e-3
"""What is promised; what is seen is a hundred times less."""


def mixed(engine, sampling=SamplingParams(max_tokens=24)):
    """Of different lengths, with no, one and several pictures of different sizes."""
    return [
        request(engine, 1, words=5, sampling=sampling),
        request(engine, 2, sizes=((128, 96), (64, 96)), words=60, sampling=sampling),
        request(engine, 3, sizes=(), words=17, sampling=sampling),
        request(engine, 4, sizes=((64, 64),), words=120, sampling=sampling),
        request(engine, 5, sizes=((128, 96), (128, 96), (96, 32)), words=9, sampling=sampling),
        request(engine, 6, words=44, sampling=sampling),
    ]


def differences(model, requests, said, temperature=1.0):
    return [
        (torch.tensor(said[i].logprobs) - plain_logprobs(model, one, said[i].sampled, temperature)).abs().max().item()
        for i, one in enumerate(requests)
    ]


@pytest.mark.parametrize("temperature", [1.0, 0.6, 1.7])
def test_logprobs_are_those_of_a_plain_forward_pass(engine, model, temperature):
    requests = mixed(engine, SamplingParams(temperature=temperature, max_tokens=24))
    said = replies(engine, requests)
    assert max(differences(model, requests, said, temperature)) < TOLERANCE
    surprise = torch.tensor([logprob for reply in said.values() for logprob in reply.logprobs])
    assert surprise.mean() < -0.5, "replies that are certain prove nothing"


def test_the_likeliest_tokens_are_those_of_generate(engine, model):
    requests = mixed(engine, SamplingParams(temperature=0, max_tokens=24))
    said = replies(engine, requests)
    for i, one in enumerate(requests):
        with torch.inference_mode():
            generated = model.generate(
                **inputs(one, one.ids),
                attention_mask=torch.ones(1, len(one.ids), dtype=torch.long),
                max_new_tokens=24,
                do_sample=False,
                eos_token_id=[1, 5, 6, 7, 8],
                pad_token_id=0,
            )
        assert list(said[i].sampled) == generated[0, len(one.ids) :].tolist()


def test_logprobs_after_a_refresh_are_those_of_the_new_weights(engine, model, other_model, other_folder):
    requests = mixed(engine)
    before = replies(engine, requests)
    engine.refresh(other_folder, version=1)
    after = replies(engine, requests)
    assert max(differences(model, requests, before)) < TOLERANCE
    assert max(differences(other_model, requests, after)) < TOLERANCE
    assert max(differences(model, requests, after)) > 0.1
    assert {version for reply in after.values() for version in reply.versions} == {1}


def test_prompts_that_begin_alike_are_read_once_and_give_the_same(engine, model):
    one = request(engine, 2, sizes=((128, 96), (64, 96)), words=60)
    others = [
        one,
        Request([*one.ids[:-30], 99, 98, 4], one.pictures, one.sampling, 7),
        Request([*one.ids[:-20], 40, 4], one.pictures, one.sampling, 8),
    ]
    first = replies(engine, [one])
    known = engine.known_tokens
    said = replies(engine, others)
    assert engine.known_tokens > known + 100
    assert max(differences(model, others, said)) < TOLERANCE
    assert said[0].sampled == first[0].sampled


def test_a_prompt_that_leaves_another_inside_a_picture_is_read_right(engine, model):
    one = request(engine, 5, sizes=((128, 96), (128, 96)), words=9)
    two = request(engine, 6, sizes=((128, 96), (128, 96)), words=9)
    mixed_up = Request(one.ids, [one.pictures[0], two.pictures[1]], one.sampling, 3)
    submit(engine, [one])
    finish(engine)
    said = replies(engine, [mixed_up])
    assert engine.known_tokens > 0
    assert max(differences(model, [mixed_up], said)) < TOLERANCE


def test_bfloat16_stays_close(folder, model):
    engine = Engine(folder, EngineSettings(device="cpu", dtype="bfloat16", slots=4, length=512, threads=1))
    requests = mixed(engine)
    said = replies(engine, requests)
    assert max(differences(model, requests, said)) < 0.5
