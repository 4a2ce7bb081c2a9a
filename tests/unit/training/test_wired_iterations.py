"""How a synchronous run is wired: what its rollouts and its evaluations sample with, and which groups may start."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from tests.unit.store.making import META
from tests.unit.training.test_collect import tasks

from webgym.pipeline.train.config import TrainConfig
from webgym.pipeline.train.folders import Folders
from webgym.pipeline.train.run import in_turn
from webgym.pipeline.train.run_length import Planned
from webgym.records.sample import PolicyVersion
from webgym.records.trajectory import Attempt, Ending, Infrastructure
from webgym.rollout.pool import Roll
from webgym.store.read import open_run
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


async def test_rollouts_and_evaluations_each_sample_as_configured_and_quarantined_tasks_do_not_start(tmp_path: Path):
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_bytes(msgspec.json.encode({"image_token_id": 1}))
    wiring = Wiring()
    told: list[object] = []
    async with open_writer(tmp_path / "run", META) as writer:
        with open_run(tmp_path / "run") as store:
            run = SimpleNamespace(
                config=CONFIG,
                folders=Folders(tmp_path / "run"),
                model=tmp_path / "model",
                writer=writer,
                store=store,
                tasks=TASKS,
                tests=TESTS,
                iterations=[],
                policy=PolicyVersion(0, str(tmp_path / "model")),
                sampler=SimpleNamespace(at=lambda temperature, seed: (temperature, seed), weights=None),
                trainer=None,
                wiring=wiring,
                events=EventList(),
                audience=SimpleNamespace(evaluating=None, trained=None),
                shown=SimpleNamespace(write=None),
                sift=lambda: without_quarantined,
                tell=told.append,
            )
            await in_turn(run, 1, Planned(1))
    assert wiring.trains_with == (0.75, 5)
    assert wiring.tests_with is not None
    assert (wiring.tests_with(), wiring.tests) == ((0.25, 5), TESTS)
    assert len(told) == 1
    assert len(wiring.made) >= 4
    assert AWAY not in wiring.made
