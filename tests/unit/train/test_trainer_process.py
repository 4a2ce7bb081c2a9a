"""A trainer's process that is killed while it starts."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.child_environment import python_path
from tests.unit.train import dying

from webgym.errors import TrainingError
from webgym.train.messages import Ready, TrainerStart
from webgym.train.process import TRIES, TrainerProcess, open_trainer_process

pytestmark = pytest.mark.anyio
START = TrainerStart(model="m", recipe="{}", settings="{}", run="r", checkpoints="c")


@pytest.fixture
def deaths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that says how often it is killed."""
    monkeypatch.setenv(dying.TIMES, str(tmp_path / "deaths"))
    monkeypatch.setenv("PYTHONPATH", python_path())
    return tmp_path / "deaths"


def opened():
    return open_trainer_process(START, module=dying.__name__)


async def test_a_trainer_that_is_killed_before_it_reads_its_orders_is_started_again(deaths: Path):
    deaths.write_text(str(TRIES - 1))
    async with opened() as trainer:
        assert isinstance(await trainer.ready(), Ready)
        assert isinstance(trainer, TrainerProcess)
        assert trainer.restarts == TRIES - 1


async def test_a_trainer_that_is_killed_every_time_it_starts_ends_the_run(deaths: Path):
    deaths.write_text("99")
    async with opened() as trainer:
        with pytest.raises(TrainingError, match=f"the trainer died {TRIES} times while it started"):
            await trainer.ready()
        assert trainer.pid is None
    assert deaths.read_text() == str(99 - TRIES)
