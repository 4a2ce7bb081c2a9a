"""Live curves over HTTP."""

from __future__ import annotations

import contextlib
import re
import socket
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import aiohttp
import anyio
import pytest
from tests.unit.curves.made import ABOUT, iteration, run

from webgym.curves.about import RunFacts
from webgym.curves.file import append, read
from webgym.curves.serve import serve_curves
from webgym.errors import ConfigError, StoreError
from webgym.serving.page_server import ServedPage

pytestmark = pytest.mark.anyio
PAGE = Path(__file__).parents[3] / "src/webgym/curves/page"


@contextlib.asynccontextmanager
async def asking(server: ServedPage, token: str | None = None):
    parts = urlsplit(server.url)
    given = parse_qs(parts.query)["token"][0] if token is None else token
    headers = {"Authorization": f"Bearer {given}"} if given else {}
    async with aiohttp.ClientSession(f"{parts.scheme}://{parts.netloc}", headers=headers) as session:
        yield session


@pytest.mark.parametrize("path", ["/", "/curve.json", "/static/main.js"])
@pytest.mark.parametrize("token", ["", "wrong"])
async def test_nothing_is_shown_without_the_token(path, token):
    async with serve_curves(lambda: run(1), about=ABOUT) as server, asking(server, token) as session:
        async with session.get(path) as reply:
            assert reply.status == 401


async def test_the_curve_is_told_as_it_is_now():
    iterations = run(1)
    async with serve_curves(lambda: iterations, about=ABOUT) as server, asking(server) as session:
        async with session.get("/curve.json") as reply:
            first = await reply.json()
        iterations.append(iteration(2))
        async with session.get("/curve.json") as reply:
            second = await reply.json()
    facts = {"model": "qwen3-vl-2b", "recipe": "grpo"}
    assert first["about"] == {"run": "shop-small", "planned": 40, "facts": facts, "state": "running"}
    assert [one["iteration"] for one in first["iterations"]] == [0, 1]
    assert [one["iteration"] for one in second["iterations"]] == [0, 1, 2]
    assert second["iterations"][2]["learned"]["figures"].keys() == iteration(2).learned.figures.keys()


async def test_what_a_resume_changes_about_the_run_is_told_as_it_is_now():
    planned = [40]
    serving = serve_curves(lambda: run(1), about=lambda: RunFacts("shop-small", planned[0]))
    async with serving as server, asking(server) as session:
        for planned[0] in (40, 1):
            async with session.get("/curve.json") as reply:
                assert (await reply.json())["about"]["planned"] == planned[0]


async def test_an_iteration_that_was_done_again_is_told_once():
    async with serve_curves(lambda: [*run(2), iteration(1)], about=ABOUT) as server, asking(server) as session:
        async with session.get("/curve.json") as reply:
            assert [one["iteration"] for one in (await reply.json())["iterations"]] == [0, 1, 2]


async def test_what_is_known_already_is_not_sent_again():
    iterations = run(1)
    async with serve_curves(lambda: iterations, about=ABOUT) as server, asking(server) as session:
        async with session.get("/curve.json") as reply:
            tag = {"If-None-Match": reply.headers["ETag"]}
        async with session.get("/curve.json", headers=tag) as reply:
            assert (reply.status, await reply.read()) == (304, b"")
        iterations.append(iteration(2))
        async with session.get("/curve.json", headers=tag) as reply:
            assert reply.status == 200


async def test_a_file_that_another_process_writes_can_be_served(tmp_path):
    path = tmp_path / "curve.jsonl"
    async with serve_curves(lambda: read(path), about=ABOUT) as server, asking(server) as session:
        async with session.get("/curve.json") as reply:
            assert (await reply.json())["iterations"] == []
        append(path, iteration(0))
        async with session.get("/curve.json") as reply:
            assert len((await reply.json())["iterations"]) == 1


async def test_a_curve_that_cannot_be_read_is_told_and_does_not_end_the_run():
    def damaged():
        raise StoreError("curve.jsonl, line 2 cannot be read")

    async with serve_curves(damaged, about=ABOUT) as server, asking(server) as session:
        async with session.get("/curve.json") as reply:
            assert (reply.status, (await reply.json())["code"]) == (409, "store")


async def test_every_reply_carries_a_strict_policy():
    async with serve_curves(lambda: run(1), about=ABOUT) as server, asking(server) as session:
        for path in ["/", "/static/main.js", "/curve.json", "/nowhere"]:
            async with session.get(path) as reply:
                policy = reply.headers["Content-Security-Policy"]
                assert policy.startswith("default-src 'none'; script-src 'self';")
                assert "unsafe" not in policy


async def test_the_page_needs_nothing_that_the_package_does_not_serve():
    text = "".join(path.read_text() for path in PAGE.iterdir())
    named = set(re.findall(r"""["'](?:/static|\.)/([\w.]+)["']""", text))
    of_the_report = {"report.js", "report.css"}
    of_a_study = {"study.js", "study.css"}
    assert named | {"index.html"} | of_the_report | of_a_study == {path.name for path in PAGE.iterdir()}
    assert not re.search(r"""(?:src|href|url\(|from)\W{1,3}https?:""", text)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b", text)
    async with serve_curves(lambda: run(1), about=ABOUT) as server, asking(server) as session:
        for name in sorted(named):
            async with session.get(f"/static/{name}") as reply:
                assert reply.status == 200


async def test_it_listens_on_loopback_alone_and_says_where():
    async with serve_curves(lambda: run(1), about=ABOUT) as server:
        assert server.lines() == (f"curves {server.url}",)
        assert server.url.startswith(f"http://127.0.0.1:{server.port}/?token=")


async def test_a_port_that_is_taken_is_told_with_what_to_change():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(ConfigError, match="--curves-port"):
            async with serve_curves(lambda: run(1), about=ABOUT, port=taken.getsockname()[1]):
                pass


@pytest.mark.parametrize("how", ["raised", "cancelled"])
async def test_curves_that_were_cut_short_leave_the_next_ones_in_order(how):
    for _ in range(2):
        with anyio.move_on_after(30) as scope, contextlib.suppress(ValueError):
            async with serve_curves(lambda: run(1), about=ABOUT) as server, asking(server) as session:
                async with session.get("/curve.json") as reply:
                    assert reply.status == 200
                if how == "raised":
                    raise ValueError("the training broke")
                scope.cancel()
                await anyio.sleep_forever()
        async with serve_curves(lambda: run(1), about=ABOUT) as server, asking(server) as session:
            async with session.get("/curve.json") as reply:
                assert reply.status == 200
