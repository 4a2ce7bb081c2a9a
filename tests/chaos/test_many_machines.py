"""What the recipes start, on machines with addresses of their own: Compose's command lines, and the script for Slurm.

Containers are stood in for by network namespaces, and Slurm by programs that start a command in one of them.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from tests.chaos.machines import Machine, machines, missing
from tests.recipes.recipes import ROOT, SLURM, TOKENS, Service, compose, compose_services

from webgym.records.trajectory import outcome_kind
from webgym.store.read import open_run

pytestmark = [
    pytest.mark.chromium,
    pytest.mark.full,
    pytest.mark.timeout(1200),
    pytest.mark.skipif(bool(missing()), reason=missing()),
]

WEBGYM = str(Path(sys.executable).with_name("webgym"))
SMALL = ("tasks.levels=['easy']", "browser.width=640", "browser.height=480", "monitor.serve=false")
TRY_SECONDS = 300.0


def wait_for(condition: Callable[[], bool], what: str, seconds: float = TRY_SECONDS) -> None:
    give_up = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < give_up, f"not in {seconds:g} s: {what}"
        time.sleep(0.2)


@contextlib.contextmanager
def started(machine: Machine, words: list[str], environment: dict[str, str]) -> Generator[subprocess.Popen[bytes]]:
    """A process on a machine; what it says goes to a file in the machine's folder."""
    with (machine.folder / "said").open("wb") as said:
        command, known = machine.command(words), machine.environment(environment)
        process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT, env=known, cwd=machine.folder)
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()


def environment_of(service: str) -> dict[str, str]:
    return {name: TOKENS[name] for name in compose()["services"][service]["environment"]}


def words_of(service: Service) -> list[str]:
    """The command line of a container; its mounted file is the one that is mounted."""
    return [
        WEBGYM,
        *(str(ROOT / "docker/fleet.toml") if word == "/etc/webgym/fleet.toml" else word for word in service.words),
    ]


def is_healthy(machine: Machine, service: Service) -> bool:
    """Ask as the container's health check does."""
    command = machine.command([str(ROOT / "docker/healthy"), *service.healthy])
    environment = machine.environment(environment_of(service.name))
    return subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0


def asked(machine: Machine, url: str) -> Any:
    """What a route says, asked from a machine."""
    header = f"Authorization: Bearer {TOKENS['WEBGYM_TOKEN']}"
    command = machine.command(["curl", "-s", "--noproxy", "*", "-H", header, url])
    return json.loads(subprocess.run(command, capture_output=True, check=True, timeout=30).stdout)


def nodes_of(gateway: Machine) -> list[str]:
    return [node["url"] for node in asked(gateway, "http://127.0.0.1:7000/v1/status")["nodes"]]


def has_acted(node: Machine) -> bool:
    """Whether a session there is in the middle of an attempt: the visit with which a run begins is a single step."""
    return any(session.get("steps", 0) > 1 for session in asked(node, "http://127.0.0.1:7001/v1/held"))


def test_a_node_of_the_compose_file_that_is_stopped_while_attempts_run_loses_none(tmp_path: Path):
    services = {service.name: service for service in compose_services()}
    fleet_of = ("gateway", "sites", "node-1", "node-2")
    with machines(tmp_path, *fleet_of, "run") as all_of, contextlib.ExitStack() as stack:
        running = {
            name: stack.enter_context(started(all_of[name], words_of(services[name]), environment_of(name)))
            for name in fleet_of
        }
        for name in fleet_of:
            wait_for(lambda name=name: is_healthy(all_of[name], services[name]), f"{name} is healthy")
        wait_for(lambda: len(nodes_of(all_of["gateway"])) == 2, "both nodes have joined")

        more = [*SMALL, "tasks.count=8", "browser.sessions=4", "name=ran", f"store.root='{tmp_path}'"]
        run = stack.enter_context(started(all_of["run"], [*words_of(services["run"]), *more], environment_of("run")))
        wait_for(lambda: has_acted(all_of["node-1"]), "an attempt on the first node", seconds=120)
        assert run.poll() is None
        running["node-1"].send_signal(signal.SIGTERM)
        assert running["node-1"].wait(services["node-1"].grace_seconds) == 0
        assert nodes_of(all_of["gateway"]) == ["http://node-2:7001"]
        assert run.wait(TRY_SECONDS) == 0, (all_of["run"].folder / "said").read_text()
        assert not all_of["node-1"].processes()
    with open_run(tmp_path / "ran") as stored:
        attempts = list(stored.trajectories())
    assert len(attempts) == 8
    assert all(one.ending.verdict.success and not one.ending.failed_tries for one in attempts)


