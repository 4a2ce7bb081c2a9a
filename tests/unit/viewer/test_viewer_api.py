"""The viewer over HTTP: what it answers, and whom it refuses."""

from __future__ import annotations

import shutil

import aiohttp
import pytest
from tests.unit.viewer.made_runs import META, Scribe, task, write_many, write_run
from tests.unit.viewer.served import TOKEN, viewing

from webgym.records.observation import address_of
from webgym.records.trajectory import Attempt, Failure, Success
from webgym.store.write import open_writer

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="module")
async def root(anyio_backend, tmp_path_factory):
    folder = tmp_path_factory.mktemp("viewed")
    await write_run(folder / "base", "base", 4)
    await write_run(folder / "nested" / "tuned", "tuned", 7)
    (folder / "secret.txt").write_text("not to be seen")
    return folder


@pytest.fixture(scope="module")
async def viewer(root):
    async with viewing(root) as served:
        yield served


@pytest.fixture(scope="module")
async def http(viewer):
    async with aiohttp.ClientSession(viewer.base, headers={"Authorization": f"Bearer {TOKEN}"}) as session:
        yield session


@pytest.fixture(scope="module")
async def stranger(viewer):
    async with aiohttp.ClientSession(viewer.base) as session:
        yield session


async def told(http, path, **params):
    async with http.get(path, params=params) as reply:
        assert reply.status == 200, await reply.text()
        return await reply.json()


async def status(http, path, **params):
    async with http.get(path, params=params) as reply:
        return reply.status


async def test_runs_are_listed_by_where_they_are(http):
    runs = {run["key"]: run for run in await told(http, "/api/runs")}
    assert set(runs) == {"base", "nested/tuned"}
    assert runs["base"]["summary"]["outcomes"]["success"] == 4
    assert runs["base"]["summary"]["attempts"] == 16
    assert not runs["base"]["live"]


async def test_a_run_tells_its_settings_and_its_parts(http):
    found = await told(http, "/api/run", run="nested/tuned")
    assert found["meta"]["command"] == "webgym eval --name tuned"
    assert [part["name"] for part in found["by_level"]] == ["easy", "medium", "hard"]
    assert sum(part["summary"]["attempts"] for part in found["by_site"]) == 16


async def test_rows_are_filtered_on_the_server(http):
    found = await told(http, "/api/rows", run="base", outcome="failure", level="hard", text="item 5")
    assert [row["task_id"] for row in found["rows"]] == ["task-0005"]
    assert found["total"] == found["summary"]["attempts"] == 1


async def test_an_attempt_comes_with_every_step_its_verdict_and_its_neighbours(http):
    found = await told(http, "/api/attempt", run="base", attempt="0004-0", outcome="failure")
    attempt = found["attempt"]
    assert [step["number"] for step in attempt["steps"]] == [1, 2, 3, 4, 5]
    assert attempt["steps"][0]["aim"]["at"]["box"] == {"x": 520.0, "y": 300.0, "width": 240.0, "height": 56.0}
    assert attempt["steps"][0]["effect"] == {"kind": "changed", "what": ["url", "content"]}
    assert attempt["steps"][3]["problem"] == "bad_json"
    assert [fact["holds"] for group in attempt["rubric"] for fact in group["facts"]] == [True, True, True, False]
    assert attempt["ending"]["answer"] == "Two mugs"
    assert found["place"] == {"index": 0, "of": 6, "previous": "", "next": "0005-0"}


async def test_a_prompt_is_told_as_it_was_sent(http):
    prompt = await told(http, "/api/prompt", run="base", attempt="0004-0", step="2")
    assert [message["role"] for message in prompt["messages"]] == ["system", "user"]
    assert prompt["messages"][1]["parts"][1]["kind"] == "picture"


async def test_pictures_have_a_fixed_type_and_never_change(http):
    found = await told(http, "/api/attempt", run="base", attempt="0004-0")
    address = found["attempt"]["steps"][0]["seen"]["screenshot"]
    async with http.get("/api/picture", params={"run": "base", "address": address}) as reply:
        assert reply.headers["content-type"] == "image/jpeg"
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert "immutable" in reply.headers["cache-control"]
        whole = await reply.read()
    assert address_of(whole) == address
    async with http.get("/api/picture", params={"run": "base", "address": address, "width": "400"}) as reply:
        assert len(await reply.read()) < len(whole)


async def test_failures_come_in_groups_with_examples(http):
    found = await told(http, "/api/failures", run="base")
    kinds = next(reason for reason in found["reasons"] if reason["name"] == "outcome")
    assert kinds["groups"][0]["value"] == "failure"
    assert kinds["groups"][0]["examples"][0]["attempt_id"] == "0004-0"


async def test_two_runs_are_compared_task_by_task(http):
    found = await told(http, "/api/compare", a="base", b="nested/tuned", flip="gained")
    assert [pair["task_id"] for pair in found["comparison"]["pairs"]] == ["task-0004", "task-0005", "task-0006"]
    assert found["comparison"]["flips"]["lost"] == 0


