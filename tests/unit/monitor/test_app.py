"""The monitor over HTTP."""

from __future__ import annotations

import contextlib
import re
import socket
from pathlib import Path

import aiohttp
import anyio
import pytest
from tests.unit.monitor.boards import decide, end, submit
from tests.unit.monitor.watching import first_update, http, updates, watched

from webgym.errors import ConfigError, StoreError
from webgym.monitor import feed
from webgym.monitor.board import Board
from webgym.monitor.serve import follow
from webgym.records import event as events
from webgym.records.action import Answer
from webgym.records.decision import Decision, MalformedReply, Turn
from webgym.records.observation import Blob, Observation
from webgym.records.trajectory import Step
from webgym.telemetry.events import EventBus

pytestmark = pytest.mark.anyio
STATIC = Path(__file__).parents[3] / "src/webgym/monitor/static"
PATHS = [
    "/api/about",
    "/api/snapshot",
    "/api/events",
    "/api/attempt/a",
    "/api/picture/sha256:0",
    "/static/main.js",
    "/",
]


@pytest.fixture
async def seen(anyio_backend):
    async with watched() as served:
        yield served


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("token", ["", "wrong"])
async def test_nothing_is_shown_without_the_token(seen, path, token):
    async with http(seen, token) as session, session.get(path) as reply:
        assert reply.status == 401


async def test_the_link_hands_out_a_cookie_that_scripts_and_other_sites_cannot_use(seen):
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        async with session.get(seen.server.url) as reply:
            assert reply.status == 200
            assert "HttpOnly; SameSite=Strict" in reply.headers["Set-Cookie"]
        async with session.get(f"{seen.address}/api/snapshot") as reply:
            assert reply.status == 200


@pytest.mark.parametrize("path", ["/", "/api/snapshot", "/static/main.js"])
async def test_another_name_for_this_machine_is_refused(seen, path):
    async with http(seen) as session, session.get(path, headers={"Host": "evil.example"}) as reply:
        assert reply.status == 421


async def test_every_reply_carries_a_strict_policy(seen):
    submit(seen.board, "a")
    address = seen.add_picture("red")
    async with http(seen) as session:
        for path in ["/", "/static/main.js", "/api/snapshot", "/api/attempt/a", f"/api/picture/{address}", "/nowhere"]:
            async with session.get(path) as reply:
                policy = reply.headers["Content-Security-Policy"]
                assert policy.startswith("default-src 'none'; script-src 'self';")
                assert "unsafe" not in policy
                assert reply.headers["X-Content-Type-Options"] == "nosniff"


async def test_the_page_needs_nothing_that_the_package_does_not_serve(seen):
    names = {path.name for path in STATIC.iterdir()}
    text = "".join(path.read_text() for path in STATIC.iterdir())
    named = set(re.findall(r"""["'](?:/static|\.)/([\w.]+)["']""", text))
    assert named | {"index.html"} == names
    assert not re.search(r"""(?:src|href|url\(|from)\W{1,3}https?:""", text)
    assert "innerHTML" not in text
    async with http(seen) as session:
        for name in sorted(named):
            async with session.get(f"/static/{name}") as reply:
                assert reply.status == 200


@pytest.mark.parametrize("path", ["/static/../board.py", "/static/%2e%2e/board.py", "/static/none.js"])
async def test_no_other_file_can_be_had(seen, path):
    async with http(seen) as session, session.get(path) as reply:
        assert reply.status == 404


async def test_a_stream_starts_with_everything_and_goes_on_with_changes(seen):
    submit(seen.board, "a", "b")
    async with http(seen) as session, session.get("/api/events") as reply:
        assert reply.headers["Content-Type"].startswith("text/event-stream")
        with anyio.fail_after(30):
            stream = updates(reply)
            _, first = await anext(stream)
            assert [named.attempt for named in first.named] == ["b", "a"]
            decide(seen.board, "b", 1)
            _, second = await anext(stream)
            while not second.cells:
                _, second = await anext(stream)
    assert second.named == ()
    assert second.cells[0] == 1
    assert second.version > second.since > 0


async def test_a_stream_that_broke_goes_on_where_it_was(seen):
    submit(seen.board, "a", "b")
    async with http(seen) as session:
        number, _ = await first_update(session)
        end(seen.board, "a")
        _, resumed = await first_update(session, number)
    assert resumed.since > 0
    assert resumed.named == ()
    assert resumed.cells[0] == 0


@pytest.mark.parametrize("last_id", ["another.5", "x", "{epoch}.999999", "{epoch}.-1", "{epoch}.", "\u00b2.\u00b2"])
async def test_a_stream_that_cannot_go_on_starts_anew(seen, last_id):
    submit(seen.board, "a")
    async with http(seen) as session:
        _, update = await first_update(session, last_id.format(epoch=seen.board.epoch))
    assert update.since == 0
    assert len(update.named) == 1


async def test_all_who_watch_get_the_same_bytes_at_the_same_time():
    board, made = Board(), 0
    changes_since = board.changes_since

    def counting(version):
        nonlocal made
        made += 1
        return changes_since(version)

    board.changes_since = counting
    clock = 0.0
    shared = feed.Feed(board, clock=lambda: clock)
    streams = [shared._updates(0) for _ in range(5)]
    for stream in streams:
        await anext(stream)
    first = {await anext(stream) for stream in streams}
    assert (len(first), made) == (1, 1)
    for stream in streams:
        await stream.aclose()


