"""The proof that every template of every family works, through the real fleet."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from webgym.cli.failures import ExitCode

pytestmark = [pytest.mark.chromium]


def check(*options: str) -> tuple[int, dict, str]:
    command = [sys.executable, "-m", "webgym", "sites", "check", "--json", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr[-3000:]
    return done.returncode, json.loads(done.stdout.splitlines()[-1]), done.stderr


@pytest.mark.full
@pytest.mark.timeout(1500)
def test_oracles_solve_every_kind_of_task_and_nobody_else_does():
    """A part of `webgym sites check --all`, which takes longer: every template once, and fewer random episodes."""
    kinds = ("--only", "oracle", "--only", "noop", "--only", "random")
    code, found, told = check("--all", "--sites-per-template", "1", "--random-episodes", "60", *kinds)
    assert found["oracle_success"] == 1, told[-5000:]
    assert found["noop_success"] == 0, told[-5000:]
    assert found["random_success"] < 0.1
    assert code == 0
    assert (found["families"], found["sites"] >= 300, found["tasks"] >= 30_000) == (6, True, True)
    assert found["generation_seconds"] < 300  # a minute where nothing else runs
    steps = found["steps_by_difficulty"]
    assert steps["easy"]["median"] < steps["medium"]["median"] < steps["hard"]["median"]


def test_a_check_of_one_site_tells_what_it_found():
    code, found, _ = check("--site", "shop-1", "--template", "find-price", "--sessions", "2", "--random-episodes", "1")
    assert code == 0
    assert (found["oracle_success"], found["perturbed_oracle_success"], found["noop_success"]) == (1, 1, 0)
    assert found["spoiled_exact"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "choose what to check"),
        (("--site", "nowhere"), "there is no site 'nowhere'"),
        (("--family", "bank"), "there is no family 'bank'"),
        (("--all", "--only", "luck"), "--only takes oracle"),
    ],
)
def test_bad_options_get_a_clear_error(options: tuple[str, ...], message: str):
    command = [sys.executable, "-m", "webgym", "sites", "check", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == ExitCode.CONFIGURATION
    assert message in done.stderr
    assert "Traceback" not in done.stderr
