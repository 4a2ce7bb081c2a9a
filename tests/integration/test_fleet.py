"""The fleet over HTTP, on real processes with fake sessions: leases, queues, tokens, bad input."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import AsyncGenerator

import aiohttp
import anyio
import pytest
from tests.fleets import TOKENS, fleet_of

from webgym.browser import wire
from webgym.browser.client import BrowserClient, connect
from webgym.browser.client.sync import connect_sync
from webgym.browser.config import FleetLimitsConfig, GatewayConfig, NodeConfig
from webgym.browser.server.supervise import Fleet, run_fleet
from webgym.errors import (
    AuthError,
    CapacityError,
    LossReason,
    RequestError,
    SessionBusy,
    SessionLost,
    SessionUnknown,
    StaleFence,
    TransportError,
)
from webgym.records.action import Click, Navigate, Point, TypeText, Wait
from webgym.records.observation import ActionFailure, FailedReason, PageChange
from webgym.records.session import Determinism, Geolocation, Look, SessionSpec, Viewport

pytestmark = pytest.mark.anyio
LIMITS = FleetLimitsConfig(body_bytes=100_000, step_seconds=5.0)


@pytest.fixture(scope="module")
async def running(anyio_backend: str) -> AsyncGenerator[tuple[Fleet, BrowserClient]]:
    async with fleet_of(gateway=GatewayConfig(port=0, limits=LIMITS), limits=LIMITS) as made:
        yield made


@pytest.fixture
def fleet(running: tuple[Fleet, BrowserClient]) -> Fleet:
    return running[0]


@pytest.fixture
def client(running: tuple[Fleet, BrowserClient]) -> BrowserClient:
    return running[1]


@contextlib.asynccontextmanager
async def http(fleet: Fleet, token: str = TOKENS.client) -> AsyncGenerator[aiohttp.ClientSession]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with aiohttp.ClientSession(base_url=fleet.url, headers=headers) as session:
        yield session


async def until_free(client: BrowserClient, sessions: int, seconds: float = 10.0) -> None:
    with anyio.fail_after(seconds):
        while sum(node.free for node in (await client.status()).nodes) != sessions:
            await anyio.sleep(0.05)


# -- tokens -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["/healthz", "/metrics", "/openapi.json", "/docs", "/v1/status", "/v1/nodes", "/nowhere"]
)
@pytest.mark.parametrize("token", ["", "wrong"])
async def test_no_route_answers_without_the_token(fleet: Fleet, path: str, token: str):
    async with http(fleet, token) as session, session.get(path) as answer:
        assert answer.status == 401
        assert (await answer.json())["code"] == "unauthorized"


async def test_the_node_asks_for_the_token_too(fleet: Fleet, client: BrowserClient):
    url = (await client.status()).nodes[0].url
    async with aiohttp.ClientSession() as session, session.get(f"{url}/v1/held") as answer:
        assert answer.status == 401


async def test_a_client_cannot_pass_itself_off_as_a_node(fleet: Fleet):
    async with http(fleet) as session, session.post("/v1/nodes", json={}) as answer:
        assert answer.status == 401


async def test_a_wrong_token_is_told_as_such(fleet: Fleet):
    async with connect(fleet.url, token="wrong") as stranger:
        with pytest.raises(AuthError):
            async with stranger.open():
                pass


# -- as curl would ----------------------------------------------------------------------------------------------------


async def test_a_whole_session_in_json(fleet: Fleet):
    async with http(fleet) as session:
        async with session.post("/v1/sessions", json={"spec": {"start_url": "http://x"}, "ttl_seconds": 30}) as answer:
            assert answer.status == 200
            lease = await answer.json()
        path, headers = f"/v1/sessions/{lease['session']}", {wire.FENCE: str(lease["fence"])}
        body = {"action": {"kind": "click", "target": {"kind": "point", "x": 5, "y": 5}}}
        async with session.post(f"{path}/step", json=body, headers=headers) as answer:
            seen = await answer.json()
        assert (seen["title"], seen["effect"]["kind"]) == ("1", "changed")
        async with session.get(f"{path}/blobs/{seen['screenshot']['address']}") as answer:
            assert await answer.read() == b"page http://x at 1"
        async with session.get(path) as answer:
            assert (await answer.json())["steps"] == 1
        async with session.delete(path, headers=headers) as answer:
            assert answer.status == 204
        async with session.get(path) as answer:
            assert answer.status == 404


async def test_openapi_describes_the_session_routes_and_their_records(fleet: Fleet):
    async with http(fleet) as session, session.get("/openapi.json") as answer:
        document = await answer.json()
    assert {"/v1/sessions", "/v1/sessions/{session}/step", "/v1/status"} <= document["paths"].keys()
    assert {"SessionSpec", "StepRequest", "Observation", "Click"} <= document["components"]["schemas"].keys()
    references = set(json.dumps(document).split('"#/components/schemas/')[1:])
    assert {text.split('"')[0] for text in references} <= document["components"]["schemas"].keys()


async def test_metrics_count_what_happened(fleet: Fleet, client: BrowserClient):
    async with client.open() as session:
        await session.step(Click(Point(1, 1)))
    url = (await client.status()).nodes[0].url
    headers = {"Authorization": f"Bearer {TOKENS.client}"}
    async with aiohttp.ClientSession(headers=headers) as asking, asking.get(f"{url}/metrics") as answer:
        text = await answer.text()
    assert 'webgym_steps_total{action="click",effect="changed"}' in text
    async with http(fleet) as session, session.get("/metrics") as answer:
        assert "webgym_fleet_nodes 1.0" in await answer.text()


# -- bad input: told clearly, and nothing is lost ---------------------------------------------------------------------


async def test_an_unknown_session_is_told(fleet: Fleet):
    async with http(fleet) as session:
        async with session.post("/v1/sessions/nobody/step", json={}, headers={wire.FENCE: "1"}) as answer:
            assert (answer.status, (await answer.json())["code"]) == (404, "session_unknown")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, "bad_request"),
        (b'{"action": {"kind": "fly"}}', 400, "bad_request"),
        (b'{"action": {"kind": "click", "target": {"kind": "point", "x": "left"}}}', 400, "bad_request"),
        (b'{"action": {"kind": "answer", "text": "' + 200_000 * b"a" + b'"}}', 413, "body_too_large"),
        (b'{"action": ' * 5000, 400, "bad_request"),
        (b'{"look": {"settle_seconds": 1e308}}', 400, "bad_request"),
        (b'{"look": {"settle_seconds": -5}}', 400, "bad_request"),
        (b'{"look": {"quality": 1000}}', 400, "bad_request"),
        (b'{"look": {"quality": 1' + 5000 * b"0" + b"}}", 400, "bad_request"),
    ],
)
async def test_a_body_that_cannot_be_taken_is_told_and_the_session_goes_on(
    client: BrowserClient, fleet: Fleet, body: bytes, status: int, code: str
):
    async with client.open() as session, http(fleet) as raw:
        headers = {wire.FENCE: "1", "Content-Type": "application/json"}
        async with raw.post(f"/v1/sessions/{session.name}/step", data=body, headers=headers) as answer:
            assert (answer.status, (await answer.json())["code"]) == (status, code)
        assert (await session.step(Click(Point(1, 1)))).observation.title == "1"


async def test_a_malformed_binary_body_is_told_and_the_session_goes_on(client: BrowserClient, fleet: Fleet):
    async with client.open() as session, http(fleet) as raw:
        headers = {wire.FENCE: "1", "Content-Type": wire.MSGPACK}
        async with raw.post(f"/v1/sessions/{session.name}/step", data=b"\xc1\xff", headers=headers) as answer:
            assert (answer.status, (await answer.json())["code"]) == (400, "bad_request")
        assert (await session.step(Click(Point(1, 1)))).observation.title == "1"


@pytest.mark.parametrize("seconds", [math.inf, math.nan, -1.0, 1e308])
async def test_a_time_to_settle_that_is_none_is_told_and_the_session_goes_on(client: BrowserClient, seconds: float):
    async with client.open() as session:
        with pytest.raises(RequestError, match="settle_seconds"):
            await session.observe(Look(settle_seconds=seconds))
        assert (await session.step(Click(Point(1, 1)))).observation.title == "1"


@pytest.mark.parametrize(
    "spec",
    [
        SessionSpec(max_tabs=-5),
        SessionSpec(max_tabs=0),
        SessionSpec(download_quota_bytes=-1),
        SessionSpec(geolocation=Geolocation(math.nan, 0)),
        SessionSpec(determinism=Determinism(epoch_milliseconds=2**62)),
    ],
)
async def test_options_out_of_range_are_told(client: BrowserClient, spec: SessionSpec):
    with pytest.raises(RequestError, match="Expected"):
        async with client.open(spec):
            pass


@pytest.mark.parametrize("fence", [None, "", "first", "-1", "9" * 5000, "\xb2"])
async def test_a_missing_or_odd_fence_is_told(client: BrowserClient, fleet: Fleet, fence: str | None):
    async with client.open() as session, http(fleet) as raw:
        headers = {} if fence is None else {wire.FENCE: fence}
        async with raw.post(f"/v1/sessions/{session.name}/step", json={}, headers=headers) as answer:
            assert (answer.status, (await answer.json())["code"]) == (400, "bad_request")


async def test_a_fence_that_is_a_digit_elsewhere_is_told_by_the_node_itself(client: BrowserClient, fleet: Fleet):
    async with client.open() as session:
        assert session.base != fleet.url
        request = f"POST /v1/sessions/{session.name}/step HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n"
        request += f"Authorization: Bearer {TOKENS.client}\r\n{wire.FENCE}: \xb2\r\n\r\n{{}}"
        host, _, port = session.base.removeprefix("http://").partition(":")
        async with await anyio.connect_tcp(host, int(port)) as stream:
            await stream.send(request.encode("latin-1"))
            assert (await stream.receive()).startswith(b"HTTP/1.1 400 ")


async def test_a_stale_fence_is_refused_and_the_new_holder_goes_on(client: BrowserClient, fleet: Fleet):
    async with client.open() as session, http(fleet) as raw:
        async with raw.post(f"/v1/sessions/{session.name}/take") as answer:
            assert (await answer.json())["fence"] == 2
        with pytest.raises(StaleFence):
            await session.step(Click(Point(1, 1)))
        async with raw.post(f"/v1/sessions/{session.name}/step", json={}, headers={wire.FENCE: "2"}) as answer:
            assert answer.status == 200
        async with raw.delete(f"/v1/sessions/{session.name}", headers={wire.FENCE: "2"}) as answer:
            assert answer.status == 204


@pytest.mark.parametrize("ttl", [0, -1, 1e9])
async def test_a_lease_time_out_of_range_is_told(fleet: Fleet, ttl: float):
    async with http(fleet) as session, session.post("/v1/sessions", json={"ttl_seconds": ttl}) as answer:
        assert (answer.status, (await answer.json())["code"]) == (400, "bad_request")


async def test_an_agents_mistakes_are_effects_not_errors(client: BrowserClient):
    async with client.open(SessionSpec(viewport=Viewport(640, 480))) as session:
        off = (await session.step(Click(Point(640, 10)))).observation.effect
        assert isinstance(off, ActionFailure)
        assert off.reason is FailedReason.OFF_VIEWPORT
        bad = (await session.step(Navigate("file:///etc/passwd"))).observation.effect
        assert isinstance(bad, ActionFailure)
        assert bad.reason is FailedReason.INVALID_URL
        assert isinstance((await session.step(Click(Point(1, 1)))).observation.effect, PageChange)


# -- leases -----------------------------------------------------------------------------------------------------------


async def test_a_lease_that_nobody_renews_runs_out(fleet: Fleet, client: BrowserClient):
    async with http(fleet) as raw:
        async with raw.post("/v1/sessions", json={"ttl_seconds": 0.5}) as answer:
            lease = await answer.json()
        await until_free(client, 8, seconds=5.0)
        async with raw.post(f"/v1/sessions/{lease['session']}/step", json={}, headers={wire.FENCE: "1"}) as answer:
            assert (answer.status, (await answer.json())["reason"]) == (410, "expired")


async def test_a_lease_is_kept_while_its_holder_thinks(fleet: Fleet):
    async with connect(fleet.url, token=fleet.token, ttl_seconds=1.0) as thinker, thinker.open() as session:
        await anyio.sleep(2.5)
        assert (await session.step(Click(Point(1, 1)))).observation.title == "1"


async def test_leaving_the_block_releases_the_session(client: BrowserClient):
    async with client.open() as session:
        await session.observe()
    await until_free(client, 8)
    with pytest.raises(SessionUnknown):
        await session.observe()


async def test_an_error_in_the_block_releases_the_session(client: BrowserClient):
    with pytest.raises(ZeroDivisionError):
        async with client.open():
            raise ZeroDivisionError
    await until_free(client, 8)


async def test_a_cancelled_step_poisons_its_session_and_frees_its_place(client: BrowserClient):
    with anyio.move_on_after(0.3) as scope:
        async with client.open() as session:
            await session.step(Wait(30.0))
    assert scope.cancelled_caught
    await until_free(client, 8)


async def test_a_step_past_its_deadline_poisons_its_session(fleet: Fleet, client: BrowserClient):
    async with connect(fleet.url, token=fleet.token, deadline_seconds=0.3) as hasty, hasty.open() as session:
        for _ in range(2):
            with pytest.raises(SessionLost) as caught:
                await session.step(Wait(30.0))
            assert caught.value.reason is LossReason.POISONED
    await until_free(client, 8)


async def test_two_steps_of_one_session_at_once_are_refused(client: BrowserClient):
    async with client.open() as session, anyio.create_task_group() as tasks:
        tasks.start_soon(session.step, Wait(0.5))
        await anyio.sleep(0.1)
        with pytest.raises(SessionBusy):
            await session.step(Click(Point(1, 1)))


async def test_session_ids_cannot_be_guessed(client: BrowserClient):
    names = set[str]()
    for _ in range(4):
        async with client.open() as session:
            names.add(session.name)
    assert len(names) == 4
    assert all(len(name) >= 32 for name in names)


# -- room -------------------------------------------------------------------------------------------------------------


async def test_opens_wait_for_room_and_are_served(client: BrowserClient):
    done: list[int] = []

    async def use(number: int) -> None:
        async with client.open() as session:
            await session.step(Wait(0.2))
            done.append(number)

    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            for number in range(24):
                tasks.start_soon(use, number)
    assert sorted(done) == list(range(24))
    await until_free(client, 8)


async def test_a_full_fleet_refuses_with_a_hint(fleet: Fleet, client: BrowserClient):
    async with contextlib.AsyncExitStack() as stack, http(fleet) as raw:
        for _ in range(8):
            await stack.enter_async_context(client.open())
        async with raw.post("/v1/sessions", json={"wait_seconds": 0.2}) as answer:
            assert (answer.status, (await answer.json())["code"]) == (429, "no_capacity")
            assert int(answer.headers["Retry-After"]) >= 1
        with pytest.raises(CapacityError):
            async with client.open(wait_seconds=0.2):
                pass
    await until_free(client, 8)


async def test_a_node_short_of_memory_takes_no_session():
    async with run_fleet(
        GatewayConfig(port=0),
        [NodeConfig(browser="webgym.testing.fakes:FakeBrowser", max_sessions=2, min_free_megabytes=10**9)],
        tokens=TOKENS,
    ) as fleet:
        async with connect(fleet.url, token=fleet.token) as client:
            with anyio.fail_after(20):
                while True:
                    with contextlib.suppress(TransportError):
                        if (await client.status()).nodes:
                            break
                    await anyio.sleep(0.1)
            with pytest.raises(CapacityError):
                async with client.open(wait_seconds=0.5):
                    pass


# -- more than one machine --------------------------------------------------------------------------------------------


async def test_two_nodes_on_two_addresses_serve_together():
    fake = {"browser": "webgym.testing.fakes:FakeBrowser", "max_sessions": 2}
    async with run_fleet(GatewayConfig(port=0), [NodeConfig(host="127.0.0.1", **fake)], tokens=TOKENS) as fleet:
        await fleet.wait_ready()
        joining = NodeConfig(host="127.0.0.2", gateway=fleet.url, **fake)
        async with run_fleet(None, [joining], tokens=TOKENS), connect(fleet.url, token=fleet.token) as client:
            await until_free(client, 4)
            async with contextlib.AsyncExitStack() as stack:
                sessions = [await stack.enter_async_context(client.open()) for _ in range(4)]
                bases = [session.base for session in sessions]
                assert len({base.split(":")[1] for base in bases}) == 2
                for session in sessions:
                    assert (await session.step(Click(Point(1, 1)))).observation.title == "1"
            await until_free(client, 4)


async def test_a_node_that_cannot_be_reached_is_served_through_the_gateway():
    fake = {"browser": "webgym.testing.fakes:FakeBrowser", "max_sessions": 2}
    async with run_fleet(GatewayConfig(port=0), [NodeConfig(**fake)], tokens=TOKENS) as fleet:
        await fleet.wait_ready()
        async with connect(fleet.url, token=fleet.token) as client, client.open() as session:
            session._base = "http://127.0.0.1:9"  # what a client behind another network sees
            assert (await session.step(Click(Point(1, 1)))).observation.title == "1"
            assert session.base == fleet.url
            capture = await session.step(TypeText("x"), Look(screenshot="png"))
            assert await session.blob(capture.observation.screenshot.address)


# -- without an event loop --------------------------------------------------------------------------------------------


def test_the_synchronous_client_steps_and_releases():
    async def check() -> None:
        async with fleet_of() as (fleet, client):
            await anyio.to_thread.run_sync(_use_sync, fleet)
            await until_free(client, 8)

    anyio.run(check)


def _use_sync(fleet: Fleet) -> None:
    with connect_sync(fleet.url, token=fleet.token) as browser, browser.open() as session:
        capture = session.step(Click(Point(1, 1)))
        assert capture.observation.title == "1"
        assert session.blob(capture.observation.screenshot.address)