async def test_the_last_update_says_that_the_run_is_over_whoever_watched_a_moment_before():
    board = Board()
    shared = feed.Feed(board, clock=lambda: 0.0)
    early, late = shared._updates(0), shared._updates(0)
    for stream in (early, late):
        await anext(stream)
    assert b'"over":true' not in await anext(early)
    board.finish()
    assert b'"over":true' in await anext(late)
    await early.aclose()


async def test_too_many_watchers_are_refused(seen, monkeypatch):
    monkeypatch.setattr(feed, "MOST_WATCHERS", 1)
    async with http(seen) as session, session.get("/api/events") as reply:
        await anext(updates(reply))
        async with session.get("/api/events") as refused:
            assert refused.status == 429
            assert (await refused.json())["code"] == "no_capacity"


async def test_those_who_watch_are_told_that_the_run_is_over():
    async with watched() as seen:
        session = aiohttp.ClientSession(seen.address, headers={"Authorization": f"Bearer {seen.notice.token}"})
        reply = await session.get("/api/events")
        stream = updates(reply)
        await anext(stream)
    with anyio.fail_after(30):
        rest = [update async for _, update in stream]
    assert rest[-1].over
    await session.close()


@pytest.mark.parametrize("how", ["raised", "cancelled"])
async def test_a_monitor_that_was_cut_short_leaves_the_next_one_in_order(how):
    for _ in range(3):
        with anyio.move_on_after(30) as scope, contextlib.suppress(ValueError):
            async with watched() as seen, http(seen) as session:
                await first_update(session)
                if how == "raised":
                    raise ValueError("the rollout broke")
                scope.cancel()
                await anyio.sleep_forever()
        async with watched() as seen, http(seen) as session:
            await first_update(session)


async def test_an_attempt_has_its_history_with_stored_steps_before_it(seen):
    address = seen.add_picture("blue")
    submit(seen.board, "a/1")
    decide(seen.board, "a/1", 3, sentence="Click it", screenshot=address)
    looked = Observation(1, "http://shop/", screenshot=Blob(address, "image/jpeg", 10))
    seen.steps["a/1"] = (
        Step(1, looked, Turn(MalformedReply("bad_json", "write JSON"))),
        Step(2, looked, Turn(Decision(Answer("42"), sentence="Answer"))),
        Step(3, looked, Turn(Decision(Answer("43"), sentence="Not yet known here"))),
    )
    async with http(seen) as session, session.get("/api/attempt/a%2F1") as reply:
        detail = await reply.json()
    assert [(line["step"], line["action"], line["sentence"]) for line in detail["history"]] == [
        (1, "malformed", "write JSON"),
        (2, "answer", "Answer"),
        (3, "click", "Click it"),
    ]
    assert detail["screenshot"] == address
    assert detail["history"][0]["url"] == "http://shop/"


async def test_an_unknown_attempt_is_not_there(seen):
    async with http(seen) as session, session.get("/api/attempt/none") as reply:
        assert (reply.status, (await reply.json())["code"]) == (404, "attempt_unknown")


async def test_pictures_are_served_by_their_address_and_nothing_else_is(seen):
    address = seen.add_picture("green")
    page = f"sha256:{'1' * 64}"
    seen.pictures[page] = b"<script>alert(1)</script>"
    async with http(seen) as session:
        async with session.get(f"/api/picture/{address}") as reply:
            assert reply.content_type == "image/jpeg"
            assert await reply.read() == seen.pictures[address]
        for other in (page, f"sha256:{'0' * 64}", "..%2f..%2fsecret", "sha256:zz"):
            async with session.get(f"/api/picture/{other}") as reply:
                assert reply.status == 404


async def test_a_store_that_lacks_something_leaves_the_rest_to_be_seen():
    def missing(_: str):
        raise StoreError("never stored")

    async with watched(steps=missing, screenshot=missing) as seen:
        submit(seen.board, "a")
        decide(seen.board, "a", 1)
        async with http(seen) as session:
            async with session.get("/api/attempt/a") as reply:
                assert len((await reply.json())["history"]) == 1
            async with session.get(f"/api/picture/sha256:{'0' * 64}") as reply:
                assert reply.status == 404


async def test_a_port_that_is_taken_is_told_with_the_setting_to_change():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(ConfigError, match=r"choose another with monitor\.port="):
            async with watched(port=taken.getsockname()[1]):
                pass


async def test_a_board_can_follow_a_bus():
    bus, board = EventBus(), Board()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(follow, board, bus)
        await anyio.wait_all_tasks_blocked()
        bus.emit(events.AttemptSubmitted("a", "t"))
        with anyio.fail_after(30):
            while board.detail("a") is None:
                await anyio.sleep(0.01)
        tasks.cancel_scope.cancel()
    assert board.lost == 0


async def test_events_lost_on_the_way_are_told(monkeypatch):
    monkeypatch.setattr("webgym.monitor.serve._MOST_UNREAD", 2)
    bus, board = EventBus(), Board()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(follow, board, bus)
        await anyio.wait_all_tasks_blocked()
        for number in range(5):
            bus.emit(events.AttemptSubmitted(str(number), "t"))
        with anyio.fail_after(30):
            while board.totals().submitted < 2:
                await anyio.sleep(0.01)
        tasks.cancel_scope.cancel()
    assert board.totals().lost == 3
