"""`webgym nano learn`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import msgspec
import pytest
from policies.nano.tests.learn.pages import page, write_shard
from typer.testing import CliRunner

from webgym.errors import ConfigError
from webgym_nano.commands.nano import app
from webgym_nano.config import NanoConfig
from webgym_nano.learn.checkpoint import NAME
from webgym_nano.learn.learn import Learned
from webgym_nano.lessons.follow import newest_version


def test_settings_can_be_changed_and_printed():
    told = CliRunner().invoke(
        app, ["learn", "lessons", "out", "batch=64", "optimizer.lr=6e-4", "rows.wander=false", "--print-settings"]
    )
    found = json.loads(told.stdout)
    assert (found["batch"], found["optimizer"]["lr"], found["rows"]["wander"]) == (64, 6e-4, False)
    assert found["optimizer"]["muon_lr"] == 2e-3


@pytest.mark.parametrize("wrong", ["batch", "batch=0", "speed=9", "rows.tokens=10"])
def test_settings_that_do_not_exist_or_cannot_be_are_refused(wrong):
    told = CliRunner().invoke(app, ["learn", "lessons", "out", wrong, "--print-settings"])
    assert isinstance(told.exception, ConfigError)


def command(folder, steps):
    small = ("batch=1", "shelf.first=1", "shelf.lessons=4", "shelf.held_lessons=4", "shelf.held_out=0")
    often = ("checkpoint_s=0.1", "publish_s=0.1", "publish_from=0")
    options = ("--steps", str(steps), "--device", "cpu", "--json")
    return [
        *(sys.executable, "-m", "webgym", "nano", "learn", str(folder / "lessons"), str(folder / "out")),
        *(*small, *often, *options),
    ]


@pytest.mark.full
@pytest.mark.timeout(600)
def test_a_learner_that_was_killed_goes_on_and_rollouts_find_its_weights(tmp_path):
    write_shard(tmp_path / "lessons", 1, [page(number, NanoConfig()) for number in range(3)])
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    first = subprocess.Popen(command(tmp_path, 10_000), env=environment, stdout=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 90
        while not (tmp_path / "out" / NAME).exists() and time.monotonic() < end:
            time.sleep(0.1)
        assert (tmp_path / "out" / NAME).exists()
    finally:
        first.send_signal(signal.SIGKILL)
        first.wait()
    newest = newest_version(tmp_path / "out" / "weights")
    again = subprocess.run(command(tmp_path, 1), env=environment, capture_output=True, check=True)
    found = msgspec.json.decode(again.stdout.splitlines()[-1], type=Learned)
    assert found.complete
    assert found.step >= 1
    assert found.version > (newest.version if newest else 0)
    assert newest_version(tmp_path / "out" / "weights").version == found.version
