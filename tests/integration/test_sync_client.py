"""The client without `await` can do what the other can."""

from __future__ import annotations

import inspect

import pytest
from tests.fleets import FAKE, TOKENS, fleet_of

from webgym.browser.client import BrowserClient, RemoteSession, SyncBrowser, SyncSession, connect, connect_sync
from webgym.errors import CapacityError, TransportError
from webgym.records.action import Back
from webgym.records.session import SessionSpec

OWN = {"release", "lose", "keep_alive", "holding", "base", "ways"}
"""What the client itself uses."""


def public(kind: type) -> set[str]:
    return {name for name in vars(kind) if not name.startswith("_")}


@pytest.mark.parametrize(("sync", "other"), [(SyncSession, RemoteSession), (SyncBrowser, BrowserClient)])
def test_it_has_the_same_methods_with_the_same_options(sync: type, other: type):
    assert public(sync) == public(other) - OWN
    for name in public(sync):
        mine, theirs = getattr(sync, name), getattr(other, name)
        if callable(mine):
            assert inspect.signature(mine).parameters == inspect.signature(theirs).parameters, name


def test_it_connects_with_the_same_options():
    assert inspect.signature(connect_sync).parameters == inspect.signature(connect).parameters


def test_an_error_of_the_block_comes_out_as_it_is():
    with pytest.raises(ValueError, match="mine"), connect_sync("http://127.0.0.1:9", token="none"):
        raise ValueError("mine")


def test_a_fleet_that_is_not_there_can_be_caught():
    with (
        pytest.raises(TransportError, match="no fleet answers"),
        connect_sync("http://127.0.0.1:9", token="none") as browser,
    ):
        browser.status()


@pytest.fixture
def full(anyio_backend):
    """The address of a fleet with room for one session."""
    from anyio.from_thread import start_blocking_portal

    with start_blocking_portal() as portal:
        with portal.wrap_async_context_manager(fleet_of(browser=FAKE, max_sessions=1)) as (fleet, _):
            yield fleet.url


def test_sessions_act_and_say_where_they_stand(full: str):
    with connect_sync(full, token=TOKENS.client, ttl_seconds=5.0, deadline_seconds=20.0) as browser:
        with browser.open(SessionSpec(), wait_seconds=5.0) as session:
            assert session.act(Back()).observation.screenshot is None
            assert session.observe().observation.screenshot is not None
            assert session.name
            assert browser.status().capacity == 1
            with pytest.raises(CapacityError), browser.open(wait_seconds=0):
                pass
