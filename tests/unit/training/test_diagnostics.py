"""What a run tells of its attempts and of how old its tokens are: recorded, written down and said."""

from __future__ import annotations

import io
from pathlib import Path

import anyio
import msgspec
import pytest
from rich.console import Console
from tests.unit.curves.made import iteration
from tests.unit.training.looping import Everyone, went_around
from tests.unit.viewer.made_rows import row

from webgym.cli.progress import TrainingProgress
from webgym.curves.file import append, read
from webgym.curves.tracker import flat
from webgym.records.curve import Iteration
from webgym.run.figures import tried
from webgym.run.run_length import PlannedLength
from webgym.run.schedule import Schedule
from webgym_nano.commands.teller import DemoTeller
from webgym_nano.demo.budget import Budget


def attempts():
    kinds = [
        ("mixed", "success", 2), ("mixed", "failure", 4), ("mixed", "truncated", 8),
        ("pass", "success", 1), ("pass", "success", 1),
        ("fail", "failure", 1), ("fail", "failure", 1),
        ("few", "success", 1), ("few", "infrastructure", 9), ("few", "blocked", 9),
    ]  # fmt: skip
    return [
        row(n, kind, group=group, task_id=group, steps=steps, sampled_tokens=10 * steps)
        for n, (group, kind, steps) in enumerate(kinds)
    ]


def masked_iteration() -> Iteration:
    lost = [row(100 + n, "infrastructure", steps=30 + n, detail="timeout") for n in range(9)]
    return msgspec.structs.replace(iteration(3), train=tried([*(row(n, steps=4) for n in range(80)), *lost]))


def test_attempts_are_told_apart_by_group_and_outcome():
    found = tried(attempts())
    assert found.grouped is not None
    assert (found.grouped.groups, found.grouped.too_few, found.grouped.all_pass, found.grouped.all_fail) == (
        4, 0.25, 0.25, 0.25,
    )  # fmt: skip
    assert found.masked is not None
    assert (found.masked.share, found.masked.steps) == (pytest.approx(0.2), 9.0)
    assert (found.successes.attempts, found.successes.steps) == (4, pytest.approx(5 / 4))
    assert (found.failures.attempts, found.failures.steps) == (4, pytest.approx(14 / 4))


def test_attempts_that_are_compared_with_no_other_have_no_shares_of_groups():
    assert tried([row(1, group="a"), row(2, group="b")]).grouped is None
    assert tried([]).grouped is None


def test_every_one_of_them_has_a_flat_name_and_survives_the_disk(tmp_path):
    made = iteration(1)
    learned = msgspec.structs.replace(made.learned, lags={0: 600, 2: 40})
    one = msgspec.structs.replace(made, train=tried(attempts()), learned=learned)
    append(tmp_path / "curve.jsonl", one)
    assert read(tmp_path / "curve.jsonl") == [one]
    names = flat(one)
    assert (names["learned/lags/0"], names["learned/lags/2"]) == (600, 40)
    assert (names["train/groups/all_pass"], names["train/groups/all_fail"]) == (0.25, 0.25)
    assert (names["train/masked"], names["train/masked/steps"]) == (pytest.approx(0.2), 9.0)
    assert {"train/masked/longer", "train/masked/p_value", "train/groups/too_few"} <= names.keys()
    assert names["train/tokens/failures"] == pytest.approx(35.0)


@pytest.mark.anyio
async def test_an_iteration_counts_its_tokens_by_their_lag(tmp_path):
    told = await went_around(Everyone(), tmp_path, Schedule(1, 0, 9, PlannedLength(1)))
    (lags,) = (one.learned.lags for one in told if one.learned is not None)
    assert set(lags) == {0}
    assert lags[0] > 0


@pytest.mark.parametrize("who", ["train", "demo"])
def test_a_person_in_the_terminal_is_warned_of_what_has_no_reward(who):
    said = io.StringIO()
    console = Console(file=said, width=400)
    teller = (
        TrainingProgress(console, 9)
        if who == "train"
        else DemoTeller(console, Budget(60), Path("runs/demo"), stays=False)
    )
    teller.on_iteration(masked_iteration())
    text = said.getvalue()
    assert "warning: training: 10.1% of the attempts have no reward: infrastructure (timeout) 9 times" in text
    assert "warning: training: attempts without a reward are longer than graded ones" in text
    assert who == "demo" or "10.1% without a reward" in text


def test_nobody_is_warned_where_all_is_well():
    said = io.StringIO()
    well = tried([row(n, ("success", "failure")[n % 2]) for n in range(20)])
    one = msgspec.structs.replace(iteration(3), train=well, evaluation=None)
    TrainingProgress(Console(file=said, width=400), 9).on_iteration(one)
    assert "warning" not in said.getvalue()
    assert "without a reward" not in said.getvalue()


def test_an_iteration_without_seconds_is_told_without_brackets():
    said = io.StringIO()
    teller = TrainingProgress(Console(file=said, width=400), 9)
    teller.on_iteration(msgspec.structs.replace(iteration(1), seconds={"collect": 12.3, "sleep": 0.2}))
    teller.on_iteration(msgspec.structs.replace(iteration(2), seconds={}))
    first, second = (line.rstrip() for line in said.getvalue().splitlines() if line.startswith("   "))
    assert first.endswith("[collect 12 s]")
    assert "[" not in second


@pytest.mark.anyio
async def test_a_long_iteration_is_not_silent_where_there_is_no_terminal():
    said = io.StringIO()
    teller = TrainingProgress(Console(file=said, width=400), 9, silence=0.01)
    teller.on_evaluation(0, 120, None)
    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(teller.break_silence)
            while said.getvalue().count("evaluation after iteration 0: 120 attempts") < 2:
                await anyio.sleep(0.005)
            tasks.cancel_scope.cancel()


def test_an_iteration_whose_training_was_told_is_not_told_again_with_its_evaluation():
    said = io.StringIO()
    teller = TrainingProgress(Console(file=said, width=400), 9)
    one = msgspec.structs.replace(iteration(3), seconds={"collect": 12.3})
    teller.on_update(msgspec.structs.replace(one, evaluation=None))
    teller.on_iteration(msgspec.structs.replace(one, seconds={"collect": 12.3, "evaluate": 30.0}))
    first, second = (line.rstrip() for line in said.getvalue().splitlines() if line.startswith("   "))
    assert "train " in first
    assert "unseen" not in first
    assert "train " not in second
    assert second.endswith("[evaluate 30 s]")
    assert "unseen websites " in second
