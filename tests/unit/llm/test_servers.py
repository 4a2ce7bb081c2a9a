"""Who gets a request: health, trial, room and turns, with a clock in hand."""

from __future__ import annotations

import random

import anyio
import pytest

from webgym.llm.config import Retries
from webgym.llm.failures import TryFailed
from webgym.llm.server import ModelServer, RequestSlot, growing_pause
from webgym.llm.servers import Servers

RETRIES = Retries(pause=1.0, longest_pause=8.0, strikes=3)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def server(clock: Clock) -> ModelServer:
    return ModelServer("http://one", 8, RETRIES, random.Random(1), clock)


def _failure(trouble="server_error", retry_after=None) -> TryFailed:
    return TryFailed(trouble, "broken", retry_after=retry_after)


def _fail(server: ModelServer, trouble="server_error", retry_after=None) -> None:
    place = server.take()
    server.failed(place, TryFailed(trouble, "broken", retry_after=retry_after))
    server.give_back(place)


def _reply(server: ModelServer, seconds: float = 0.1) -> None:
    place = server.take()
    server.replied(place, seconds)
    server.give_back(place)


def test_a_server_is_set_aside_after_so_many_failures_in_a_row(server: ModelServer):
    for _ in range(2):
        _fail(server)
    _reply(server)
    for _ in range(2):
        _fail(server)
    assert server.state == "healthy"
    _fail(server)
    assert (server.state, server.has_room) == ("set_aside", False)


@pytest.mark.parametrize("trouble", ["unreachable", "busy"])
def test_once_is_enough_where_nothing_else_can_be_expected(server: ModelServer, trouble):
    _fail(server, trouble)
    assert server.state == "set_aside"


def test_a_reply_broken_off_for_new_weights_is_no_failure_of_the_server(server: ModelServer):
    for _ in range(10):
        _fail(server, "aborted")
    assert server.state == "healthy"


def test_pauses_grow_while_it_fails_and_start_anew_once_it_has_replied(server: ModelServer, clock: Clock):
    pauses = []
    for _ in range(6):
        _fail(server, "unreachable")
        pauses.append(server.back_in)
        clock.now += server.back_in
    assert all(0.5 * 2**i <= pause <= 2**i for i, pause in enumerate(pauses[:4]))
    assert max(pauses) <= RETRIES.longest_pause
    _reply(server)
    _fail(server, "unreachable")
    assert server.back_in <= 1.0


def test_after_its_pause_it_gets_one_request_and_all_if_that_goes_well(server: ModelServer, clock: Clock):
    assert not server.take().trial  # still under way at the end
    _fail(server, "unreachable")
    clock.now += server.back_in
    assert (server.state, server.has_room) == ("on_trial", True)
    place = server.take()
    assert place.trial
    assert not server.has_room
    server.replied(place, 0.1)
    server.give_back(place)
    assert (server.state, server.has_room, server.in_flight) == ("healthy", True, 1)


def test_a_trial_that_is_called_off_leaves_room_for_another(server: ModelServer, clock: Clock):
    _fail(server, "unreachable")
    clock.now += server.back_in
    server.give_back(server.take())
    assert (server.state, server.has_room) == ("on_trial", True)


def test_one_failure_on_trial_sets_it_aside_for_longer(server: ModelServer, clock: Clock):
    _fail(server, "unreachable")
    clock.now += server.back_in
    _fail(server)
    assert server.state == "set_aside"
    assert server.back_in >= 1.0


def test_failures_and_replies_of_requests_from_before_change_nothing(server: ModelServer, clock: Clock):
    places = [server.take() for _ in range(8)]
    for wait, place in enumerate(places[:4], start=5):
        server.failed(place, _failure("busy", retry_after=wait))
    server.replied(places[4], 0.1)
    assert (server.state, server.back_in, server.status().limit) == ("set_aside", 5.0, 4)
    clock.now += 5.0
    server.failed(places[5], _failure("timeout"))
    assert server.state == "on_trial"


