"""A machine where no browser can run is told so, in one sentence, by every command that needs one."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.broken_programs import MISSING, lacking_a_library, script

from webgym.browser.config import ChromiumConfig
from webgym.cli import machine_proof, setup
from webgym.cli.failures import ExitCode
from webgym.errors import ConfigError

pytestmark = pytest.mark.chromium
DRIVER, BROWSER = "PLAYWRIGHT_NODEJS_PATH", "WEBGYM_CHROMIUM"


def webgym(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    settings = {**os.environ, "COLUMNS": "200", "WEBGYM_NO_SETUP": "1", **environment}
    return subprocess.run(
        [sys.executable, "-m", "webgym", *words], env=settings, capture_output=True, text=True, check=False, timeout=120
    )


@pytest.mark.parametrize("program", [DRIVER, BROWSER])
def test_doctor_says_what_a_machine_lacks_that_cannot_run_a_session(program: str, tmp_path: Path):
    broken = lacking_a_library(tmp_path / "broken")
    told = webgym("doctor", **{program: str(broken)})
    [line] = [line for line in told.stdout.splitlines() if "a session with one step" in line]
    assert line.startswith("missing")
    assert f"because this machine lacks {MISSING}" in told.stdout
    assert told.returncode == ExitCode.FAILURES


def test_doctor_does_not_believe_a_browser_that_only_tells_its_version(tmp_path: Path):
    told = webgym("doctor", **{BROWSER: str(script(tmp_path / "talker", "echo Chromium 1.2.3"))})
    assert "ok      browser: Chromium 1.2.3" in told.stdout
    assert "missing a session with one step: does not work" in told.stdout
    assert told.returncode == ExitCode.FAILURES


@pytest.mark.parametrize("program", [DRIVER, BROWSER])
def test_serve_says_it_in_one_line_and_at_once(program: str, tmp_path: Path):
    # As where something was removed from a machine that had been proven: the workers find out themselves.
    code = "from webgym.cli import main, setup; setup.ensure_ready = lambda **_: None; main.main()"
    environment = {**os.environ, program: str(lacking_a_library(tmp_path / "broken")), "COLUMNS": "200"}
    started = time.monotonic()
    told = subprocess.run(
        [sys.executable, "-c", code, "serve", "--port", "0"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    [line] = [line for line in told.stderr.splitlines() if " INFO " not in line]
    assert line.startswith("error: the node cannot run: ")
    assert f"cannot start, because this machine lacks {MISSING}" in line
    assert time.monotonic() - started < 50, "less than the time for which a fleet is waited for"


def test_commands_refuse_a_machine_where_the_step_fails(tmp_path: Path):
    told = webgym("try", "shop-6", **{BROWSER: str(script(tmp_path / "mute", "exit 3"))})
    assert told.returncode != 0
    assert told.stderr.startswith("error: no session can be run on this machine: Chromium failed to start: ")
    assert len(told.stderr.splitlines()) == 1


def test_what_was_proven_is_not_proven_again_until_it_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    browser = script(tmp_path / "browser", f'exec "{setup._browser_here(ChromiumConfig())}" "$@"')
    monkeypatch.setenv(BROWSER, str(browser))
    monkeypatch.setenv("WEBGYM_HOME", str(tmp_path / "home"))
    setup.ensure_ready()
    config = ChromiumConfig()
    assert machine_proof.is_proven(config)
    monkeypatch.setattr(setup, "prove_machine", lambda _: pytest.fail("proven again"))
    setup.ensure_ready()
    script(browser, "exit 3")
    assert not machine_proof.is_proven(config)
    monkeypatch.setattr(setup, "prove_machine", machine_proof.prove_machine)
    with pytest.raises(ConfigError, match="no session can be run on this machine"):
        setup.ensure_ready()
