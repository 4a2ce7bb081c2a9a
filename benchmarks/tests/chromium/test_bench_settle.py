"""`webgym bench settle`: it finds pictures of unfinished pages, and excuses what always moves."""

from __future__ import annotations

import json
import socket
import subprocess
import sys

import anyio.to_thread
import pytest
from tests.integration.sessions import button

from webgym.records.action import Click, Navigate, Point
from webgym_bench.settle import check
from webgym_bench.settle.check import Check
from webgym_bench.settle.conditions import Conditions
from webgym_bench.settle.playwright_session import fixed, playwright_browser
from webgym_bench.settle.record import Recording
from webgym_bench.settle.sides import NETWORK_IDLE, OURS
from webgym_bench.settle.tour import Move, Walk

pytestmark = [pytest.mark.anyio, pytest.mark.chromium, pytest.mark.timeout(400)]

LATE = button("fetch('/slow').then(r=>r.text()).then(t=>{document.body.append(t)})")
WHEEL = "width:40px;height:40px;background:conic-gradient(red,blue);animation:turn 1.7s linear infinite"
MOVING = f"<style>@keyframes turn{{to{{rotate:360deg}}}}</style><p style='{WHEEL};margin:80px'></p>"


@pytest.fixture
def app(pages):
    pages.put("/slow", "content that comes late, and that no earlier picture can show", after=0.5)
    pages.page(LATE)
    return pages


def walk(pages, *actions) -> Walk:
    moves = [Move(Navigate(pages.url()), "/"), *(Move(action, "/") for action in actions)]
    return Walk("actions", tuple(moves))


async def verdicts(browser, app, monkeypatch, folder=None) -> list[str]:
    monkeypatch.setattr(check, "AFTER_SECONDS", 1.0)
    conditions = Conditions((app.url(),))
    found = await Check("system", browser, conditions, folder, lambda: None).walk(0, walk(app, Click(Point(50, 20))))
    assert [one.failure for one in found] == ["", ""]
    assert not any(one.astray for one in found)
    return [one.verdict for one in found]


async def test_a_picture_taken_too_early_is_found(app, monkeypatch, tmp_path):
    async with playwright_browser(fixed(0.0)) as browser:
        assert await verdicts(browser, app, monkeypatch, tmp_path) == ["same", "unfinished"]
    assert {file.name.rpartition("-")[0] for file in tmp_path.iterdir()} == {
        "system-000-01-unfinished-at",
        "system-000-01-unfinished",
    }


async def test_our_pictures_are_of_finished_pages(chromium, app, monkeypatch):
    assert await verdicts(chromium, app, monkeypatch) == ["same", "same"]


async def test_what_always_moves_is_not_called_unfinished(chromium, app, monkeypatch):
    app.page(LATE + MOVING)
    assert await verdicts(chromium, app, monkeypatch) == ["moving", "moving"]


async def test_a_tour_stays_on_the_site_and_harms_nothing(chromium, pages):
    links = "".join(f'<p><a href="{href}">{name}</a></p>' for href, name in LINKS.items())
    pages.page(links + "<p><button>Delete everything</button></p><input aria-label=Name>")
    for path in ("/one", "/two", "/logout", "/list.csv"):
        pages.page("<button>Hello</button>", path)
    conditions = Conditions((pages.url(),), steps=12)

    tour = await Recording(chromium, conditions, lambda _: None).tour()

    assert {move.path for move in tour.walks[0].moves} == {"/", "/one", "/two"}
    assert {walk.kind for walk in tour.walks} == {"loads", "actions"}
    assert {request.path for request in pages.requests} <= {"/", "/one", "/two", "/favicon.ico"}


LINKS = {
    "/one": "One",
    "/two?page=2#part": "Two",
    "/logout": "Leave",
    "/list.csv": "Table",
    "http://localhost:1/": "Elsewhere",
    "/two?sign": "Log out",
}


@pytest.mark.full
async def test_the_command_compares_our_sessions_with_playwright(app, tmp_path):
    app.page(LATE + '<p><a href="/other">Other</a></p>')
    app.page(LATE + '<p><a href="/">Back</a></p>', "/other")
    command = [sys.executable, "-m", "webgym", "bench", "settle", "--url", app.url(), "--against", "playwright"]
    options = ["--steps", "6", "--sessions", "2", "--rounds", "1", "--fixed-seconds", "0", "--out", str(tmp_path)]

    done = await anyio.to_thread.run_sync(
        lambda: subprocess.run([*command, *options, "--json"], capture_output=True, text=True, timeout=380, check=False)
    )

    assert done.returncode == 0, done.stderr[-3000:]
    report = json.loads(done.stdout.splitlines()[-1])
    systems = report["systems"]
    assert set(systems) == {OURS, NETWORK_IDLE, "fixed 0 s"}
    assert systems[OURS]["verdicts"]["unfinished"] == 0
    assert systems["fixed 0 s"]["verdicts"]["unfinished"] > 0
    for found in systems.values():
        assert found["failures"] == {}
        assert [(pace["kind"], pace["sessions"]) for pace in found["paces"]] == [
            ("loads", 1),
            ("loads", 2),
            ("actions", 1),
            ("actions", 2),
        ]
        assert all(pace["steps_per_second"] > 0 and pace["cpu_ms_per_step"] > 5 for pace in found["paces"])
    assert set(report["steps_per_second_over"]) == {NETWORK_IDLE, "fixed 0 s"}
    assert list(tmp_path.glob("fixed-0-s-*-unfinished-later.png"))


def test_a_page_that_cannot_be_loaded_is_said():
    with socket.create_server(("127.0.0.1", 0)) as nobody:
        port = nobody.getsockname()[1]
    command = [sys.executable, "-m", "webgym", "bench", "settle", "--url", f"http://127.0.0.1:{port}/"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode > 0
    assert f"http://127.0.0.1:{port}/ cannot be loaded" in done.stderr
    assert "Traceback" not in done.stderr
