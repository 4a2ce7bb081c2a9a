"""What a client asks of a fleet when it opens a session."""

from __future__ import annotations

import anyio
import anyio.lowlevel
import pytest

from webgym.browser import wire
from webgym.browser.client.browser import BrowserClient
from webgym.errors import CapacityError, TransportError
from webgym.records.session import SessionSpec

pytestmark = pytest.mark.anyio


class Fleet:
    """A transport to a fleet that refuses so often, and then opens."""

    def __init__(self, *refusals: Exception) -> None:
        self.orders: list[wire.OpenRequest] = []
        self.released: list[str] = []
        self._refusals = list(refusals)

    async def send(self, method: str, url: str, body: bytes = b"", **_more: object) -> bytes:
        await anyio.lowlevel.checkpoint()
        if method == "DELETE":
            self.released.append(url)
            return b""
        self.orders.append(wire.decode(wire.OpenRequest, body))
        if self._refusals:
            raise self._refusals.pop(0)
        return wire.encode(wire.Lease("s", 1, "http://node", 3.0))


async def test_a_session_is_asked_for_with_the_clients_own_time_to_live_and_what_is_left_of_its_patience():
    fleet = Fleet(TransportError("the gateway is being restarted"), CapacityError("full", retry_after=0.05))
    client = BrowserClient(fleet, "http://gateway", 3.0, 30.0)
    spec = SessionSpec(start_url="http://example.com/")
    async with client.open(spec, wait_seconds=5.0) as session:
        assert session.holding == wire.LeaseKey("s", 1)
    assert [(order.spec, order.ttl_seconds) for order in fleet.orders] == [(spec, 3.0)] * 3
    waits = [order.wait_seconds for order in fleet.orders]
    assert waits[0] == pytest.approx(5.0, abs=0.1)
    assert waits == sorted(waits, reverse=True)
    assert waits[2] < 5.0
    assert fleet.released == ["http://node/v1/sessions/s"]
