"""Curves of asynchronous training: how it flowed, and evaluations that come late."""

from __future__ import annotations

import sys
import types

import msgspec
import pytest
from tests.unit.curves.made import ABOUT, iteration, run

from webgym.curves.file import append, read
from webgym.curves.tensorboard import TensorBoard
from webgym.curves.tracker import flat
from webgym.curves.wandb import WandB
from webgym.records.curve import Flow, Iteration

IDLE = {"browser": 0.25, "inference": 0.5, "trainer": 0.0}


def flowing(number: int) -> Iteration:
    flow = Flow(0.75, 2, 1, 6, 3, IDLE, {"engine": 1})
    seconds = {"wait": 4.0, "batch": 0.1, "learn": 9.0, "publish": 0.2}
    return msgspec.structs.replace(iteration(number), flow=flow, seconds=seconds, evaluation=None)


def late(number: int) -> Iteration:
    """The evaluation of an iteration, alone."""
    made = iteration(number)
    return msgspec.structs.replace(made, train=None, learned=None, seconds={})


def test_how_it_flowed_has_flat_names():
    names = flat(flowing(4))
    expected = {
        "flow/lag_mean": 0.75,
        "flow/lag_max": 2,
        "flow/lacking": 1,
        "flow/running": 6,
        "flow/waiting": 3,
        "flow/idle/browser": 0.25,
        "flow/idle/inference": 0.5,
        "flow/idle/trainer": 0.0,
        "flow/restarts/engine": 1,
    }
    assert {name: value for name, value in names.items() if name.startswith("flow/")} == expected
    assert names["seconds/wait"] == 4.0


def test_a_curve_of_before_can_be_read_and_the_later_line_counts(tmp_path):
    path = tmp_path / "curve.jsonl"
    old = msgspec.to_builtins(iteration(1))
    del old["flow"]
    path.write_bytes(msgspec.json.encode(old) + b"\n")
    append(path, flowing(2))
    append(path, msgspec.structs.replace(flowing(2), evaluation=iteration(3).evaluation))
    append(path, iteration(0))  # its evaluation took until now
    assert [one.iteration for one in read(path)] == [0, 1, 2]
    assert read(path)[1].flow is None
    assert read(path)[2].evaluation == iteration(3).evaluation


def test_an_evaluation_that_comes_late_hides_nothing_in_tensorboard(tmp_path, monkeypatch):
    events = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    times = iter((1_790_000_000.0, 1_790_009_000.0))
    for part in (run(5)[1:], [late(3), *run(7)[6:]]):
        monkeypatch.setattr("time.time", lambda at=next(times): at)  # files are told apart by the second they began
        tracker = TensorBoard(tmp_path)
        for one in part:
            tracker.write(one)
        tracker.close()
    monkeypatch.undo()
    found = events.EventAccumulator(str(tmp_path))
    found.Reload()
    assert [event.step for event in found.Scalars("learned/loss")] == [1, 2, 3, 4, 5, 6, 7]


def test_an_evaluation_that_comes_late_is_not_lost_on_wandb(monkeypatch):
    said: list[tuple[dict[str, float], int]] = []
    wandb = types.ModuleType("wandb")

    class Run:
        def log(self, names: dict[str, float], step: int) -> None:
            said.append((names, step))

        def finish(self) -> None: ...

    monkeypatch.setattr(wandb, "init", lambda **_: Run(), raising=False)
    monkeypatch.setitem(sys.modules, "wandb", wandb)
    tracker = WandB("agents", ABOUT)
    tracker.write(flowing(5))
    tracker.write(late(3))
    [_, (names, step)] = said
    assert (step, names["evaluation/iteration"]) == (5, 3)
    assert names["evaluation/success"] == iteration(3).evaluation.success.rate
