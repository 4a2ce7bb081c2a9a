"""Runs on a fleet and on sites that somebody else has started, as several machines would have them."""

from __future__ import annotations

import contextlib
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Generator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import msgspec
import pytest
import trustme

from webgym.errors import ConfigError
from webgym.run.attempt_resources import attempt_resources
from webgym.run.config import BrowserConfig, RunConfig, TasksConfig
from webgym.run.load import load_config, to_toml
from webgym.run.progress import NoProgress
from webgym.run.run import run
from webgym.store.meta import RunMeta
from webgym.store.read import open_run
from webgym.testing.rollouts import fake_task
from webgym_hermetic.catalogue import site
from webgym_hermetic.serve import serve_sites

WEBGYM = [sys.executable, "-m", "webgym"]
PER_FAMILY = 8
COOKIE = {"name": "login", "value": "s3same", "domain": "127.0.0.1", "path": "/", "expires": -1}


@dataclass
class Page:
    """A website that remembers how it was asked."""

    port: int = 0
    asked: list[dict[str, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Elsewhere:
    """A fleet behind an authority of its own, and sites: neither is any run's."""

    folder: Path
    environment: dict[str, str]
    fleet: str
    sites: str
    page: Page


@contextlib.contextmanager
def started(environment: dict[str, str], *command: str) -> Generator[subprocess.Popen[str]]:
    with subprocess.Popen([*WEBGYM, *command], stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            yield process
        finally:
            process.terminate()
            process.wait(30)


def told(process: subprocess.Popen[str], pattern: str) -> str:
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(pattern, line):
            return found[1]
    raise AssertionError(f"it ended without saying {pattern}")


@contextlib.contextmanager
def remembering() -> Generator[Page]:
    page = Page()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page.asked.append(dict(self.headers))
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<title>Here</title>Welcome")

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        page.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        yield page
        server.shutdown()


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Generator[Elsewhere]:
    folder = tmp_path_factory.mktemp("elsewhere")
    authority = trustme.CA()
    authority.cert_pem.write_to_path(folder / "ca.pem")
    authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(folder / "server.pem")
    environment = os.environ | {"WEBGYM_TOKEN": "of-both", "WEBGYM_HOME": str(folder / "home"), "COLUMNS": "200"}
    fleet_file, pem = folder / "fleet.toml", str(folder / "server.pem")
    serve = ("serve", "--port", "0", "--sessions", "2", "--config", str(fleet_file))
    tls = ("--tls-certificate", pem, "--tls-key", pem, "--tls-authority", str(folder / "ca.pem"))
    some = ("sites", "serve", "--port", "0", "--control-port", "0", "--sites", str(PER_FAMILY))
    with remembering() as page, started(environment, *some) as serving:
        port, control = told(serving, r"localhost:(\d+)"), told(serving, r"control plane (\S+)")
        fleet_file.write_text(
            f"[node.chromium.egress]\nallow = ['127.0.0.1:{page.port}']\n"
            f"[node.chromium.egress.hermetic]\n'*.localhost:80' = '127.0.0.1:{port}'\n"
        )
        with started(environment, *serve, *tls) as fleet:
            yield Elsewhere(folder, environment, told(fleet, r"ready\s+(\S+)"), control, page)


@pytest.mark.chromium
def test_the_oracle_solves_hermetic_tasks_on_a_fleet_and_sites_that_are_not_the_runs(elsewhere):
    command = [
        *WEBGYM, "rollout", "agent.use=oracle", "name=solved", "tasks.count=2", "tasks.levels=['easy']",
        f"tasks.sites_per_family={PER_FAMILY}", f"browser.url={elsewhere.fleet}", f"browser.sites={elsewhere.sites}",
        f"browser.authority='{elsewhere.folder / 'ca.pem'}'", "browser.sessions=2", "browser.width=640",
        "browser.height=480", f"store.root='{elsewhere.folder}'", "monitor.serve=false", "--json",
    ]  # fmt: skip
    said = subprocess.run(command, check=False, capture_output=True, text=True, timeout=100, env=elsewhere.environment)
    assert said.returncode == 0, said.stderr
    report = json.loads(said.stdout)
    assert report["outcomes"]["success"] == report["submitted"] == 2
    with open_run(elsewhere.folder / "solved") as run:
        assert all(one.ending.verdict.success and not one.ending.failed_tries for one in run.trajectories())


def given(place: Elsewhere, *settings: str) -> RunConfig:
    """A run on the website that remembers."""
    task = f"{{task_id='one', instruction='look', website='http://127.0.0.1:{place.page.port}/', rubric=[]}}"
    nobody = ("agent.use=noop", "judge.use=none", "tasks.use=given", "monitor.serve=false", "browser.sessions=1")
    there = (f"browser.url={place.fleet}", f"browser.authority='{place.folder / 'ca.pem'}'")
    return load_config(
        None, [*nobody, f"tasks.given=[{task}]", *there, *(f"browser.session.{one}" for one in settings)]
    )


@pytest.mark.anyio
@pytest.mark.chromium
async def test_the_options_of_sessions_reach_websites_and_secrets_stay_out_of_the_run(elsewhere, monkeypatch):
    monkeypatch.setenv("WEBGYM_TOKEN", elsewhere.environment["WEBGYM_TOKEN"])
    monkeypatch.setenv("SITE_KEY", "Bearer 0pen")
    file, folder = elsewhere.folder / "state.json", elsewhere.folder / "seen"
    file.write_text(json.dumps({"cookies": [COOKIE], "origins": []}))
    config = given(
        elsewhere, "locale=de-DE", "user_agent=Tester/1.0", "headers_env.Authorization=SITE_KEY",
        f"storage_state='{file}'",
    )  # fmt: skip
    ran = await run(config, folder, RunMeta("seen", 0.0, "webgym eval", to_toml(config)), NoProgress())
    assert ran.complete
    asked = elsewhere.page.asked[0]
    assert (asked["User-Agent"], asked["Accept-Language"]) == ("Tester/1.0", "de-DE")
    assert (asked["Authorization"], asked["Cookie"]) == ("Bearer 0pen", "login=s3same")
    stored = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    assert stored
    assert not any(b"s3same" in content or b"0pen" in content for content in stored)


@pytest.mark.anyio
@pytest.mark.chromium
async def test_options_that_the_browser_refuses_end_the_run_before_its_attempts(elsewhere, monkeypatch):
    monkeypatch.setenv("WEBGYM_TOKEN", elsewhere.environment["WEBGYM_TOKEN"])
    with pytest.raises(ConfigError, match=r"browser\.session.*Mars/Olympus"):
        async with attempt_resources(given(elsewhere, "timezone=Mars/Olympus"), []):
            pass


async def refused(place: Elsewhere, control: str, number: int) -> str:
    """Why a run on this shop does not begin."""
    settings = {"url": place.fleet, "authority": str(place.folder / "ca.pem"), "sites": control}
    config = RunConfig(browser=BrowserConfig(**settings), tasks=TasksConfig(sites_per_family=number + 1))
    task = msgspec.structs.replace(fake_task(), website=f"http://{site('shop', number).name}.localhost/")
    with pytest.raises(ConfigError) as caught:
        async with attempt_resources(config, [task]):
            pass
    return str(caught.value)


@pytest.mark.anyio
@pytest.mark.chromium
async def test_a_fleet_that_does_not_reach_the_sites_and_sites_that_are_too_few_are_told(elsewhere, monkeypatch):
    token = elsewhere.environment["WEBGYM_TOKEN"]
    monkeypatch.setenv("WEBGYM_TOKEN", token)
    assert f"webgym sites serve --sites {PER_FAMILY + 1}" in await refused(elsewhere, elsewhere.sites, PER_FAMILY)
    async with serve_sites([site("shop", 0)], token=token) as others:  # no node has been told of these
        assert "node.chromium.egress.hermetic" in await refused(elsewhere, others.control_url, 0)
