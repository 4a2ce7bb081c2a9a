"""One Chromium for all tests of a module, a tab of its own for each test."""

from __future__ import annotations

import pytest
from tests.integration.action_pages import chromium_running, tab_of


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
