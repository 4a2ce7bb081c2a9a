"""An engine's process that is killed while it starts."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.child_environment import python_path
from tests.unit.engine import dying

from webgym.engine.process import open_engine
from webgym.errors import ConfigError
from webgym.records.sample import PolicyVersion

pytestmark = pytest.mark.anyio


@pytest.fixture
def deaths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that says how often it is killed."""
    monkeypatch.setenv(dying.TIMES, str(tmp_path / "deaths"))
    monkeypatch.setenv("PYTHONPATH", python_path())
    return tmp_path / "deaths"


async def test_an_engine_that_is_killed_while_it_starts_is_started_again(deaths: Path):
    deaths.write_text("2")
    async with open_engine(PolicyVersion(1, "weights"), module=dying.__name__) as engine:
        assert engine.pid is not None
        assert engine.restarts == 2


async def test_an_engine_that_is_killed_every_time_it_starts_is_an_error(deaths: Path):
    deaths.write_text("99")
    with pytest.raises(ConfigError, match="it was killed while it started; is there enough memory"):
        async with open_engine(PolicyVersion(1, "weights"), module=dying.__name__):
            pass
    assert deaths.read_text() == str(99 - 3)
