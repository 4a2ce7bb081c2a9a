"""Curves under flat names, for TensorBoard and for Weights & Biases."""

from __future__ import annotations

import math
import sys
import types

import msgspec
import pytest
from tests.unit.curves.made import ABOUT, iteration, run

from webgym.curves.tensorboard import TensorBoard
from webgym.curves.tracker import Tracker, flat
from webgym.curves.wandb import WandB
from webgym.errors import ConfigError
from webgym.records.curve import Lengths, Rate


def test_every_number_has_a_flat_name():
    one = iteration(3)
    assert one.evaluation is not None
    assert one.train is not None
    assert one.learned is not None
    names = flat(one)
    assert names["version"] == 3
    assert names["evaluation/success"] == one.evaluation.success.rate
    assert names["evaluation/success_low"] == one.evaluation.success.low
    assert names["evaluation/success/easy"] == one.evaluation.by_level["easy"].rate
    assert names["evaluation/success/hard_high"] == one.evaluation.by_level["hard"].high
    assert names["train/outcomes/blocked"] == one.train.outcomes["blocked"]
    assert names["train/steps/failures"] == one.train.failures.steps
    assert names["train/tokens_per_step/successes"] == one.train.successes.tokens_per_step
    assert names["train/tasks"] == one.train.tasks
    assert names["learned/loss"] == one.learned.figures["loss"]
    assert names["learned/lr"] == one.learned.lr
    assert names["learned/fates/all_fail"] == one.learned.fates["all_fail"]
    assert names["seconds/collect"] == one.seconds["collect"]
    assert names["throughput/steps_per_second"] == one.steps_per_second
    assert all(type(value) is float for value in names.values())


def test_what_did_not_happen_has_no_name():
    names = flat(iteration(0))
    assert {name.split("/")[0] for name in names} == {"version", "evaluation", "seconds"}
    assert not any(name.startswith("evaluation") for name in flat(iteration(1)))


def test_what_was_not_measured_has_no_name():
    one = iteration(3)
    nothing = msgspec.structs.replace(
        one.evaluation, by_level={"easy": Rate(0, 0, 0.0, 0.0, 1.0)}, successes=Lengths(0, 0.0, 0.0)
    )
    learned = msgspec.structs.replace(one.learned, figures={"loss": math.nan, "entropy": 0.5})
    names = flat(msgspec.structs.replace(one, evaluation=nothing, learned=learned))
    assert not {"evaluation/success/easy", "evaluation/steps/successes", "learned/loss"} & names.keys()
    assert {"evaluation/success", "evaluation/steps/failures", "learned/entropy"} <= names.keys()


def test_tensorboard_reads_back_what_was_written(tmp_path):
    events = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    tracker: Tracker = TensorBoard(tmp_path)
    for one in run(3):
        tracker.write(one)
    tracker.close()
    found = events.EventAccumulator(str(tmp_path))
    found.Reload()
    assert set(found.Tags()["scalars"]) == set().union(*(flat(one) for one in run(3)))
    success = found.Scalars("evaluation/success/easy")
    assert [event.step for event in success] == [0, 3]
    assert success[1].value == pytest.approx(flat(iteration(3))["evaluation/success/easy"])
    assert success[1].wall_time == iteration(3).ended


def test_an_iteration_can_be_looked_at_before_the_next_one(tmp_path):
    events = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    tracker = TensorBoard(tmp_path)
    tracker.write(iteration(1))
    found = events.EventAccumulator(str(tmp_path))
    found.Reload()
    assert len(found.Scalars("learned/loss")) == 1
    tracker.close()


def test_iterations_that_a_resumed_run_does_again_replace_the_earlier_ones(tmp_path, monkeypatch):
    events = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    times = iter((1_790_000_000.0, 1_790_009_000.0))
    for part in (run(5), run(7)[4:]):
        monkeypatch.setattr("time.time", lambda at=next(times): at)  # files are told apart by the second they began
        tracker = TensorBoard(tmp_path)
        for one in part:
            tracker.write(one)
        tracker.close()
    monkeypatch.undo()
    found = events.EventAccumulator(str(tmp_path))
    found.Reload()
    assert [event.step for event in found.Scalars("learned/loss")] == [1, 2, 3, 4, 5, 6, 7]


def test_a_tracker_that_wrote_nothing_can_be_closed(tmp_path):
    TensorBoard(tmp_path).close()
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def said(monkeypatch) -> list[object]:
    """What wandb was told, by a package that only notes it."""
    said: list[object] = []
    wandb = types.ModuleType("wandb")

    class Run:
        def log(self, names: dict[str, float], step: int) -> None:
            said.append((names, step))

        def finish(self) -> None:
            said.append("finished")

    def init(**options: object) -> Run:
        said.append(options)
        return Run()

    monkeypatch.setattr(wandb, "init", init, raising=False)
    monkeypatch.setitem(sys.modules, "wandb", wandb)
    return said


def test_wandb_gets_the_same_names(said):
    tracker: Tracker = WandB("agents", ABOUT)
    tracker.write(iteration(3))
    tracker.close()
    assert said == [
        {"project": "agents", "name": "shop-small", "config": {"model": "qwen3-vl-2b", "recipe": "grpo"}},
        (flat(iteration(3)), 3),
        "finished",
    ]


def test_an_evaluation_that_comes_late_says_nothing_of_the_version_that_wandb_is_at(said):
    late = msgspec.structs.replace(iteration(3), train=None, learned=None, seconds={})
    tracker: Tracker = WandB("agents", ABOUT)
    tracker.write(iteration(5))
    tracker.write(late)
    [_, _, (names, step)] = said
    assert step == 5
    assert names == {name: value for name, value in flat(late).items() if name != "version"} | {
        "evaluation/iteration": 3
    }


@pytest.mark.parametrize(
    ("package", "make"), [("tensorboardX", TensorBoard), ("wandb", lambda path: WandB("p", ABOUT))]
)
def test_a_missing_package_is_named_with_what_to_run(package, make, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ConfigError, match=f"pip install {package}"):
        make(tmp_path)
