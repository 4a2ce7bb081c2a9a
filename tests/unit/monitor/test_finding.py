"""How a live run is found, and what is said when there is none."""

from __future__ import annotations

import os
import stat
import subprocess
import sys

import msgspec
import pytest
from tests.unit.monitor.watching import watched

from webgym.errors import StoreError
from webgym.monitor.find import live_notice
from webgym.monitor.notice import FILE_NAME, Notice, read_notice

pytestmark = pytest.mark.anyio


def gone_process() -> int:
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    return done.pid


async def test_a_served_run_posts_a_notice_that_only_its_owner_can_read(tmp_path):
    folder = tmp_path / "run"
    async with watched(folder=folder) as seen:
        notice = read_notice(folder)
        assert notice == live_notice(str(folder), tmp_path) == live_notice("run", tmp_path) == live_notice("", tmp_path)
        assert (notice.url, notice.pid) == (seen.server.url, os.getpid())
        assert notice.token in notice.url
        assert notice.address == f"http://127.0.0.1:{seen.server.port}"
        assert stat.S_IMODE((folder / FILE_NAME).stat().st_mode) == 0o600
    assert read_notice(folder) is None
    assert list(folder.iterdir()) == []


async def test_over_ssh_the_way_to_the_page_is_told(monkeypatch):
    async with watched() as seen:
        assert seen.server.lines() == (f"monitor {seen.server.url}",)
    monkeypatch.setenv("SSH_CONNECTION", "10.0.0.9 50000 10.0.0.7 22")
    async with watched() as seen:
        tunnel, then = seen.server.lines()
    port = seen.server.port
    assert f"ssh -N -L {port}:127.0.0.1:{port} " in tunnel
    assert tunnel.endswith("@10.0.0.7")
    assert seen.server.url in then


def test_without_a_live_run_one_is_told_what_to_do_instead(tmp_path):
    with pytest.raises(StoreError, match=r"webgym rollout.*webgym view.*webgym monitor --demo"):
        live_notice("", tmp_path)


def test_a_run_that_is_over_is_to_be_viewed(tmp_path):
    (tmp_path / "old").mkdir()
    with pytest.raises(StoreError, match=r"not live.*webgym view"):
        live_notice("old", tmp_path)


def test_a_notice_left_behind_by_a_crash_is_not_taken_for_a_live_run(tmp_path):
    (tmp_path / "crashed").mkdir()
    here = Notice("http://127.0.0.1:1/?token=x", gone_process(), os.uname().nodename)
    (tmp_path / "crashed" / FILE_NAME).write_bytes(msgspec.json.encode(here))
    with pytest.raises(StoreError, match="not live"):
        live_notice("crashed", tmp_path)
    with pytest.raises(StoreError, match="no run in"):
        live_notice("", tmp_path)


def test_a_run_of_another_machine_is_to_be_watched_there(tmp_path):
    (tmp_path / "far").mkdir()
    there = Notice("http://127.0.0.1:1/?token=x", 1, "another-machine")
    (tmp_path / "far" / FILE_NAME).write_bytes(msgspec.json.encode(there))
    with pytest.raises(StoreError, match="another-machine"):
        live_notice("far", tmp_path)


def test_an_unknown_run_and_a_damaged_notice_are_told(tmp_path):
    with pytest.raises(StoreError, match="no run 'none'"):
        live_notice("none", tmp_path)
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / FILE_NAME).write_text("{")
    with pytest.raises(StoreError, match="cannot be read"):
        live_notice("bad", tmp_path)


async def test_a_notice_that_cannot_be_read_hides_no_other_run(tmp_path):
    async with watched(folder=tmp_path / "mine"):
        (tmp_path / "damaged").mkdir()
        (tmp_path / "damaged" / FILE_NAME).write_text("{")
        assert live_notice("", tmp_path) == read_notice(tmp_path / "mine")
        with pytest.raises(StoreError, match="cannot be read"):
            live_notice("damaged", tmp_path)
