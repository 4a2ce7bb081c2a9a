"""How a synchronous run is wired: what its rollouts and its evaluations sample with, and which groups may start."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from tests.unit.store.making import META
from tests.unit.training.test_carried_manner import Own
from tests.unit.training.test_collect import tasks

from webgym.records.sample import PolicyVersion
from webgym.records.trajectory import Attempt, Ending, Infrastructure
from webgym.rollout.pool import Roll
from webgym.run.carried_manner import manner_of
from webgym.run.curve_log import CurveLog
from webgym.run.folders import Folders
from webgym.run.loop import Loop
from webgym.run.progress import NoProgress
from webgym.run.run_length import PlannedLength
from webgym.run.schedule import Schedule
from webgym.run.synchronous import synchronous
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
        "tasks": {"quarantine": True},
        "train": {"source": {"groups": 2, "members": 2}},
        "browser": {"sessions": 4},
    }
)


class Attempts:
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


@asynccontextmanager
async def a_run(folder: Path, wiring: Attempts) -> AsyncGenerator[SimpleNamespace]:
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
                curve=CurveLog(folder / "run" / "curve.jsonl", [], [], NoProgress()),
                policy=PolicyVersion(0, str(folder / "model")),
                sampler=SimpleNamespace(at=lambda temperature, seed: (temperature, seed), weights=None),
                trainer=Own(),
                attempts=wiring,
                events=EventList(),
                progress=NoProgress(),
                shown=SimpleNamespace(write=None),
                health_recorder=SimpleNamespace(is_away=lambda task: task.task_id == AWAY),
            )


SCHEDULE = Schedule(1, 0, 9, PlannedLength(1), later=True)


async def test_rollouts_and_evaluations_each_sample_as_configured_and_quarantined_tasks_do_not_start(tmp_path: Path):
    wiring = Attempts()
    async with a_run(tmp_path, wiring) as run, synchronous(run, SCHEDULE) as parts:
        await Loop(parts, run.policy).run(1)
        assert len(run.curve.iterations) == 1
    assert wiring.trains_with == (0.75, 5)
    assert wiring.tests_with is not None
    assert (wiring.tests_with(), wiring.tests) == ((0.25, 5), TESTS)
    assert len(wiring.made) >= 4
    assert AWAY not in wiring.made


async def test_what_the_trainer_publishes_says_what_it_was_trained_on(tmp_path: Path):
    async with a_run(tmp_path, Attempts()) as run, synchronous(run, SCHEDULE) as parts:
        await parts.trainer.step(tmp_path / "batch", 0, tmp_path / "v1")
    carried = load_manner(tmp_path / "v1")
    assert carried is not None
    assert carried.settings == manner_of(CONFIG)
