"""Who gets a request: health, trial, room and turns, with a clock in hand."""

from __future__ import annotations

import random

import anyio
import pytest

from webgym.llm.config import Retries
from webgym.llm.server import Server, growing_pause
from webgym.llm.servers import Servers
from webgym.llm.trouble import TryFailed

RETRIES = Retries(pause=1.0, longest_pause=8.0, strikes=3)


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def server(clock: Clock) -> Server:
    return Server("http://one", 8, RETRIES, random.Random(1), clock)


def _failure(trouble="server_error", retry_after=None) -> TryFailed:
    return TryFailed(trouble, "broken", retry_after=retry_after)


def test_a_server_is_set_aside_after_so_many_failures_in_a_row(server: Server):
    for _ in range(2):
        server.failed(_failure())
    server.replied(0.1)
    for _ in range(2):
        server.failed(_failure())
    assert server.state == "healthy"
    server.failed(_failure())
    assert (server.state, server.room) == ("set_aside", 0)


@pytest.mark.parametrize("trouble", ["unreachable", "busy"])
def test_once_is_enough_where_nothing_else_can_be_expected(server: Server, trouble):
    server.failed(_failure(trouble))
    assert server.state == "set_aside"


def test_a_reply_broken_off_for_new_weights_is_no_failure_of_the_server(server: Server):
    for _ in range(10):
        server.failed(_failure("aborted"))
    assert server.state == "healthy"


def test_pauses_grow_while_it_fails_and_start_anew_once_it_has_replied(server: Server, clock: Clock):
    pauses = []
    for _ in range(6):
        server.failed(_failure("unreachable"))
        pauses.append(server.back_in)
        clock.now += server.back_in
    assert all(0.5 * 2**i <= pause <= 2**i for i, pause in enumerate(pauses[:4]))
    assert max(pauses) <= RETRIES.longest_pause
    server.replied(0.1)
    server.failed(_failure("unreachable"))
    assert server.back_in <= 1.0


def test_after_its_pause_it_gets_one_request_and_all_if_that_goes_well(server: Server, clock: Clock):
    server.failed(_failure("unreachable"))
    clock.now += server.back_in
    assert (server.state, server.room) == ("on_trial", 1)
    server.in_flight = 1
    assert server.room == 0
    server.replied(0.1)
    assert (server.state, server.room) == ("healthy", 7)


def test_one_failure_on_trial_sets_it_aside_for_longer(server: Server, clock: Clock):
    server.failed(_failure("unreachable"))
    clock.now += server.back_in
    server.failed(_failure())
    assert server.state == "set_aside"
    assert server.back_in >= 1.0


def test_failures_and_replies_of_requests_from_before_change_nothing(server: Server):
    server.failed(_failure("busy", retry_after=5.0))
    for _ in range(7):
        server.failed(_failure("busy", retry_after=9.0))
    server.replied(0.1)
    assert (server.state, server.back_in, server.status().limit) == ("set_aside", 5.0, 4)


def test_the_status_tells_latencies_and_errors(server: Server):
    for milliseconds in range(1, 101):
        server.replied(milliseconds / 1000)
    server.failed(_failure("garbage"))
    status = server.status()
    assert (status.latency_p50, status.latency_p95) == (0.051, 0.096)
    assert (status.replies, status.errors, status.last_error) == (100, {"garbage": 1}, "broken")


def test_pauses_are_spread():
    pauses = {growing_pause(RETRIES, 3, random.Random(seed)) for seed in range(50)}
    assert len(pauses) == 50
    assert all(2.0 <= pause <= 4.0 for pause in pauses)
    assert growing_pause(RETRIES, 10_000, random.Random(0)) <= RETRIES.longest_pause


def _pair(clock=None) -> tuple[Server, Server]:
    more = () if clock is None else (clock,)
    return tuple(Server(url, 1, RETRIES, random.Random(1), *more) for url in ("http://one", "http://two"))


@pytest.mark.anyio
async def test_turns_are_first_come_first_served():
    one, _ = _pair()
    servers = Servers([one], 10)
    await servers.take("", frozenset())
    order: list[int] = []

    async def take(number: int) -> None:
        server = await servers.take("", frozenset())
        order.append(number)
        servers.give_back(server)

    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            for number in range(5):
                tasks.start_soon(take, number)
                await anyio.wait_all_tasks_blocked()
            servers.give_back(one)
    assert order == [0, 1, 2, 3, 4]
    assert one.in_flight == 0


@pytest.mark.anyio
async def test_who_waits_while_all_are_set_aside_is_served_when_the_first_returns():
    """Also if it began to wait before they were."""
    one, two = Server("http://one", 1, RETRIES, random.Random(1)), Server("http://two", 1, RETRIES, random.Random(1))
    servers = Servers([one, two], 10)
    for _ in range(2):
        await servers.take("", frozenset())
    got: list[Server] = []

    async def take() -> None:
        got.append(await servers.take("", frozenset()))

    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            for _ in range(2):
                tasks.start_soon(take)
            await anyio.wait_all_tasks_blocked()
            one.failed(_failure("unreachable", retry_after=0.2))
            servers.give_back(one)
            two.failed(_failure("unreachable", retry_after=0.1))
            servers.give_back(two)
            assert servers.waiting == 2
    assert {server.url for server in got} == {"http://one", "http://two"}


@pytest.mark.anyio
async def test_a_server_to_avoid_is_taken_only_if_there_is_no_other():
    one, two = _pair()
    servers = Servers([one, two], 10)
    assert (await servers.take("", frozenset({"http://one"}))) is two
    assert (await servers.take("", frozenset({"http://one"}))) is one


@pytest.mark.anyio
async def test_who_is_cancelled_while_waiting_leaves_no_trace():
    one, _ = _pair()
    servers = Servers([one], 10)
    await servers.take("", frozenset())
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(servers.take, "", frozenset())
        await anyio.wait_all_tasks_blocked()
        assert servers.waiting == 1
        tasks.cancel_scope.cancel()
    servers.give_back(one)
    assert (servers.waiting, one.in_flight) == (0, 0)


@pytest.mark.anyio
async def test_who_is_cancelled_just_when_served_still_gives_the_place_back():
    one, _ = _pair()
    servers = Servers([one], 10)
    await servers.take("", frozenset())

    async def use() -> None:
        server = await servers.take("", frozenset())
        try:
            await anyio.sleep_forever()
        finally:
            servers.give_back(server)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(use)
        await anyio.wait_all_tasks_blocked()
        servers.give_back(one)  # handed over, but the other has not run since
        assert one.in_flight == 1
        tasks.cancel_scope.cancel()
    assert (servers.waiting, one.in_flight) == (0, 0)