def test_the_status_tells_latencies_and_errors(server: ModelServer):
    for milliseconds in range(1, 101):
        _reply(server, milliseconds / 1000)
    _fail(server, "garbage")
    status = server.status()
    assert (status.latency_p50, status.latency_p95) == (0.051, 0.096)
    assert (status.replies, status.errors, status.last_error) == (100, {"garbage": 1}, "broken")


def test_pauses_are_spread():
    pauses = {growing_pause(RETRIES, 3, random.Random(seed)) for seed in range(50)}
    assert len(pauses) == 50
    assert all(2.0 <= pause <= 4.0 for pause in pauses)
    assert growing_pause(RETRIES, 10_000, random.Random(0)) <= RETRIES.longest_pause


def _small(*urls: str) -> Servers:
    return Servers([ModelServer(url, 1, RETRIES, random.Random(1)) for url in urls], 10)


async def _take(servers: Servers, avoid: str = "") -> RequestSlot:
    return await servers.take("", frozenset({avoid}))


@pytest.mark.anyio
async def test_turns_are_first_come_first_served():
    servers = _small("http://one")
    first = await _take(servers)
    order: list[int] = []

    async def take(number: int) -> None:
        place = await _take(servers)
        order.append(number)
        servers.give_back(place)

    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            for number in range(5):
                tasks.start_soon(take, number)
                await anyio.wait_all_tasks_blocked()
            servers.give_back(first)
    assert order == [0, 1, 2, 3, 4]
    assert servers.all[0].in_flight == 0


@pytest.mark.anyio
async def test_who_waits_while_all_are_set_aside_is_served_when_they_return():
    """Also if it began to wait before they were."""
    servers = _small("http://one", "http://two")
    held = [await _take(servers) for _ in range(2)]
    got: list[RequestSlot] = []

    async def take() -> None:
        got.append(await _take(servers))

    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            for _ in range(2):
                tasks.start_soon(take)
            await anyio.wait_all_tasks_blocked()
            for place, wait in zip(held, (0.2, 0.1), strict=True):
                place.server.failed(place, _failure("unreachable", retry_after=wait))
                servers.give_back(place)
            assert servers.waiting == 2
    assert {place.server.url for place in got} == {"http://one", "http://two"}


@pytest.mark.anyio
async def test_a_server_to_avoid_is_taken_only_if_there_is_no_other():
    servers = _small("http://one", "http://two")
    assert (await _take(servers, avoid="http://one")).server.url == "http://two"
    assert (await _take(servers, avoid="http://one")).server.url == "http://one"


@pytest.mark.anyio
async def test_who_is_cancelled_while_waiting_leaves_no_trace():
    servers = _small("http://one")
    first = await _take(servers)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_take, servers)
        await anyio.wait_all_tasks_blocked()
        assert servers.waiting == 1
        tasks.cancel_scope.cancel()
    servers.give_back(first)
    assert (servers.waiting, servers.all[0].in_flight) == (0, 0)


@pytest.mark.anyio
async def test_who_is_cancelled_just_when_served_still_gives_the_place_back():
    servers = _small("http://one")
    first = await _take(servers)

    async def use() -> None:
        place = await _take(servers)
        try:
            await anyio.sleep_forever()
        finally:
            servers.give_back(place)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(use)
        await anyio.wait_all_tasks_blocked()
        servers.give_back(first)  # handed over, but the other has not run since
        assert servers.all[0].in_flight == 1
        tasks.cancel_scope.cancel()
    assert (servers.waiting, servers.all[0].in_flight) == (0, 0)


@pytest.mark.anyio
@pytest.mark.parametrize("looks", range(1, 9))
async def test_a_server_that_returns_between_two_looks_at_the_clock_is_not_waited_for(looks):
    clock = Clock()
    server = ModelServer("http://one", 1, RETRIES, random.Random(1), clock)
    servers = Servers([server], 10)
    place = server.take()
    server.failed(place, TryFailed("unreachable", "gone"))
    servers.give_back(place)
    left = looks

    def later() -> float:
        nonlocal left
        left -= 1
        return clock.now + (100.0 if left <= 0 else 0.0)

    server._clock = later
    with anyio.fail_after(20):
        await _take(servers)
