"""One suite for every kind of session: the fake, our Chromium, a fleet of either, and the example's terminal."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from tests.fleets import FAKE, fleet_of

from webgym.records.action import Click, Point, TypeText
from webgym.records.session import Look, SessionSpec
from webgym.stages import Browser
from webgym.testing.conformance import SESSION_CHECKS, Check, SessionExample
from webgym.testing.fakes import FakeBrowser

pytestmark = pytest.mark.anyio

CHROMIUM = "webgym.browser.server.chromium.browser:ChromiumBrowser"
TERMINAL = "examples.own_session:TerminalBrowser"

CLICKED = SessionExample(does_something=Click(Point(100, 100)))
TYPED = SessionExample(does_something=TypeText("echo hello", submit=True), look=Look(screenshot="png"))
PAGE = """<!doctype html><title>counter</title><body style="margin:0">
<button style="position:fixed;inset:0" onclick="this.textContent = ++window.n">0</button><script>n = 0</script>"""


@asynccontextmanager
async def _fake() -> AsyncGenerator[tuple[Browser, SessionExample]]:
    browser = FakeBrowser()
    yield browser, CLICKED
    assert browser.open_now == 0


@asynccontextmanager
async def _terminal() -> AsyncGenerator[tuple[Browser, SessionExample]]:
    from examples.own_session import TerminalBrowser

    yield TerminalBrowser(), TYPED


@asynccontextmanager
async def _fleet_of_fakes() -> AsyncGenerator[tuple[Browser, SessionExample]]:
    async with fleet_of(browser=FAKE) as (_, client):
        yield client, CLICKED


@asynccontextmanager
async def _fleet_of_terminals() -> AsyncGenerator[tuple[Browser, SessionExample]]:
    async with fleet_of(browser=TERMINAL) as (_, client):
        yield client, TYPED


@asynccontextmanager
async def _chromium() -> AsyncGenerator[tuple[Browser, SessionExample]]:
    from tests.web import serve_page

    from webgym.browser.config import ChromiumConfig, EgressConfig
    from webgym.browser.server.chromium.browser import ChromiumBrowser

    with serve_page(PAGE) as site:
        config = ChromiumConfig(egress=EgressConfig(allow=(site.host_port,)))
        async with ChromiumBrowser(config) as browser:
            yield browser, _clicked_at(site.url)


@asynccontextmanager
async def _fleet_of_chromium() -> AsyncGenerator[tuple[Browser, SessionExample]]:
    from tests.web import serve_page

    from webgym.browser.config import ChromiumConfig, EgressConfig

    with serve_page(PAGE) as site:
        config = ChromiumConfig(egress=EgressConfig(allow=(site.host_port,)))
        async with fleet_of(browser=CHROMIUM, chromium=config, max_sessions=4) as (_, client):
            yield client, _clicked_at(site.url)


def _clicked_at(url: str) -> SessionExample:
    return SessionExample(does_something=Click(Point(100, 100)), spec=SessionSpec(start_url=url))


IMPLEMENTATIONS = [
    pytest.param(_fake, id="fake"),
    pytest.param(_terminal, id="terminal"),
    pytest.param(_fleet_of_fakes, id="fleet-of-fakes"),
    pytest.param(_fleet_of_terminals, id="fleet-of-terminals"),
    pytest.param(_chromium, id="chromium", marks=pytest.mark.chromium),
    pytest.param(_fleet_of_chromium, id="fleet-of-chromium", marks=pytest.mark.chromium),
]


@pytest.fixture(scope="module", params=IMPLEMENTATIONS)
async def implementation(
    request: pytest.FixtureRequest, anyio_backend: str
) -> AsyncGenerator[tuple[Browser, SessionExample]]:
    async with request.param() as made:
        yield made


@pytest.mark.parametrize("check", SESSION_CHECKS, ids=lambda check: check.__name__)
async def test_it_behaves_like_a_session(implementation: tuple[Browser, SessionExample], check: Check):
    await check(*implementation)
