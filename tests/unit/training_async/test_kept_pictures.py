"""Which pictures of an asynchronous run may be dropped for the budget, and what its weights carry, as it is wired."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import anyio
import anyio.lowlevel
import msgspec
import pytest
from tests.unit.curves.made import iteration
from tests.unit.training.test_carried_manner import Own
from tests.unit.training_async.test_feeder import tasks

from webgym.records.sample import PolicyVersion
from webgym.run.asynchronous import asynchronous
from webgym.run.carried_manner import manner_of
from webgym.run.curve_log import CurveLog
from webgym.run.folders import Folders
from webgym.run.loop import Loop
from webgym.run.progress import NoProgress
from webgym.run.run_length import PlannedLength
from webgym.run.schedule import Schedule
from webgym.run.sources.batch_source import Harvest
from webgym.run.sources.settled_groups import IterationSettlement, SettledGroups
from webgym.run.train_config import TrainConfig
from webgym.run.watch import Watch
from webgym.store.trim import Needed
from webgym.store.weights_manner import load_manner
from webgym.testing.rollouts import EventList

pytestmark = pytest.mark.anyio
CONFIG = TrainConfig.model_validate(
    {"iterations": 9, "policy": {"model": "nano"}, "train": {"mode": "async"}, "evaluate": {"later": True}}
)


def settled_run(folder: Path, kept: list[Needed]) -> SimpleNamespace:
    """A run that settled the groups of two iterations and ended the first."""
    (folder / "config.json").write_bytes(msgspec.json.encode({"image_token_id": 1}))
    settled = SettledGroups(Folders(folder))
    for number in (1, 2):
        name = f"settled-{number}"
        settled.write(IterationSettlement(number, number - 1, (name,), {name: "kept", f"dropped-{number}": "all_fail"}))
    return SimpleNamespace(
        config=CONFIG,
        folders=Folders(folder),
        model=folder,
        writer=SimpleNamespace(keep=kept.append, finished=frozenset[str]),
        store=SimpleNamespace(rows=list, lacking=frozenset),
        tasks=tasks(6),
        tests=tasks(3),
        curve=CurveLog(folder / "curve.jsonl", [iteration(1)], [], NoProgress()),
        policy=PolicyVersion(1, str(folder)),
        sampler=SimpleNamespace(at=lambda _temperature, _seed: None, weights=None, restarts=int),
        trainer=Own(),
        prepare=anyio.lowlevel.checkpoint,
        is_left=True,
        attempts=SimpleNamespace(training=lambda _policy, _writer, _tasks: None),
        events=EventList(),
        progress=NoProgress(),
        health_recorder=None,
    )


NAMES = ("settled-1", "dropped-1", "settled-2", "dropped-2", "running")


SCHEDULE = Schedule(9, 5, 2, PlannedLength(9), later=True)


async def test_pictures_are_needed_until_the_iteration_that_settled_their_group_is_over(tmp_path: Path):
    kept: list[Needed] = []
    run = settled_run(tmp_path, kept)
    with anyio.fail_after(20):
        async with asynchronous(run, SCHEDULE, Watch(print, 60, 120)) as parts:
            await Loop(parts, run.policy).run(1)  # the first iteration is over: nothing is to be done
    [needed] = kept
    assert [needed(name) for name in NAMES] == [False, False, True, True, True]


async def test_what_an_iteration_ends_with_is_let_go_and_its_weights_say_what_they_were_trained_on(tmp_path: Path):
    kept: list[Needed] = []
    run = settled_run(tmp_path, kept)
    with anyio.fail_after(20):
        async with asynchronous(run, SCHEDULE, Watch(print, 60, 120)) as parts:
            await parts.trainer.step(tmp_path / "batch", 1, tmp_path / "v2")
            parts.source.noted(Harvest(2, names=frozenset({"settled-2", "dropped-2"})))
    [needed] = kept
    assert [needed(name) for name in NAMES] == [False, False, False, False, True]
    carried = load_manner(tmp_path / "v2")
    assert carried is not None
    assert carried.settings == manner_of(CONFIG)
