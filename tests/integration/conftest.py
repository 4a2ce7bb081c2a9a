"""One Chromium for all tests of a module, a tab of its own for each test."""

from __future__ import annotations

import pytest
from tests.integration.action_pages import chromium_running, tab_of
from tests.integration.pages_server import serving_pages
from tests.integration.sessions import config_for, driving

from webgym.browser.server.chromium.browser import ChromiumBrowser


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="module")
async def bare_chromium(anyio_backend):
    async with chromium_running() as running:
        yield running


@pytest.fixture
async def tab(bare_chromium):
    """A tab as actions and captures see it, without a session around it."""
    async with tab_of(bare_chromium) as opened:
        yield opened


@pytest.fixture(scope="module")
async def site(anyio_backend):
    async with serving_pages() as served:
        yield served


@pytest.fixture
def pages(site):
    """An empty site, of which sessions of `chromium` may ask anything."""
    site.clear()
    return site


@pytest.fixture(scope="module")
async def chromium(site):
    """One browser for the sessions of a module."""
    async with ChromiumBrowser(config_for(site)) as browser:
        yield browser


@pytest.fixture
async def session(chromium, pages):
    """A fresh session with a blank page."""
    async with driving(chromium) as driver:
        yield driver
