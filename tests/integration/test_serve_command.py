"""`webgym serve` and `webgym status` as a person runs them."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
import trustme
from tests.fleets import FAKE, TOKENS

from webgym.browser.client import connect, connect_sync
from webgym.browser.config import GatewayConfig, NodeConfig, TlsConfig
from webgym.browser.server.supervise import run_fleet
from webgym.cli.failures import ExitCode
from webgym.errors import TransportError
from webgym.records.action import Click, Point
from webgym.records.session import SessionSpec

WEBGYM = [sys.executable, "-m", "webgym"]


@dataclass
class Serving:
    process: subprocess.Popen[str]
    url: str
    environment: dict[str, str]

    def descendants(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)


def environment_in(folder: Path) -> dict[str, str]:
    return {**os.environ, "WEBGYM_HOME": str(folder / "home"), "TMPDIR": str(folder), "COLUMNS": "200"}


@contextlib.contextmanager
def serving(folder: Path, *options: str) -> Generator[Serving]:
    environment = environment_in(folder)
    command = [*WEBGYM, "serve", "--browser", FAKE, "--port", "0", "--sessions", "2", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=None, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = re.search(r"https?://\S+", line)
            assert found, line
            yield Serving(process, found[0], environment)
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait(20)


def running(processes: list[psutil.Process]) -> list[psutil.Process]:
    """Those that have not ended; whoever adopted one may not have waited for it yet."""
    return [one for one in processes if one.is_running() and one.status() != psutil.STATUS_ZOMBIE]


def wait_until(condition, seconds: float = 10.0) -> None:
    give_up = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < give_up
        time.sleep(0.05)


def test_serve_says_where_it_is_and_status_shows_it(tmp_path: Path):
    with serving(tmp_path) as served:
        shown = subprocess.run(
            [*WEBGYM, "status", "--url", served.url], env=served.environment, capture_output=True, text=True, check=True
        )
        assert "0 of 2 sessions in use" in shown.stdout
        as_json = subprocess.run(
            [*WEBGYM, "status", "--url", served.url, "--json"],
            env=served.environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert '"capacity":2' in as_json.stdout


def test_serve_takes_its_settings_from_a_file_too(tmp_path: Path):
    file = tmp_path / "fleet.toml"
    file.write_text(f'[node]\nbrowser = "{FAKE}"\nmax_sessions = 3\n')
    environment = environment_in(tmp_path)
    command = [*WEBGYM, "serve", "--config", str(file), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        assert "(3 sessions)" in process.stdout.readline()
        process.terminate()


def test_the_token_is_generated_once_for_its_owner_alone(tmp_path: Path):
    with serving(tmp_path):
        token = tmp_path / "home" / "token"
        kept = token.read_text()
        assert len(kept) >= 40
        assert token.stat().st_mode & 0o077 == 0
    with serving(tmp_path):
        assert token.read_text() == kept


def test_serve_takes_everything_down_with_itself(tmp_path: Path):
    with serving(tmp_path) as served:
        started = served.descendants()
        assert len(started) >= 3
        served.process.terminate()
        assert served.process.wait(20) == 0
        assert not running(started)
    assert not list(tmp_path.glob("webgym-*/run-*"))


def test_what_serve_started_ends_even_when_serve_is_killed(tmp_path: Path):
    with serving(tmp_path) as served:
        started = served.descendants()
        os.kill(served.process.pid, signal.SIGKILL)
        served.process.wait(10)
        wait_until(lambda: not running(started))
    assert list(tmp_path.glob("webgym-*/run-*"))
    with serving(tmp_path):
        assert len(list(tmp_path.glob("webgym-*/run-*"))) == 1  # the killed one's is gone


def test_serve_restarts_what_died(tmp_path: Path):
    with serving(tmp_path) as served:
        [gateway] = [p for p in served.descendants() if "webgym.browser.server.gateway" in p.cmdline()]
        gateway.kill()

        def is_back() -> bool:
            asked = subprocess.run(
                [*WEBGYM, "status", "--url", served.url], env=served.environment, capture_output=True, check=False
            )
            return asked.returncode == 0 and b"0 of 2" in asked.stdout

        wait_until(is_back, 15)


def test_a_taken_port_is_told_in_one_line(tmp_path: Path):
    with serving(tmp_path) as served:
        port = served.url.rpartition(":")[2]
        second = subprocess.run(
            [*WEBGYM, "serve", "--browser", FAKE, "--port", port],
            env=served.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=30,
        )
    assert second.returncode == ExitCode.CONFIGURATION
    assert "cannot listen on" in second.stderr
    assert "Traceback" not in second.stderr


def test_a_node_that_its_gateway_could_not_reach_is_refused_at_once(tmp_path: Path):
    joining = subprocess.run(
        [*WEBGYM, "serve", "--browser", FAKE, "--join", "http://gateway.invalid:7000"],
        env=environment_in(tmp_path),
        capture_output=True,
        text=True,
        check=False,
        timeout=30,
    )
    assert joining.returncode == ExitCode.CONFIGURATION
    assert "cannot reach this node at http://127.0.0.1" in joining.stderr
    assert "Traceback" not in joining.stderr


def test_status_without_a_fleet_says_what_to_do(tmp_path: Path):
    asked = subprocess.run(
        [*WEBGYM, "status", "--url", "http://127.0.0.1:9"],
        env=environment_in(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert asked.returncode == ExitCode.INFRASTRUCTURE
    assert "webgym serve" in asked.stderr
    assert "Traceback" not in asked.stderr


@pytest.mark.parametrize("name", ["nowhere:Nothing", "json:Nothing", "json"])
def test_a_browser_that_cannot_be_imported_is_told_and_ends_it(tmp_path: Path, name: str):
    served = subprocess.run(
        [*WEBGYM, "serve", "--browser", name, "--port", "0"],
        env=environment_in(tmp_path),
        capture_output=True,
        text=True,
        check=False,
        timeout=30,  # half of what a fleet has to get ready in
    )
    assert served.returncode == ExitCode.CONFIGURATION
    assert f"error: the node cannot run: cannot import the browser '{name}'" in served.stderr
    assert "--browser must be MODULE:CLASS" in served.stderr
    assert len([line for line in served.stderr.splitlines() if " INFO " not in line]) == 1


def test_a_node_that_joins_says_for_whom_it_waits(tmp_path: Path):
    command = [*WEBGYM, "serve", "--browser", FAKE, "--join", "http://127.0.0.1:9"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment_in(tmp_path)) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        process.terminate()
    assert line == "waiting up to 60 s for the gateway http://127.0.0.1:9\n"


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_an_authority_that_cannot_be_read_is_told(tmp_path: Path, content: str | None):
    authority = tmp_path / "authority.pem"
    if content is not None:
        authority.write_text(content)
    asked = subprocess.run(
        [*WEBGYM, "status", "--url", "http://127.0.0.1:1", "--authority", str(authority)],
        env=environment_in(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert asked.returncode == ExitCode.CONFIGURATION
    assert f"cannot read the certificate authority {authority}: " in asked.stderr
    assert "Traceback" not in asked.stderr


def test_an_address_of_another_machine_is_told_with_the_option_for_it(tmp_path: Path):
    served = subprocess.run(
        [*WEBGYM, "serve", "--browser", FAKE, "--host", "192.0.2.1"],
        env=environment_in(tmp_path),
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert served.returncode == ExitCode.CONFIGURATION
    assert "choose another with --host" in served.stderr


def test_a_nodes_port_that_is_taken_is_told_with_the_option_for_it(tmp_path: Path):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        command = [*WEBGYM, "serve", "--browser", FAKE, "--port", "0", "--node-port", str(taken.getsockname()[1])]
        served = subprocess.run(
            command, env=environment_in(tmp_path), capture_output=True, text=True, check=False, timeout=60
        )
    assert served.returncode == ExitCode.CONFIGURATION
    assert "choose another with --node-port" in served.stderr


def test_other_machines_are_told_to_join_only_where_they_can_reach(tmp_path: Path):
    with serving(tmp_path) as served:
        served.process.terminate()
        assert served.process.stdout is not None
        assert "--join" not in served.process.stdout.read()
    with serving(tmp_path, "--host", "0.0.0.0") as served:
        assert served.process.stdout is not None
        lines = [served.process.stdout.readline() for _ in range(2)]
        assert f"webgym serve --join http://ADDRESS:{served.url.rpartition(':')[2]} " in lines[1]


@pytest.mark.anyio
async def test_a_fleet_over_tls_is_reached_with_its_authority_only(tmp_path: Path):
    authority = trustme.CA()
    certificate = authority.issue_cert("127.0.0.1", "localhost")
    certificate.private_key_and_cert_chain_pem.write_to_path(tmp_path / "server.pem")
    authority.cert_pem.write_to_path(tmp_path / "authority.pem")
    pem, trusted = str(tmp_path / "server.pem"), str(tmp_path / "authority.pem")
    tls = TlsConfig(certificate=pem, key=pem, authority=trusted)
    node = NodeConfig(browser=FAKE, max_sessions=2, tls=tls)
    async with run_fleet(GatewayConfig(port=0, tls=tls), [node], tokens=TOKENS) as fleet:
        await fleet.wait_ready()
        assert fleet.url.startswith("https://")
        async with connect(fleet.url, token=fleet.token, authority=trusted) as client, client.open() as session:
            assert session.base.startswith("https://")
            assert (await session.step(Click(Point(1, 1)))).observation.title == "1"
        async with connect(fleet.url, token=fleet.token) as stranger:
            with pytest.raises(TransportError):
                await stranger.status()


@pytest.mark.chromium
def test_a_fleet_can_be_started_with_websites_that_need_no_network(tmp_path: Path):
    environment = {**os.environ, "WEBGYM_HOME": str(tmp_path / "home"), "COLUMNS": "200"}
    command = [*WEBGYM, "serve", "--port", "0", "--sessions", "1", "--sites", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            told = dict(line.split(maxsplit=1) for line in (process.stdout.readline() for _ in range(3)))
            assert told["sites"].startswith("http://blueberrystore.localhost/ in sessions, and 5 more; control plane")
            url, page = told["ready"].split()[0], told["sites"].split()[0]
            token = Path(told["token"].split()[0]).read_text("utf-8").strip()
            with connect_sync(url, token=token) as browser, browser.open(SessionSpec(start_url=page)) as session:
                seen = session.observe().observation
        finally:
            process.terminate()
            process.wait(30)
    assert (seen.title, seen.effect) == ("Blueberry Store", None)


def test_a_node_that_joins_serves_no_websites(tmp_path: Path):
    command = [*WEBGYM, "serve", "--browser", FAKE, "--join", "http://127.0.0.1:9", "--sites", "1"]
    done = subprocess.run(
        command, env=environment_in(tmp_path), capture_output=True, text=True, check=False, timeout=30
    )
    assert done.returncode == ExitCode.CONFIGURATION
    assert "webgym sites serve" in done.stderr
