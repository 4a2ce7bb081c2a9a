"""How long an engine may take, which large models need more of: settings of a run, and what is said when it is over."""

from __future__ import annotations

from pathlib import Path

import pytest

from webgym.engine.process import open_engine
from webgym.engine.settings import EngineSettings
from webgym.errors import ConfigError
from webgym.records.sample import PolicyVersion
from webgym.run.engine import engine_settings, sampler
from webgym.run.load import load_config, to_toml

LOADS_FOREVER = """
import socket, sys
sock = socket.socket(fileno=int(sys.argv[1]))
while sock.recv(4096):
    pass
"""


class Noting:
    """An engine that notes how long a reply may take."""

    restarts, pid = 0, 1

    def __init__(self) -> None:
        self.policy = PolicyVersion(0, "model")
        self.deadlines: list[float] = []

    async def ask(self, *_: object, deadline: float, **_more: object) -> None:
        self.deadlines.append(deadline)
        raise ConfigError("that is all")


@pytest.mark.anyio
@pytest.mark.parametrize(("settings", "seconds"), [((), 600.0), (("policy.reply_seconds=1234",), 1234.0)])
async def test_a_reply_may_take_as_long_as_the_run_says(settings, seconds):
    engine = Noting()
    policy = sampler(engine, load_config(None, settings).policy, 1.0, 0)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="that is all"):
        await policy.sample(None, {})  # type: ignore[arg-type]
    assert engine.deadlines == [pytest.approx(seconds, abs=1.0)]


def test_loading_may_take_as_long_as_the_run_says():
    assert engine_settings(load_config(None, []).policy).load_seconds == EngineSettings().load_seconds == 900.0
    assert engine_settings(load_config(None, ["policy.load_seconds=5"]).policy).load_seconds == 5.0


def test_both_are_found_among_the_printed_settings():
    printed = to_toml(load_config(None, []))
    assert "reply_seconds = 600.0" in printed
    assert "load_seconds = 900.0" in printed


@pytest.mark.anyio
async def test_an_engine_that_does_not_load_in_time_says_which_setting_that_was(tmp_path: Path, monkeypatch):
    (tmp_path / "loads_forever.py").write_text(LOADS_FOREVER)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    with pytest.raises(ConfigError, match=r"not ready in 0\.5 s \(policy\.load_seconds\)"):
        async with open_engine(PolicyVersion(0, "model"), EngineSettings(load_seconds=0.5), "loads_forever"):
            pass
