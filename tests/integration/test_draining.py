"""Nodes that are told to stop while sessions run, and gateways without browsers."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from tests.fleets import FAKE

from webgym.browser.client import connect_sync
from webgym.browser.client.sync import SyncBrowser
from webgym.cli.failures import ExitCode
from webgym.errors import CapacityError, SessionLost, TransportError
from webgym.records.action import Click, Point

WEBGYM = [sys.executable, "-m", "webgym"]
TOKEN, JOIN = "client-secret", "join-secret"


@contextlib.contextmanager
def serving(folder: Path, *options: str) -> Generator[tuple[subprocess.Popen[str], str]]:
    """A `webgym serve` and the URL that it said it is ready at."""
    home = {"WEBGYM_HOME": str(folder / "home"), "TMPDIR": str(folder), "COLUMNS": "200"}
    environment = {**os.environ, **home, "WEBGYM_TOKEN": TOKEN, "WEBGYM_JOIN_TOKEN": JOIN}
    command = [*WEBGYM, "serve", "--browser", FAKE, *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            ready = next(line for line in process.stdout if line.startswith("ready"))
            yield process, ready.split()[1]
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait(30)


def open_until_refused(browser: SyncBrowser) -> None:
    """It may take a moment until the node has heard that it is to stop."""
    while True:
        with browser.open(wait_seconds=0):
            pass


def test_a_node_that_is_told_to_stop_admits_no_session_and_ends_with_its_last_one(tmp_path: Path):
    with serving(tmp_path, "--port", "0", "--drain", "60") as (process, url), connect_sync(url, token=TOKEN) as browser:
        with browser.open() as session:
            process.terminate()
            with pytest.raises(CapacityError, match=r"is about to stop|no free session slot"):
                open_until_refused(browser)
            assert session.step(Click(Point(1, 1))).observation.title == "1"
            assert process.poll() is None
        assert process.wait(20) == 0


def test_a_session_that_goes_on_for_too_long_is_lost_and_does_not_keep_its_node(tmp_path: Path):
    with serving(tmp_path, "--port", "0", "--drain", "0.5") as (process, url):
        with connect_sync(url, token=TOKEN) as browser, browser.open() as session:
            process.terminate()
            assert process.wait(20) == 0
            with pytest.raises((SessionLost, TransportError)):
                session.observe()


def test_a_gateway_alone_gives_out_the_sessions_of_nodes_that_join_it(tmp_path: Path):
    with serving(tmp_path, "--port", "0", "--gateway-only") as (_, url), connect_sync(url, token=TOKEN) as browser:
        assert browser.status().nodes == ()
        with serving(tmp_path, "--join", url, "--sessions", "3"), browser.open() as session:
            assert session.step(Click(Point(1, 1))).observation.title == "1"
            assert browser.status().capacity == 3


@pytest.mark.parametrize("other", [("--join", "http://127.0.0.1:9"), ("--sites", "1")])
def test_a_gateway_alone_neither_joins_nor_serves_sites(tmp_path: Path, other: tuple[str, ...]):
    environment = {**os.environ, "WEBGYM_HOME": str(tmp_path)}
    command = [*WEBGYM, "serve", "--gateway-only", *other]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == ExitCode.CONFIGURATION
    assert re.match("error: --(gateway-only|sites) ", done.stderr)