SRUN = """#!/usr/bin/env bash
# In place of Slurm's: starts a command on the machine of that name.
while [[ $1 == --* ]]; do case $1 in --nodelist=*) host=${{1#*=}} ;; esac; shift; done
TMPDIR={folder}/$host WEBGYM_HOME={folder}/$host/home exec ip netns exec "{prefix}$host" "$@"
"""
SCONTROL = """#!/usr/bin/env bash
# In place of Slurm's: `scontrol show hostnames LIST`.
tr , '\\n' <<< "$3"
"""


def slurm_job(folder: Path, hosts: dict[str, Machine]) -> dict[str, str]:
    """The environment of a job on these hosts."""
    tools = folder / "tools"
    tools.mkdir()
    first = next(iter(hosts.values()))
    prefix = first.namespace.removesuffix(first.name)
    for name, text in (("srun", SRUN.format(folder=folder, prefix=prefix)), ("scontrol", SCONTROL)):
        (tools / name).write_text(text)
        (tools / name).chmod(0o755)
    about = {"JOB_NODELIST": ",".join(hosts), "JOB_ID": "77", "SUBMIT_DIR": str(folder), "CPUS_PER_TASK": "1"}
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    return {"PATH": path, "WEBGYM": WEBGYM, **{f"SLURM_{name}": value for name, value in about.items()}}


def test_the_script_for_slurm_runs_on_every_host_and_leaves_nothing_behind(tmp_path: Path):
    with machines(tmp_path, "alpha", "beta", "gamma") as hosts:
        words = ["eval", "agent.use=random", "tasks.count=6", "limits.easy=4", *SMALL]
        settings = ["browser.sessions=6", "name=ran", f"store.root='{tmp_path}'"]
        with started(hosts["alpha"], [str(SLURM), *words, *settings], slurm_job(tmp_path, hosts)) as job:
            code = job.wait(2 * TRY_SECONDS)
        said = (hosts["alpha"].folder / "said").read_text()
        assert code in (0, 1), said
        assert not [pid for host in hosts.values() for pid in host.processes()]
    logs = {path.name: path.read_text() for path in (tmp_path / "webgym-77").glob("*.log")}
    assert logs.keys() == {"gateway.log", "sites.log", "node-alpha.log", "node-beta.log", "node-gamma.log"}
    assert all("ready" in logs[f"node-{host}.log"] for host in hosts), logs
    with open_run(tmp_path / "ran") as stored:
        attempts = list(stored.trajectories())
    assert len(attempts) == 6
    assert {outcome_kind(one.ending.outcome) for one in attempts} <= {"failure", "truncated", "success"}
    assert not any(one.ending.failed_tries for one in attempts)


def test_the_script_for_slurm_that_is_told_that_its_time_is_over_stops_everything(tmp_path: Path):
    with machines(tmp_path, "alpha", "beta") as hosts:
        words = ["eval", "agent.use=random", "tasks.count=500", *SMALL, "name=ran", f"store.root='{tmp_path}'"]
        job_of = {**slurm_job(tmp_path, hosts), "DRAIN_SECONDS": "0"}
        with started(hosts["alpha"], [str(SLURM), *words], job_of) as job:
            wait_for((tmp_path / "ran").is_dir, "the run has begun")
            job.terminate()
            assert job.wait(TRY_SECONDS) == 143
        assert not [pid for host in hosts.values() for pid in host.processes()]
        assert "webgym eval --resume" in (hosts["alpha"].folder / "said").read_text()
