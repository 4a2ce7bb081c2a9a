"""Weights change between two tokens; replies go on, and say who chose what."""

from __future__ import annotations

import shutil

import pytest
import torch
from safetensors.torch import load_file, save_file
from tests.unit.engine.tiny import TINY, finish, plain_logprobs, replies, request, submit, tiny_model, write_tiny

from webgym.engine.checkpoint import weights_digest
from webgym.engine.engine import Engine
from webgym.engine.request import SamplingParams
from webgym.engine.settings import EngineSettings
from webgym.errors import ConfigError
from webgym_nano.folder import read_model, write_folder

LONG = SamplingParams(max_tokens=30)


def some(engine):
    return [request(engine, seed, words=20 * seed, sampling=LONG) for seed in (1, 2, 3)]


def half_done(engine, requests, steps=10):
    submit(engine, requests)
    return {done.number: done.reply for _ in range(steps) for done in engine.step()}


def test_kept_replies_go_on_with_the_new_weights_and_say_so(engine, other_folder, model):
    requests = some(engine)
    said = half_done(engine, requests)
    engine.refresh(other_folder, version=7, in_flight="keep")
    said |= finish(engine)
    assert len(said) == 3
    crossed = [n for n, reply in said.items() if set(reply.versions) == {0, 7}]
    assert crossed
    for number in crossed:
        reply = said[number]
        assert list(reply.versions) == sorted(reply.versions)
        old = reply.versions.count(0)
        expected = plain_logprobs(model, requests[number], reply.sampled[:old])
        assert torch.allclose(torch.tensor(reply.logprobs[:old]), expected, atol=1e-3)


def test_recomputed_replies_have_the_new_weights_logprobs_from_there_on(engine, other_folder, model, other_model):
    requests = some(engine)
    said = half_done(engine, requests)
    engine.refresh(other_folder, version=7, in_flight="recompute")
    said |= finish(engine)
    crossed = {n: reply for n, reply in said.items() if set(reply.versions) == {0, 7}}
    assert crossed
    for number, reply in crossed.items():
        old = reply.versions.count(0)
        before = plain_logprobs(model, requests[number], reply.sampled)[:old]
        after = plain_logprobs(other_model, requests[number], reply.sampled)[old:]
        assert torch.allclose(torch.tensor(reply.logprobs), torch.cat([before, after]), atol=1e-3)


def test_what_the_old_weights_saw_is_not_used_for_new_requests(engine, other_folder, other_model):
    requests = some(engine)
    half_done(engine, requests)
    engine.refresh(other_folder, version=1, in_flight="keep")
    submit(engine, {10 + n: one for n, one in enumerate(requests)})
    said = finish(engine)
    for number, one in enumerate(requests):
        reply = said[10 + number]
        assert torch.allclose(torch.tensor(reply.logprobs), plain_logprobs(other_model, one, reply.sampled), atol=1e-3)


def test_sleep_gives_everything_back_and_loses_no_request(engine, model):
    requests = some(engine)
    expected = {n: reply.sampled for n, reply in replies(engine, requests).items()}
    said = half_done(engine, requests)
    assert engine.model_bytes > 0
    engine.sleep()
    assert (engine.model_bytes, engine.busy, engine.asleep) == (0, False, True)
    assert engine.step() == []
    assert engine.waiting + len(said) == 3
    engine.wake()
    said |= finish(engine)
    assert {n: reply.sampled for n, reply in said.items()} == expected


def test_an_engine_can_wake_with_other_weights(engine, other_folder, other_model):
    engine.sleep()
    with pytest.raises(ConfigError, match="is asleep"):
        engine.refresh(other_folder, version=1)
    engine.wake(other_folder, 3)
    one = request(engine, 1)
    reply = replies(engine, [one])[0]
    assert set(reply.versions) == {3}
    assert torch.allclose(torch.tensor(reply.logprobs), plain_logprobs(other_model, one, reply.sampled), atol=1e-3)


