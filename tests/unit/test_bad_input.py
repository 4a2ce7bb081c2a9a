"""Input that decoders give up on in ways of their own: told as what it is."""

from __future__ import annotations

import math

import msgspec
import pytest
from tests.asgi import asked

from webgym.browser import wire
from webgym.browser.server.chromium.context import context_options
from webgym.errors import RequestError, SiteStateError
from webgym.records.session import SessionSpec
from webgym_hermetic.catalogue import site
from webgym_hermetic.control.app import control_app
from webgym_hermetic.states import States
from webgym_hermetic.weather import Weather, checked, latency

TOKEN = "control-secret"
SHOP = site("shop", 0)
DEEP = b'{"site": ' * 100_000


@pytest.mark.parametrize("media_type", [wire.JSON, wire.MSGPACK])
def test_a_body_of_too_many_levels_is_told(media_type: str):
    body = b'{"action": ' * 100_000 if media_type == wire.JSON else b"\x91" * 100_000
    with pytest.raises(RequestError):
        wire.decode(wire.StepRequest, body, media_type)


@pytest.mark.parametrize("wait", [math.nan, -1.0])
def test_a_wait_that_is_none_is_told(wait: float):
    with pytest.raises(RequestError, match="wait_seconds"):
        wire.decode(wire.OpenRequest, msgspec.msgpack.encode({"wait_seconds": wait}))


@pytest.mark.parametrize("state", ["[" * 100_000, '{"cookies": ' * 100_000, '"\\ud800' + "[" * 100_000])
def test_a_storage_state_of_too_many_levels_is_told(state: str):
    with pytest.raises(RequestError, match="not JSON"):
        context_options(SessionSpec(storage_state=state), 1)


@pytest.mark.anyio
@pytest.mark.parametrize("body", [DEEP, b"\xff\xfe", b'{"site": "\xff"}', b"", b"[]", b'{"site": 1e400}'])
@pytest.mark.parametrize("path", ["/v1/states", "/v1/states/KEY/restart"])
async def test_a_body_that_the_control_plane_cannot_read_is_told(path: str, body: bytes):
    states = States()
    key = states.begin(SHOP)
    app = control_app({SHOP.name: SHOP}, states, TOKEN, 1)
    header = {"Authorization": f"Bearer {TOKEN}"}
    assert (await asked(app, "POST", path.replace("KEY", key), body, header))[0] == 400
    assert len(states) == 1


@pytest.mark.parametrize("times", [(1e308, 0.0), (1.0, 1e308), (math.inf, 0.0), (1.0, math.nan)])
def test_weather_that_no_clock_can_wait_for_is_told(times: tuple[float, float]):
    with pytest.raises(SiteStateError, match="times"):
        checked(Weather(latency_seconds=times[0], latency_sigma=times[1]))


def test_the_worst_weather_that_is_taken_is_still_weather():
    worst = checked(Weather(latency_seconds=100, latency_sigma=100))
    assert all(0 <= latency(worst, request) <= 30 for request in range(1000))
