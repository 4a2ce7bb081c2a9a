"""Which pictures of an asynchronous run may be dropped for the budget, and what its weights carry, as it is wired."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import anyio
import anyio.lowlevel
import msgspec
import pytest
from tests.unit.curves.made import iteration
from tests.unit.training.test_carried_manner import Own
from tests.unit.training_async.test_feeder import tasks

from webgym.records.curve import Iteration
from webgym.records.sample import PolicyVersion
from webgym.run import async_train as flow_run
from webgym.run.async_loop import FlowStages, Told
from webgym.run.async_train import flow, watch_for
from webgym.run.carried_manner import manner_of
from webgym.run.folders import Folders
from webgym.run.loop import Plan
from webgym.run.run_length import Planned
from webgym.run.sources.pool_filter import everything
from webgym.run.sources.settled_groups import Settled, SettledGroups
from webgym.run.train_config import TrainConfig
from webgym.store.trim import Needed
from webgym.store.weights_manner import load_manner
from webgym.testing.rollouts import EventList

pytestmark = pytest.mark.anyio
CONFIG = TrainConfig.model_validate(
    {"iterations": 9, "policy": {"model": "nano"}, "train": {"mode": "async"}, "evaluate": {"later": True}}
)


def progress() -> SimpleNamespace:
    return SimpleNamespace(on_message=lambda _line: None)


def settled_run(folder: Path, kept: list[Needed]) -> SimpleNamespace:
    """A run that settled the groups of two iterations and ended the first."""
    (folder / "config.json").write_bytes(msgspec.json.encode({"image_token_id": 1}))
    settled = SettledGroups(Folders(folder))
    for number in (1, 2):
        name = f"settled-{number}"
        settled.write(Settled(number, number - 1, (name,), {name: "kept", f"dropped-{number}": "all_fail"}))
    return SimpleNamespace(
        config=CONFIG,
        folders=Folders(folder),
        model=folder,
        writer=SimpleNamespace(keep=kept.append, finished=frozenset[str]),
        store=SimpleNamespace(rows=list, lacking=frozenset),
        tasks=tasks(6),
        tests=tasks(3),
        iterations=[iteration(1)],
        policy=PolicyVersion(1, str(folder)),
        sampler=SimpleNamespace(at=lambda _temperature, _seed: None, weights=None, restarts=int),
        trainer=Own(),
        prepare=anyio.sleep_forever,
        wiring=SimpleNamespace(training=lambda _policy, _writer, _tasks: None),
        events=EventList(),
        progress=progress(),
        sift=lambda: everything,
        tell=lambda _iteration: None,
    )


NAMES = ("settled-1", "dropped-1", "settled-2", "dropped-2", "running")


async def test_pictures_are_needed_until_the_iteration_that_settled_their_group_is_over(tmp_path: Path):
    kept: list[Needed] = []
    run = settled_run(tmp_path, kept)
    with anyio.fail_after(20):
        # The first iteration is over: nothing is to be done.
        await flow(run, watch_for(CONFIG, progress()), 1, Planned(9))
    [needed] = kept
    assert [needed(name) for name in NAMES] == [False, False, True, True, True]


async def test_what_an_iteration_ends_with_is_let_go_and_its_weights_say_what_they_were_trained_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    class OneIteration:
        """Trains once, and tells the iteration that settled the second groups."""

        def __init__(self, stages: FlowStages, plan: Plan, first: PolicyVersion, told: Told) -> None:
            self._stages, self._told = stages, told

        async def run(self, done: Sequence[Iteration], until: int) -> None:
            await self._stages.trainer.step(tmp_path / "batch", 1, tmp_path / "v2")
            self._told(iteration(2), ("settled-2", "dropped-2"))

    monkeypatch.setattr(flow_run, "FlowLoop", OneIteration)
    kept: list[Needed] = []
    run = settled_run(tmp_path, kept)
    run.prepare = anyio.lowlevel.checkpoint
    with anyio.fail_after(20):
        await flow(run, watch_for(CONFIG, progress()), 2, Planned(9))
    [needed] = kept
    assert [needed(name) for name in NAMES] == [False, False, False, False, True]
    carried = load_manner(tmp_path / "v2")
    assert carried is not None
    assert carried.settings == manner_of(CONFIG)