@pytest.mark.parametrize("harm", ["missing", "shape", "nan", "truncated"])
def test_bad_weights_are_refused_and_the_good_ones_stay(engine, model, other_folder, tmp_path, harm):
    bad = tmp_path / "bad"
    shutil.copytree(other_folder, bad)
    weights = load_file(bad / "model.safetensors")
    name = "model.language_model.layers.2.mlp.down_proj.weight"
    if harm == "missing":
        del weights[name]
    elif harm == "shape":
        weights[name] = weights[name][:, 1:].contiguous()
    elif harm == "nan":
        weights[name][3, 3] = float("nan")
    save_file(weights, bad / "model.safetensors")
    if harm == "truncated":
        data = (bad / "model.safetensors").read_bytes()
        (bad / "model.safetensors").write_bytes(data[: len(data) // 2])
    with pytest.raises(ConfigError):
        engine.refresh(bad, version=9)
    one = request(engine, 1)
    reply = replies(engine, [one])[0]
    assert set(reply.versions) == {0}
    assert torch.allclose(torch.tensor(reply.logprobs), plain_logprobs(model, one, reply.sampled), atol=1e-3)


def test_the_weights_served_are_the_weights_trained(tmp_path):
    """A step of training changes the embedding, which is the output layer too; both are served as they are then."""
    trained = tiny_model(seed=4)
    folder = write_tiny(tmp_path / "before", seed=4)
    engine = Engine(folder, EngineSettings(device="cpu", slots=2, length=512, threads=1))
    one = request(engine, 1)
    before = replies(engine, [one])[0]
    with torch.no_grad():
        for weight in trained.parameters():
            weight.add_(torch.randn(weight.shape, generator=torch.Generator().manual_seed(1)) * 0.05)
    write_folder(tmp_path / "after", trained, TINY, dtype=torch.float32)
    assert weights_digest(tmp_path / "after") != weights_digest(tmp_path / "before")
    engine.refresh(tmp_path / "after", version=1)
    after = replies(engine, [one])[0]
    assert torch.allclose(torch.tensor(after.logprobs), plain_logprobs(trained, one, after.sampled), atol=1e-3)
    assert before != after
    loaded = read_model(tmp_path / "after").state_dict()
    assert all(torch.equal(loaded[name], weight) for name, weight in trained.state_dict().items())
    # And from memory, without a file.
    engine.refresh(folder, version=2)
    engine.refresh(trained.state_dict(), version=3)
    assert replies(engine, [one])[0].sampled == after.sampled


def test_a_stale_copy_of_a_tied_output_layer_is_refused(folder, tmp_path):
    stale = tmp_path / "stale"
    shutil.copytree(folder, stale)
    weights = load_file(stale / "model.safetensors")
    assert "lm_head.weight" not in weights
    embedding = weights["model.language_model.embed_tokens.weight"]
    save_file(weights | {"lm_head.weight": embedding + 0.1}, stale / "model.safetensors")
    with pytest.raises(ConfigError, match="stale"):
        Engine(stale, EngineSettings(device="cpu", slots=2, length=512))
    save_file(weights | {"lm_head.weight": embedding.clone()}, stale / "model.safetensors")
    Engine(stale, EngineSettings(device="cpu", slots=2, length=512))


def with_head(folder, target, change):
    """A copy of a folder with what `change` makes of its weights and the output layer that they leave out."""
    shutil.copytree(folder, target)
    weights = load_file(target / "model.safetensors")
    head = weights["model.language_model.embed_tokens.weight"].clone()
    save_file(change(weights, head), target / "model.safetensors")
    return target


def test_a_first_checkpoint_may_store_a_tied_output_layer_and_later_ones_leave_it_out(folder, other_folder, tmp_path):
    stored = with_head(folder, tmp_path / "stored", lambda weights, head: weights | {"lm_head.weight": head})
    engine = Engine(stored, EngineSettings(device="cpu", slots=2, length=512))
    engine.examine(other_folder)
    engine.refresh(other_folder, version=1, examined=True)
    assert engine.version == 1
    engine.refresh(stored, version=2)
    assert engine.version == 2


def test_a_stale_tied_output_layer_is_found_before_any_weight_is_replaced(folder, tmp_path):
    def moved(weights, head):
        return {name: weight + 0.01 for name, weight in weights.items()} | {"lm_head.weight": head}

    stale = with_head(folder, tmp_path / "stale", moved)
    engine = Engine(folder, EngineSettings(device="cpu", slots=2, length=512))
    device_weights = engine._model._device_weights._tensors
    before = {name: tensor.clone() for name, tensor in device_weights.items()}
    with pytest.raises(ConfigError, match="stale"):
        engine.examine(stale)
    with pytest.raises(ConfigError, match="stale"):
        engine.refresh(stale, version=1)
    assert engine.version == 0
    assert all(torch.equal(tensor, before[name]) for name, tensor in device_weights.items())


def test_a_stored_output_layer_without_the_embedding_it_is_tied_to_is_no_checkpoint(folder, tmp_path):
    def without(weights, head):
        del weights["model.language_model.embed_tokens.weight"]
        return weights | {"lm_head.weight": head}

    with pytest.raises(ConfigError, match=r"lack model\.language_model\.embed_tokens"):
        Engine(with_head(folder, tmp_path / "bare", without), EngineSettings(device="cpu", slots=2, length=512))


def test_an_engine_that_sleeps_already_sleeps_on_when_told_again(engine):
    engine.sleep()
    engine.sleep()
    assert engine.asleep
    engine.wake()
    assert replies(engine, [request(engine, 1)])


def test_an_engine_that_never_slept_takes_the_weights_it_is_woken_with(engine, other_folder, other_model):
    engine.wake(other_folder, 3)
    one = request(engine, 1)
    reply = replies(engine, [one])[0]
    assert set(reply.versions) == {3}
    assert torch.allclose(torch.tensor(reply.logprobs), plain_logprobs(other_model, one, reply.sampled), atol=1e-3)