@pytest.mark.parametrize(
    ("path", "params"),
    [
        ("/api/run", {"run": "../base"}),
        ("/api/run", {"run": "/etc"}),
        ("/api/run", {"run": "nested"}),
        ("/api/run", {}),
        ("/api/rows", {"run": "base", "sort": "nothing"}),
        ("/api/attempt", {"run": "base", "attempt": "no-such"}),
        ("/api/prompt", {"run": "base", "attempt": "0004-0", "step": "99"}),
        ("/api/picture", {"run": "base", "address": "../secret.txt"}),
        ("/api/picture", {"run": "base", "address": "sha256:" + "0" * 64}),
        ("/api/compare", {"a": "base", "b": "none"}),
        ("/static/../app.py", {}),
        ("/static/%2e%2e/app.py", {}),
        ("/static//etc/passwd", {}),
    ],
)
async def test_what_is_not_there_is_refused_and_nothing_else_is_read(http, path, params):
    assert 400 <= await status(http, path, **params) < 500


@pytest.mark.parametrize("path", ["/", "/?token=wrong", "/static/main.js", "/api/runs", "/api/picture"])
async def test_without_the_token_nothing_is_shown(stranger, path):
    assert await status(stranger, path) == 401


async def test_a_token_is_not_taken_from_the_address_of_anything_but_the_page(stranger):
    assert await status(stranger, f"/api/runs?token={TOKEN}") == 401


async def test_the_link_hands_out_a_cookie_that_scripts_and_other_sites_cannot_use(viewer):
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        async with session.get(viewer.link()) as reply:
            assert reply.status == 200
            cookie = reply.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Strict" in cookie
        assert await status(session, f"{viewer.base}/api/runs") == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", ""])
async def test_a_name_that_is_not_ours_is_refused(http, host):
    async with http.get("/api/runs", headers={"Host": host}) as reply:
        assert reply.status in (400, 421)


@pytest.mark.parametrize("host", ["localhost:9999", "127.0.0.1", "[::1]:7300"])
async def test_a_tunnel_from_another_port_is_let_through(http, host):
    async with http.get("/api/runs", headers={"Host": host}) as reply:
        assert reply.status == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
async def test_pages_elsewhere_get_no_answer_even_with_the_cookie(http, site):
    async with http.get("/api/runs", headers={"Sec-Fetch-Site": site}) as reply:
        assert reply.status == 403


@pytest.mark.parametrize("path", ["/", "/api/runs", "/static/main.js", "/static/none.js"])
async def test_every_reply_carries_the_policy(http, path):
    async with http.get(path) as reply:
        policy = reply.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


async def test_only_reading_is_possible(http):
    for method in ("POST", "PUT", "DELETE"):
        async with http.request(method, "/api/runs") as reply:
            assert reply.status == 405


async def test_bytes_that_are_no_picture_are_never_served(tmp_path):
    script = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
    async with open_writer(tmp_path / "odd", META) as writer:
        await Scribe(writer).attempt(Attempt("a", task(1)), Success(), picture=script)
    async with viewing(tmp_path) as served, aiohttp.ClientSession(served.base, headers=_bearer()) as http:
        for width in ("", "200"):
            assert await status(http, "/api/picture", run="odd", address=address_of(script), width=width) == 409


async def test_a_live_run_is_read_while_it_is_written(tmp_path):
    async with open_writer(tmp_path / "now", META) as writer:
        scribe = Scribe(writer)
        await scribe.attempt(Attempt("first", task(1)), Failure("no"))
        await scribe.attempt(Attempt("second", task(2)), None)
        async with viewing(tmp_path) as served, aiohttp.ClientSession(served.base, headers=_bearer()) as http:
            await scribe.attempt(Attempt("third", task(3)), Success())  # once it is safe, so is what came before it
            found = await told(http, "/api/rows", run="now")
            assert found["live"]
            assert [row["outcome"] for row in found["rows"]] == ["failure", "success", None]
            unfinished = await told(http, "/api/attempt", run="now", attempt="second")
            assert unfinished["attempt"]["kind"] == "unfinished"
            assert len(unfinished["attempt"]["steps"]) == 3
            await scribe.attempt(Attempt("fourth", task(4)), Success())
            assert (await told(http, "/api/rows", run="now"))["total"] == 4


async def test_the_folder_of_one_run_shows_that_run(root):
    async with viewing(root / "base") as served, aiohttp.ClientSession(served.base, headers=_bearer()) as http:
        (run,) = await told(http, "/api/runs")
        assert (await told(http, "/api/rows", run=run["key"]))["total"] == 16


async def test_a_run_that_is_replaced_is_read_anew(tmp_path):
    await write_many(tmp_path / "again", 3)
    async with viewing(tmp_path) as served, aiohttp.ClientSession(served.base, headers=_bearer()) as http:
        assert (await told(http, "/api/rows", run="again"))["total"] == 3
        shutil.rmtree(tmp_path / "again")
        await write_many(tmp_path / "again", 5)
        assert (await told(http, "/api/rows", run="again"))["total"] == 5
        shutil.rmtree(tmp_path / "again")
        assert 400 <= await status(http, "/api/rows", run="again") < 500


async def test_ten_thousand_attempts_are_sent_a_page_at_a_time(tmp_path):
    await write_many(tmp_path / "many", 10_000)
    async with viewing(tmp_path) as served, aiohttp.ClientSession(served.base, headers=_bearer()) as http:
        found = await told(http, "/api/rows", run="many", sort="-steps", page="99")
        assert (found["total"], found["pages"], len(found["rows"])) == (10_000, 100, 100)


def _bearer() -> dict[str, str]:
    return {"Authorization": f"Bearer {TOKEN}"}
