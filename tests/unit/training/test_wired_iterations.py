"""How a synchronous run is wired: what its rollouts and its evaluations sample with, and which groups may start."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from tests.unit.store.making import META
from tests.unit.training.test_carried_manner import Own
from tests.unit.training.test_collect import tasks

from webgym.records.curve import Iteration
from webgym.records.sample import PolicyVersion
from webgym.records.trajectory import Attempt, Ending, Infrastructure
from webgym.rollout.pool import Roll
from webgym.run import train as run_by
from webgym.run.carried_manner import manner_of
from webgym.run.folders import Folders
from webgym.run.loop import Stages
from webgym.run.run_length import Planned
from webgym.run.train import in_turn
from webgym.run.train_config import TrainConfig
from webgym.store.read import open_run
from webgym.store.weights_manner import load_manner
from webgym.store.write import RunWriter, open_writer
from webgym.testing.rollouts import EventList

pytestmark = pytest.mark.anyio
TASKS, TESTS = tasks(6), tasks(3)
AWAY = TASKS[0].task_id
"""A task in quarantine."""
CONFIG = TrainConfig.model_validate(
    {
        "seed": 5,
        "iterations": 1,
        "policy": {"model": "nano", "temperature": 0.75},
        "evaluate": {"temperature": 0.25, "later": True},
        "train": {"source": {"groups": 2, "members": 2}},
        "browser": {"sessions": 4},
    }
)


class Wiring:
    """Notes what rollouts and evaluations are wired with."""

    def __init__(self) -> None:
        self.made: list[str] = []
        self.trains_with: object = None
        self.tests_with: Callable[[], object] | None = None
        self.tests: object = None

    def training(self, policy: object, recorder: RunWriter, given: object) -> Roll:
        assert given == TASKS
        self.trains_with = policy

        async def roll(attempt: Attempt) -> Ending:
            self.made.append(attempt.task.task_id)
            ending = Ending(Infrastructure("transport"), began=1.0, ended=2.0)
            await recorder.begin(attempt)
            await recorder.end(attempt, ending, {})
            return ending

        return roll

    def evaluation(self, policy: Callable[[], object], given: object) -> Callable[[object], Roll]:
        self.tests_with, self.tests = policy, given
        return lambda recorder: self.training(policy(), recorder, TASKS)


def without_quarantined(groups: Iterator[tuple[Attempt, ...]]) -> Iterator[tuple[Attempt, ...]]:
    return (group for group in groups if group[0].task.task_id != AWAY)


@asynccontextmanager
async def a_run(folder: Path, wiring: Wiring, told: list[object]) -> AsyncGenerator[SimpleNamespace]:
    (folder / "model").mkdir()
    (folder / "model" / "config.json").write_bytes(msgspec.json.encode({"image_token_id": 1}))
    async with open_writer(folder / "run", META) as writer:
        with open_run(folder / "run") as store:
            yield SimpleNamespace(
                config=CONFIG,
                folders=Folders(folder / "run"),
                model=folder / "model",
                writer=writer,
                store=store,
                tasks=TASKS,
                tests=TESTS,
                iterations=[],
                policy=PolicyVersion(0, str(folder / "model")),
                sampler=SimpleNamespace(at=lambda temperature, seed: (temperature, seed), weights=None),
                trainer=Own(),
                wiring=wiring,
                events=EventList(),
                progress=SimpleNamespace(on_evaluation=None, on_update=None),
                shown=SimpleNamespace(write=None),
                sift=lambda: without_quarantined,
                tell=told.append,
            )


async def test_rollouts_and_evaluations_each_sample_as_configured_and_quarantined_tasks_do_not_start(tmp_path: Path):
    wiring = Wiring()
    told: list[object] = []
    async with a_run(tmp_path, wiring, told) as run:
        await in_turn(run, 1, Planned(1))
    assert wiring.trains_with == (0.75, 5)
    assert wiring.tests_with is not None
    assert (wiring.tests_with(), wiring.tests) == ((0.25, 5), TESTS)
    assert len(told) == 1
    assert len(wiring.made) >= 4
    assert AWAY not in wiring.made


async def test_what_the_trainer_publishes_says_what_it_was_trained_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    class OneStep:
        """Trains once."""

        def __init__(self, stages: Stages, *_: object) -> None:
            self._stages = stages

        async def run(self, done: Sequence[Iteration], until: int) -> None:
            await self._stages.trainer.step(tmp_path / "batch", 0, tmp_path / "v1")

    monkeypatch.setattr(run_by, "Loop", OneStep)
    async with a_run(tmp_path, Wiring(), []) as run:
        await in_turn(run, 1, Planned(1))
    carried = load_manner(tmp_path / "v1")
    assert carried is not None
    assert carried.settings == manner_of(CONFIG)
