"""Ports and addresses that cannot be listened on, and what the person is told to change."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Generator

import pytest
from typer.testing import CliRunner

from webgym.cli.failures import ExitCode
from webgym.cli.main import app
from webgym.errors import ConfigError
from webgym.serving.listen import bind

NOT_OURS = "192.0.2.1"
"""Reserved for documentation: no machine has it."""


@pytest.fixture
def taken() -> Generator[int]:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        sock.listen()
        yield sock.getsockname()[1]


@pytest.mark.parametrize(
    "command",
    [
        ["serve", "--port"],
        ["serve", "--node-port"],
        ["view", "--port"],
        ["sites", "serve", "--port"],
        ["sites", "serve", "--control-port"],
        ["monitor", "--demo", "--port"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("port", ["99999", "-1"])
def test_a_port_that_cannot_be_is_refused_before_anything_starts(command: list[str], port: str):
    done = CliRunner().invoke(app, [*command, port])
    assert done.exit_code == 2, done.output
    assert "Invalid value for" in done.output


def test_a_port_that_cannot_be_is_told_wherever_it_comes_from():
    with pytest.raises(ConfigError, match=r"127\.0\.0\.1:99999: .*0.65535.*--port"):
        bind("127.0.0.1", 99999)


def test_a_port_that_is_taken_is_told_with_the_option_to_change(taken: int):
    with pytest.raises(ConfigError, match=f"127.0.0.1:{taken}: .* in use; choose another with --control-port"):
        bind("127.0.0.1", taken, "--control-port", "--control-host")


@pytest.mark.parametrize("host", [NOT_OURS, "no.such.name.invalid"])
def test_an_address_that_is_not_this_machines_is_told_with_the_option_to_change(host: str):
    with pytest.raises(ConfigError, match=f"{host}:0: .*; choose another with --control-host"):
        bind(host, 0, "--control-port", "--control-host")


def asked(*arguments: str) -> str:
    command = [sys.executable, "-m", "webgym", *arguments]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=60, env={**os.environ, "COLUMNS": "200"}
    )
    assert done.returncode == ExitCode.CONFIGURATION, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


def test_the_simulated_monitor_on_a_taken_port_names_an_option_that_it_has(taken: int):
    assert "choose another with --port" in asked("monitor", "--demo", "--port", str(taken))


def test_sites_on_an_address_of_another_machine_name_the_option_for_it():
    assert "choose another with --host" in asked("sites", "serve", "--sites", "1", "--host", NOT_OURS)
    control = ("--port", "0", "--control-host", NOT_OURS)
    assert "choose another with --control-host" in asked("sites", "serve", "--sites", "1", *control)
