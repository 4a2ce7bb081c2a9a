"""What cannot fit is told before it is allocated, with what would."""

from __future__ import annotations

import re

import pytest
import torch
from tests.unit.engine.test_batching import replies, request

from webgym.engine import memory_budget
from webgym.engine.checkpoint import Checkpoint
from webgym.engine.engine import Engine
from webgym.engine.settings import MIB, EngineSettings
from webgym.engine.shape import read_shape
from webgym.errors import ConfigError

CPU, GPU = torch.device("cpu"), torch.device("cuda")


def test_slots_that_do_not_fit_are_refused_and_those_that_would_are_named(folder, monkeypatch):
    text = read_shape(folder).text_config
    slot = 512 * memory_budget.token_bytes(text, torch.float32)
    weights = Checkpoint(folder).numbers(tied=True) * 4
    monkeypatch.setattr(memory_budget, "free_bytes", lambda _: int((weights + 3.5 * slot) / 0.96))
    with pytest.raises(ConfigError, match=r"policy\.slots=3 would fit") as refused:
        Engine(folder, EngineSettings(device="cpu", slots=4, length=512, threads=1))
    assert re.search("4 replies of 512 tokens", str(refused.value))
    Engine(folder, EngineSettings(device="cpu", slots=3, length=512, threads=1))


def test_weights_that_do_not_fit_are_refused(folder, monkeypatch):
    monkeypatch.setattr(memory_budget, "free_bytes", lambda _: 1000)
    with pytest.raises(ConfigError, match=r"another policy\.device"):
        Engine(folder, EngineSettings(device="cpu", slots=1, length=64, threads=1))


def test_what_is_counted_is_what_is_allocated(folder):
    engine = Engine(folder, EngineSettings(device="cpu", slots=2, length=256, threads=1))
    text = read_shape(folder).text_config
    assert engine._model.slots.bytes == 2 * 256 * memory_budget.token_bytes(text, torch.float32)
    counted = Checkpoint(folder).numbers(tied=True) * 4
    assert counted == pytest.approx(engine._model.bytes - engine._model.slots.bytes, rel=0.1)


def test_caches_grow_with_what_a_gpu_has_left():
    assert memory_budget.feature_bytes(100 * 10**9, CPU) == 256 * MIB
    assert memory_budget.feature_bytes(100 * 10**9, GPU) == 5 * 10**9
    assert memory_budget.feature_bytes(0, GPU) == 256 * MIB
    assert memory_budget.prefix_bytes(100 * 10**9, GPU, 10**9) == 5 * 10**9
    assert memory_budget.prefix_bytes(100 * 10**9, GPU, 4 * MIB) == 128 * MIB


def test_a_prompt_that_is_too_large_to_keep_is_not_copied(folder, monkeypatch):
    engine = Engine(folder, EngineSettings(device="cpu", slots=2, length=512, threads=1, prefix_bytes=1000))
    copies = []
    monkeypatch.setattr(engine._model.slots, "snapshot", lambda *given: copies.append(given))
    replies(engine, [request(engine, 1)])
    assert copies == []
