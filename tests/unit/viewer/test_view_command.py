"""`webgym view`: the link it prints, the tunnel it names, and that it ends when told to."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager

import aiohttp
import pytest
from tests.unit.viewer.made_runs import write_many

from webgym.store.labels import labels_path, read_labels

pytestmark = pytest.mark.anyio

COMMAND = "import typer; from webgym.cli.view import view; typer.run(view)"


@contextmanager
def command(*arguments, cwd, **environment):
    """The command as a process of its own; what it prints can be read line by line."""
    clean = {name: value for name, value in os.environ.items() if name != "SSH_CONNECTION"}
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, *arguments, "--no-open"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=cwd,
        env=clean | environment,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait(timeout=30)
        process.stdout.close()


async def test_it_prints_a_link_that_opens_the_runs_and_ends_on_control_c(tmp_path):
    await write_many(tmp_path / "runs" / "some", 3)
    with command("--port", "0", cwd=tmp_path) as process:
        link = re.fullmatch(r"open (http://127\.0\.0\.1:\d+)/\?token=(\S+)\n", process.stdout.readline())
        async with (
            aiohttp.ClientSession(link[1], headers={"Authorization": f"Bearer {link[2]}"}) as http,
            http.get("/api/runs") as reply,
        ):
            assert [run["name"] for run in await reply.json()] == ["some"]
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=30) == 0


async def test_over_ssh_it_says_how_to_reach_the_page(tmp_path):
    await write_many(tmp_path / "runs" / "some", 1)
    with command("some", "--port", "0", cwd=tmp_path, SSH_CONNECTION="10.0.0.5 50000 10.0.0.9 2222") as process:
        tunnel, link = process.stdout.readline(), process.stdout.readline()
    assert re.search(r"ssh -N -L (\d+):127\.0\.0\.1:\1 -p 2222 \S+@10\.0\.0\.9", tunnel)
    assert link.startswith("then open http://127.0.0.1:")
    assert link.endswith("#/run/some\n")


async def test_it_labels_only_if_asked_to_and_prints_a_link_that_only_shows(tmp_path):
    await write_many(tmp_path / "runs" / "some", 1)
    wish = {"run": "some", "attempt": "00000", "verdict": "failure", "note": "no", "shown": "success"}
    with command("--port", "0", "--label", "--as", "ann", cwd=tmp_path) as process:
        link = re.fullmatch(r"open (http://127\.0\.0\.1:\d+)/\?token=(\S+)&label=(\S+)\n", process.stdout.readline())
        shown = process.stdout.readline()
        assert shown.startswith("labelling as ann; ")
        assert link[2] in shown
        assert link[3] not in shown
        async with aiohttp.ClientSession(link[1], headers={"Authorization": f"Bearer {link[2]}"}) as http:
            async with http.post("/api/label", json=wish) as reply:
                assert reply.status == 403
            async with http.post("/api/label", json=wish, headers={"X-WebGym-Label": link[3]}) as reply:
                assert reply.status == 200, await reply.text()
    (label,) = read_labels(labels_path(tmp_path / "runs" / "some"))
    assert (label.who, label.verdict) == ("ann", "failure")


def test_a_name_without_labelling_is_told(tmp_path):
    with command("--as", "ann", cwd=tmp_path) as process:
        assert process.wait(timeout=60) == 1


def test_a_folder_that_is_not_there_is_told(tmp_path):
    with command("nowhere", cwd=tmp_path) as process:
        assert process.wait(timeout=60) == 1
