"""The hermetic sites in real sessions: state per session, forks, and a control plane out of reach."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import aiohttp
import anyio
import pytest
from tests.integration.sessions import Driver

from webgym.browser.config import ChromiumConfig, EgressConfig
from webgym.browser.server.chromium.browser import ChromiumBrowser
from webgym.errors import AuthError, SiteStateError, SiteUnknown
from webgym.records.action import Click, Navigate
from webgym.records.observation import ActionFailure, Observation, Viewport
from webgym.records.session import Look, SessionSpec
from webgym_hermetic.catalogue import site
from webgym_hermetic.control.client import SitesControl, connect_sites
from webgym_hermetic.family import Event
from webgym_hermetic.oracle.oracle import decide
from webgym_hermetic.serve import SitesServer, serve_sites
from webgym_hermetic.states import Snapshot
from webgym_hermetic.tasks.generate import tasks_of
from webgym_hermetic.tasks.goals import goals_of
from webgym_hermetic.weather import Weather
from webgym_hermetic.worlds import world_of

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]

TOKEN = "control-secret"
SHOP = site("shop", 0)
LOOK = Look(screenshot=None, elements=True)
SEEN = Look(screenshot="png", elements=True)


@dataclass
class Grounds:
    server: SitesServer
    control: SitesControl
    browser: ChromiumBrowser

    @asynccontextmanager
    async def session(self, key: str, path: str = "/") -> AsyncGenerator[Driver]:
        spec = SessionSpec(start_url=f"http://{SHOP.name}.localhost{path}", state_key=key)
        async with self.browser.open(spec) as session:
            yield Driver(session)

    async def read(self, key: str) -> Snapshot:
        return await self.control.read(key, SHOP.name)


@pytest.fixture
async def grounds() -> AsyncGenerator[Grounds]:
    async with serve_sites((SHOP,), token=TOKEN) as server, connect_sites(server.control_url, TOKEN) as control:
        config = ChromiumConfig(egress=EgressConfig(hermetic=server.hermetic))
        async with ChromiumBrowser(config) as browser:
            yield Grounds(server, control, browser)


def added(number: int) -> Event:
    """A product in the cart."""
    shop = world_of(SHOP)
    fitting = [one for one in shop.products if one.stock > 0 and one.option is None]
    return Event("add", {"sku": fitting[number].sku, "option": "", "quantity": 1})


def shown(seen: Observation) -> list[tuple[str, str, str]]:
    return [(one.key, one.href, one.text) for one in seen.elements or ()]


async def test_two_attempts_at_one_task_in_parallel_do_not_influence_each_other(grounds: Grounds):
    task = next(task for task in tasks_of(SHOP) if task.template == "buy")
    goals = goals_of(task, "shop")
    buyer, idler = await grounds.control.begin(SHOP.name), await grounds.control.begin(SHOP.name)
    idle_views: list[list[tuple[str, str, str]]] = []

    async def buy() -> None:
        async with grounds.session(buyer) as session:
            seen = await session.do(None, LOOK)
            for _ in range(12):
                decision = decide(SHOP, goals, seen, await grounds.read(buyer))
                seen = await session.do(decision.action, LOOK)

    async def idle() -> None:
        async with grounds.session(idler, "/cart") as session:
            for _ in range(8):
                seen = await session.go(f"http://{SHOP.name}.localhost/cart", LOOK)
                idle_views.append(shown(seen))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(buy)
        tasks.start_soon(idle)
    assert (await grounds.read(buyer)).events
    assert not (await grounds.read(idler)).events
    assert all(view == idle_views[0] for view in idle_views)


async def test_forked_siblings_start_equal_and_part_ways(grounds: Grounds):
    first = await grounds.control.begin(SHOP.name, [added(0)])
    second = await grounds.control.fork(first)
    pictures: list[bytes] = []
    for key in (first, second):
        async with grounds.session(key, "/cart") as session:
            capture = await session.session.step(None, SEEN)
            assert capture.observation.screenshot is not None
            pictures.append(capture.blobs[capture.observation.screenshot.address])
    assert pictures[0] == pictures[1]
    assert (await grounds.read(first)).events == (await grounds.read(second)).events == (added(0),)
    async with grounds.session(second, "/cart") as session:
        seen = await session.do(None, LOOK)
        remove = next(one for one in seen.elements or () if one.key.startswith("do:remove"))
        assert remove.point is not None
        await session.click(remove.point.x, remove.point.y)
    assert len((await grounds.read(second)).events) == 2
    assert len((await grounds.read(first)).events) == 1


async def test_a_state_begun_anew_shows_what_a_fresh_session_would(grounds: Grounds):
    """`shop-0` asks everyone about cookies until they answer."""
    home = f"http://{SHOP.name}.localhost/"
    untouched, key = await grounds.control.begin(SHOP.name), await grounds.control.begin(SHOP.name)
    async with grounds.session(key) as session:
        first = await session.do(None, LOOK)
        accept = next(one for one in first.elements or () if one.key == "dismiss:cookies")
        assert accept.point is not None
        await session.click(accept.point.x, accept.point.y)
        later = await session.go(home, LOOK)
        assert "dismiss:cookies" not in {one.key for one in later.elements or ()}
        await grounds.control.restart(key, untouched)
        again = await session.go(home, LOOK)
    assert again.elements == first.elements
    assert (await grounds.read(key)).visits == ("/",)


async def test_a_state_begun_anew_starts_where_the_other_one_is(grounds: Grounds):
    bought = await grounds.control.begin(SHOP.name, [added(0)])
    key = await grounds.control.begin(SHOP.name, [added(1), added(2)])
    await grounds.control.restart(key, bought)
    assert (await grounds.read(key)).events == (added(0),)
    async with grounds.session(key, "/cart") as session:
        await session.do(None, LOOK)
    assert not (await grounds.read(bought)).visits
    for wrong in ((key, "guess"), ("guess", key)):
        with pytest.raises(SiteUnknown, match="no state with this key"):
            await grounds.control.restart(*wrong)


async def test_state_can_be_injected_at_the_start_and_read_at_the_end(grounds: Grounds):
    key = await grounds.control.begin(SHOP.name, [added(1), added(5)])
    async with grounds.session(key, "/cart") as session:
        await session.do(None, LOOK)
    snapshot = await grounds.read(key)
    assert [event.name for event in snapshot.events] == ["add", "add"]
    assert snapshot.visits == ("/cart",)


async def test_a_page_and_an_agent_cannot_reach_the_control_plane(grounds: Grounds):
    key = await grounds.control.begin(SHOP.name)
    async with grounds.session(key) as session:
        await session.do(None, LOOK)
        port = grounds.server.control_url.rpartition(":")[2]
        for host in ("127.0.0.1", "localhost", f"{SHOP.name}.localhost", "[::1]", "control.localhost"):
            seen = await session.do(Navigate(f"http://{host}:{port}/v1/states/{key}"), LOOK)
            assert isinstance(seen.effect, ActionFailure), (host, seen.effect)
    assert (await grounds.control.status()).states == 1


async def test_a_page_never_learns_the_key_of_its_state(grounds: Grounds):
    key = await grounds.control.begin(SHOP.name)
    async with grounds.session(key) as session:
        capture = await session.session.step(None, Look(screenshot=None, elements=True, storage_state=True))
    assert key not in repr(capture.observation)


async def test_the_control_plane_wants_its_token(grounds: Grounds):
    async with connect_sites(grounds.server.control_url, "wrong") as stranger:
        with pytest.raises(AuthError):
            await stranger.begin(SHOP.name)


async def test_bad_input_gets_a_clear_error(grounds: Grounds):
    with pytest.raises(SiteUnknown, match="no site 'nowhere'"):
        await grounds.control.begin("nowhere")
    with pytest.raises(SiteStateError, match="has no event 'flown'"):
        await grounds.control.begin(SHOP.name, [Event("flown")])
    with pytest.raises(SiteStateError, match="no-such-thing"):
        await grounds.control.begin(SHOP.name, [Event("add", {"sku": "no-such-thing", "option": "", "quantity": 1})])
    with pytest.raises(SiteStateError, match="rates are from 0 to 1"):
        await grounds.control.begin(SHOP.name, weather=Weather(error_rate=7))
    with pytest.raises(SiteUnknown, match="no state with this key"):
        await grounds.control.read("guess", SHOP.name)


async def test_a_session_whose_state_was_ended_is_told_so(grounds: Grounds):
    key = await grounds.control.begin(SHOP.name)
    await grounds.control.end(key)
    async with grounds.session(key) as session:
        await session.do(None, LOOK)
        assert not (await session.do(None, LOOK)).elements


async def test_a_blocked_session_sees_nothing_but_a_page_that_asks_whether_it_is_human(grounds: Grounds):
    key = await grounds.control.begin(SHOP.name, weather=Weather(blocked_rate=1))
    async with grounds.session(key, "/cart") as session:
        seen = await session.do(None, LOOK)
    assert "moment" in seen.title.lower()
    assert not (await grounds.read(key)).visits


async def test_an_oracle_gets_past_pages_that_fail(grounds: Grounds):
    task = next(task for task in tasks_of(SHOP) if task.difficulty == 1)
    goals = goals_of(task, "shop")
    key = await grounds.control.begin(SHOP.name, weather=Weather(error_rate=0.4, seed=3))
    async with grounds.session(key) as session:
        seen = await session.do(None, LOOK)
        for _ in range(60):
            decision = decide(SHOP, goals, seen, await grounds.read(key))
            if decision.sentence == "everything is done":
                break
            seen = await session.do(decision.action, LOOK)
        else:
            pytest.fail("the oracle did not finish")


async def test_people_get_a_state_of_their_own_by_cookie(grounds: Grounds):
    url = f"http://127.0.0.1:{grounds.server.port}/cart"
    headers = {"Host": f"{SHOP.name}.localhost"}
    async with aiohttp.ClientSession(headers=headers, cookie_jar=aiohttp.CookieJar(unsafe=True)) as person:
        async with person.get(url) as response:
            assert response.status == 200
            assert "visitor" in response.cookies
        async with person.get(url) as response:
            assert "visitor" not in response.cookies


@pytest.mark.parametrize("structure", ["classic", "panes", "timeline"])
async def test_entries_of_menus_can_be_read_on_a_small_screen(structure: str):
    here = next(one for number in range(8) if (one := site("mail", number)).structure == structure)
    async with serve_sites((here,), token=TOKEN) as server, connect_sites(server.control_url, TOKEN) as control:
        config = ChromiumConfig(egress=EgressConfig(hermetic=server.hermetic))
        key, home = await control.begin(here.name), f"http://{here.name}.localhost"
        spec = SessionSpec(start_url=home, state_key=key, viewport=Viewport(448, 320))
        async with ChromiumBrowser(config) as browser, browser.open(spec) as session:
            driver = Driver(session)
            inbox = (await driver.do(None, LOOK)).elements or ()
            thread = next(one.href for one in inbox if one.href.startswith("/thread/"))
            opened = (await driver.go(f"{home}{thread}", LOOK)).elements or ()
            menu = next(one for one in opened if one.key == "open:labels")
            assert menu.point is not None
            listed = (await driver.do(Click(menu.point), LOOK)).elements or ()
    entries = [one for one in listed if one.via == "open:labels" or one.key.startswith(("do:label:", "do:unlabel:"))]
    assert entries
    assert all(one.shown and one.box.width > 60 for one in entries)  # an icon and a word, not an icon alone


async def test_a_server_that_stops_answers_what_it_delays_instead_of_breaking_it_off():
    statuses: list[int] = []

    async def ask(server: SitesServer, key: str) -> None:
        # Chromium resolves *.localhost by itself; here the host is named in a header.
        headers = {"Host": f"{SHOP.name}.localhost", "X-WebGym-State": key}
        async with (
            aiohttp.ClientSession() as person,
            person.get(f"http://127.0.0.1:{server.port}/", headers=headers) as response,
        ):
            statuses.append(response.status)

    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            async with serve_sites((SHOP,), token=TOKEN) as server, connect_sites(server.control_url, TOKEN) as control:
                key = await control.begin(SHOP.name, weather=Weather(latency_seconds=25))
                tasks.start_soon(ask, server, key)
                await anyio.sleep(0.5)
                assert not statuses
    assert statuses == [200]


async def test_a_form_counts_even_if_its_sender_does_not_wait_for_the_answer(caplog):
    product = next(one for one in world_of(SHOP).products if one.stock > 0 and one.option is None)
    async with serve_sites((SHOP,), token=TOKEN) as server, connect_sites(server.control_url, TOKEN) as control:
        key = await control.begin(SHOP.name, weather=Weather(latency_seconds=1.5))
        headers = {"Host": f"{SHOP.name}.localhost", "X-WebGym-State": key}
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=0.5)) as person:
            with pytest.raises(TimeoutError):
                await person.post(
                    f"http://127.0.0.1:{server.port}{product.path}",
                    headers=headers,
                    data={"do": "add", "quantity": "1"},
                )
        assert not (await control.read(key, SHOP.name)).events
        with anyio.fail_after(20):
            while not (events := (await control.read(key, SHOP.name)).events):
                await anyio.sleep(0.1)
    assert [(event.name, event.args["sku"]) for event in events] == [("add", product.sku)]
    assert not [record for record in caplog.records if "Exception" in record.message]
