"""Steps that are recorded on a GPU, and what becomes of replies if they cannot be."""

from __future__ import annotations

import contextlib

import pytest
import torch
from tests.unit.engine.tiny import replies, request

from webgym.engine.engine import Engine
from webgym.engine.request import SamplingParams
from webgym.engine.settings import EngineSettings


class _Stream:
    def wait_stream(self, other):
        pass


@pytest.fixture
def recording(monkeypatch):
    """A GPU that can do everything but record: `fail` is called where recording begins."""

    def install(fail):
        monkeypatch.setattr(torch.cuda, "Stream", _Stream)
        monkeypatch.setattr(torch.cuda, "current_stream", _Stream)
        monkeypatch.setattr(torch.cuda, "stream", contextlib.nullcontext)
        monkeypatch.setattr(torch.cuda, "CUDAGraph", object)
        monkeypatch.setattr(torch.cuda, "graph", fail)

    return install


@pytest.fixture
def engine(folder):
    """Which forgets what it read: the same requests are computed in the same way again."""
    return Engine(folder, EngineSettings(device="cpu", slots=4, length=512, threads=1, prefix_bytes=0))


def some(engine):
    return [
        request(engine, seed, words=9 * seed, sampling=SamplingParams(max_tokens=20, endless=True))
        for seed in (1, 2, 3)
    ]


def test_replies_go_on_as_if_nothing_had_been_tried_when_recording_fails(engine, recording, caplog):
    expected = replies(engine, some(engine))

    def fail(graph):
        raise torch.OutOfMemoryError("no memory to record")

    recording(fail)
    engine._decoder._graphs = True
    assert replies(engine, some(engine)) == expected
    assert "no memory to record" in caplog.text


def test_a_trial_that_breaks_off_in_the_middle_leaves_no_trace_either(engine, recording, caplog, monkeypatch):
    expected = replies(engine, some(engine))
    slots = engine._model.slots
    write = slots.write

    def breaks(layer, *arguments):
        if layer == 1:
            monkeypatch.setattr(slots, "write", write)
            raise torch.OutOfMemoryError("no memory to try")
        write(layer, *arguments)

    recording(contextlib.nullcontext)
    engine._decoder._graphs = True
    monkeypatch.setattr(slots, "write", breaks)
    assert replies(engine, some(engine)) == expected
    assert "no memory to try" in caplog.text
