"""What evaluations attempt, and that one which was cut off is gone on with."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import anyio
import pytest
from tests.unit.curves.made import iteration
from tests.unit.training.test_collect import tasks

from webgym.curves.file import append
from webgym.errors import PolicyUnavailable
from webgym.inference.config import ServersConfig
from webgym.records.sample import PolicyVersion
from webgym.records.trajectory import Attempt, Ending, Success
from webgym.rollout.pool import FinishedGroup, Roll
from webgym.run.config import PolicyConfig
from webgym.run.evaluations.evaluator import Evaluator
from webgym.run.folders import Folders
from webgym.run.run_length import PlannedLength
from webgym.run.train_config import TrainConfig
from webgym.stages import Recorder
from webgym.store.meta import RunMeta
from webgym.testing.rollouts import EventList

pytestmark = pytest.mark.anyio


class Tried:
    """Attempts that succeed, until so many are over: then nobody samples any more."""

    def __init__(self, fails_after: int = 1_000) -> None:
        self.names: list[str] = []
        self._begun = 0
        self._fails_after = fails_after
        self._gone = anyio.Event()

    def wire(self, recorder: Recorder) -> Roll:
        async def roll(attempt: Attempt) -> Ending:
            self._begun += 1
            if self._begun > self._fails_after:
                await self._gone.wait()
                raise PolicyUnavailable("the server is gone")
            ending = Ending(Success(), began=1.0, ended=2.0)
            await recorder.begin(attempt)
            await recorder.end(attempt, ending, {})
            self.names.append(attempt.task.task_id)
            if len(self.names) == self._fails_after:
                self._gone.set()
            return ending

        return roll

    def told(self, _iteration: int, _planned: int, _finished: FinishedGroup | None) -> None:
        pass


def evaluator(folder: Path, tried: Tried, config: TrainConfig | None = None) -> Evaluator:
    return Evaluator(
        config=config or TrainConfig(),
        tasks=tasks(6),
        folders=Folders(folder),
        meta=RunMeta("a run", 0.0, kind="train"),
        wire=tried.wire,
        events=EventList(),
        trained_on=SimpleNamespace(rows=list),
        writing=lambda _writer: None,
        told=tried.told,
        pace=PlannedLength(9),
    )


async def broken_off(folder: Path, number: int, config: TrainConfig | None = None) -> None:
    """An evaluation that ended after two attempts."""
    with pytest.raises(ExceptionGroup):
        await evaluator(folder, Tried(fails_after=2), config)(number, PolicyVersion(number, "model"))


async def test_a_first_evaluation_that_failed_does_not_say_what_later_ones_attempt(tmp_path):
    await broken_off(tmp_path, 0)
    later = Tried()
    rows = await evaluator(tmp_path, later)(5, PolicyVersion(5, "model"))
    assert len(rows) == len(later.names) == 6


async def test_a_first_evaluation_that_is_over_says_what_later_ones_attempt(tmp_path):
    class Two(PlannedLength):
        def more_tests(self, made: int, there: int) -> int:
            return min(2 - made, there - made)

    first = evaluator(tmp_path, Tried())
    first = Evaluator(**{name: getattr(first, name) for name in Evaluator.__slots__} | {"pace": Two(9)})
    assert len(await first(0, PolicyVersion(0, "model"))) == 2
    append(Folders(tmp_path).curve, iteration(0))
    assert len(await evaluator(tmp_path, Tried())(5, PolicyVersion(5, "model"))) == 2


async def test_an_evaluation_is_gone_on_with_where_servers_get_other_devices(tmp_path):
    def on(device: str) -> TrainConfig:
        servers = ServersConfig(replicas=1, devices=(device,))
        return TrainConfig(policy=PolicyConfig(model="m", server="vllm", servers=servers))

    await broken_off(tmp_path, 3, on("1"))
    rest = Tried()
    rows = await evaluator(tmp_path, rest, on("2"))(3, PolicyVersion(3, "model"))
    assert (len(rest.names), len(rows)) == (4, 6)
