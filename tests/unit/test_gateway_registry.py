"""What the gateway knows of nodes, and who waits for room."""

from __future__ import annotations

import anyio
import msgspec
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from webgym.browser import wire
from webgym.browser.server.gateway.placement import Placement
from webgym.browser.server.gateway.registry import Registry
from webgym.browser.server.gateway.relay import node_client
from webgym.errors import CapacityError, LossReason, SessionLost, SessionUnknown, TransportError
from webgym.records.event import Event, NodeDropped, NodeJoined


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Heard(list[Event]):
    def emit(self, event: Event) -> None:
        self.append(event)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def registry(clock: Clock, heard: Heard) -> Registry:
    return Registry(4.0, heard, clock)


def said(node: str = "a", *, free: int = 4, **more: object) -> wire.Announcement:
    base = wire.Announcement(node=node, epoch="1", url=f"http://{node}", capacity=4, free=free)
    return msgspec.structs.replace(base, **more)


def test_a_silent_node_is_dropped_and_its_sessions_are_lost(registry: Registry, clock: Clock, heard: Heard):
    registry.hear(said(sessions={"s": 1}))
    assert registry.node_of("s").said.node == "a"
    clock.now = 5.0
    registry.drop_silent()
    with pytest.raises(SessionLost) as caught:
        registry.node_of("s")
    assert caught.value.reason is LossReason.NODE_LOST
    assert [type(event) for event in heard] == [NodeJoined, NodeDropped]


def test_a_node_that_was_declared_gone_must_come_back_as_somebody_new(registry: Registry, clock: Clock):
    registry.hear(said(sessions={"s": 1}))
    clock.now = 5.0
    registry.drop_silent()
    assert registry.hear(said(sessions={"s": 1})) is False
    assert registry.hear(said(epoch="2")) is True
    assert len(registry.nodes) == 1


def test_a_gateway_that_restarts_learns_everything_from_announcements(registry: Registry):
    registry.hear(said("a", sessions={"s": 1}))
    registry.hear(said("b", sessions={"t": 1, "u": 2}))
    assert registry.node_of("t").said.node == "b"
    assert registry.sessions == 3


def test_a_released_session_is_unknown(registry: Registry):
    registry.hear(said(sessions={"s": 1}))
    registry.hear(said())
    with pytest.raises(SessionUnknown):
        registry.node_of("s")


def test_a_gateway_that_has_just_started_calls_no_session_unknown(registry: Registry, clock: Clock):
    clock.now = 3.9
    registry.hear(said("a", sessions={"s": 1}))
    with pytest.raises(TransportError, match="has just started"):
        registry.node_of("t")  # on a node that has not announced itself yet, perhaps
    registry.hear(said("b", sessions={"t": 1}))
    assert registry.node_of("t").said.node == "b"
    clock.now = 4.0
    with pytest.raises(SessionUnknown):
        registry.node_of("u")


def test_a_gateway_that_has_just_started_knows_what_it_was_told(registry: Registry):
    gone = wire.ErrorBody("session_lost", "too long", reason="expired")
    registry.hear(said(sessions={"s": 1}, ended={"t": gone}))
    with pytest.raises(SessionLost) as caught:
        registry.node_of("t")
    assert caught.value.reason is LossReason.EXPIRED
    registry.hear(said(ended={"s": gone}))
    with pytest.raises(SessionLost):
        registry.node_of("s")


@pytest.mark.anyio
async def test_a_session_is_found_as_soon_as_its_node_has_announced_itself(registry: Registry):
    async with anyio.create_task_group() as tasks:

        async def announce() -> None:
            registry.hear(said("a"))
            await anyio.sleep(0.05)
            registry.hear(said("b", sessions={"s": 1}))

        tasks.start_soon(announce)
        with anyio.fail_after(2):
            assert (await registry.find("s")).said.node == "b"


@pytest.mark.anyio
async def test_a_session_that_nobody_announces_is_waited_for_no_longer_than_a_silent_node(heard: Heard):
    registry = Registry(0.2, heard)
    registry.hear(said("a"))
    with anyio.fail_after(2), pytest.raises(SessionUnknown):
        await registry.find("s")
    with anyio.fail_after(0.1), pytest.raises(SessionUnknown):
        await registry.find("t")


def test_the_last_node_that_leaves_is_removed_too(registry: Registry):
    registry.hear(said())
    registry.hear(said(leaving=True))
    assert registry.nodes == []


def test_sessions_go_to_the_node_with_most_room(registry: Registry):
    registry.hear(said("small", free=1))
    registry.hear(said("large", free=3))
    emptiest = registry.emptiest()
    assert emptiest is not None
    assert emptiest.said.node == "large"


def test_an_announcement_that_crossed_an_opening_does_not_hide_the_session(registry: Registry, clock: Clock):
    clock.now = 100.0
    registry.hear(said())
    registry.placed("s", registry.nodes[0])
    registry.hear(said())  # written before the node had opened it
    assert registry.node_of("s").said.node == "a"
    registry.hear(said())
    with pytest.raises(SessionUnknown):
        registry.node_of("s")


def test_a_session_that_was_lost_at_once_is_not_taken_for_one_whose_announcement_crossed(registry: Registry):
    registry.hear(said())
    registry.placed("s", registry.nodes[0])
    why = wire.error_body(SessionLost("gone", reason=LossReason.WORKER_DIED))
    registry.hear(said(ended={"s": why}))
    with pytest.raises(SessionLost, match="gone"):
        registry.node_of("s")


def test_a_session_that_its_node_has_announced_already_takes_one_place_only(registry: Registry):
    registry.hear(said(free=2))
    registry.hear(said(free=1, sessions={"s": 1}))  # on its way before the answer to the opening
    registry.placed("s", registry.nodes[0])
    assert registry.nodes[0].room == 1


def test_a_session_on_a_node_that_was_just_dropped_is_not_counted(registry: Registry, clock: Clock):
    registry.hear(said())
    node = registry.nodes[0]
    clock.now = 5.0
    registry.drop_silent()
    with pytest.raises(TransportError, match="gone"):
        registry.placed("s", node)
    registry.hear(said(epoch="2"))
    assert registry.sessions == 0


def test_the_time_in_which_the_gateway_itself_did_not_run_is_no_silence_of_nodes(registry: Registry, clock: Clock):
    registry.hear(said(sessions={"s": 1}))
    clock.now = 60.0
    registry.drop_silent(late_seconds=59.0)  # what nodes said meanwhile is yet to be read
    assert registry.node_of("s").said.node == "a"
    clock.now = 64.0
    registry.drop_silent()
    assert registry.nodes == []


@pytest.mark.anyio
async def test_a_node_that_does_not_answer_keeps_no_others_leases_from_being_renewed(registry: Registry, clock: Clock):
    clock.now = 100.0

    async def renew(request: web.Request) -> web.Response:
        order = wire.decode(wire.RenewRequest, await request.read())
        asked.append([one.session for one in order.holdings])
        return web.Response(body=wire.encode(wire.RenewReply({})))

    asked: list[list[str]] = []
    app = web.Application()
    app.router.add_post("/v1/renew", renew)
    async with TestServer(app) as server, node_client(registry, "token", "") as nodes:
        registry.hear(said("dead", url="http://127.0.0.1:9", sessions={"on-dead": 1}))
        registry.hear(said("well", url=f"http://127.0.0.1:{server.port}", sessions={"on-well": 1}))
        failed = await nodes.renew([wire.LeaseKey(name, 1) for name in ("on-dead", "on-well", "nowhere")])
    assert asked == [["on-well"]]
    assert {name: why.code for name, why in failed.items()} == {
        "on-dead": TransportError.code,
        "nowhere": SessionUnknown.code,
    }


@pytest.mark.anyio
async def test_who_waits_longest_is_served_first(registry: Registry):
    placement = Placement(registry, queue_length=10)
    registry.hear(said(free=0))
    order: list[int] = []

    async def open_one(number: int) -> None:
        async with placement.place(10.0):
            order.append(number)

    async with anyio.create_task_group() as tasks:
        for number in range(3):
            tasks.start_soon(open_one, number)
            await anyio.sleep(0.01)
        registry.hear(said(free=1))
        placement.wake()
    assert order == [0, 1, 2]


@pytest.mark.anyio
async def test_a_full_queue_refuses_with_a_hint(registry: Registry):
    placement = Placement(registry, queue_length=1)
    registry.hear(said(free=0))
    async with anyio.create_task_group() as tasks:

        async def wait() -> None:
            with pytest.raises(CapacityError):
                async with placement.place(0.2):
                    pass

        tasks.start_soon(wait)
        await anyio.sleep(0.05)
        with pytest.raises(CapacityError) as caught:
            async with placement.place(5.0):
                pass
        assert caught.value.retry_after >= 1.0
    assert placement.waiting == 0


@pytest.mark.anyio
async def test_a_place_is_never_promised_twice(registry: Registry):
    placement = Placement(registry, queue_length=10)
    registry.hear(said(free=1))
    async with placement.place(0.0):
        with pytest.raises(CapacityError):
            async with placement.place(0.05):
                pass


@pytest.mark.anyio
async def test_a_place_that_was_taken_is_not_promised_again_before_its_node_announces_it(registry: Registry):
    placement = Placement(registry, queue_length=10)
    registry.hear(said(free=1))
    async with placement.place(0.0) as node:
        registry.placed("s", node)
    with pytest.raises(CapacityError):
        async with placement.place(0.05):
            pass


@pytest.mark.anyio
async def test_one_who_gives_up_waiting_leaves_the_queue(registry: Registry):
    placement = Placement(registry, queue_length=10)
    with anyio.move_on_after(0.05):
        async with placement.place(10.0):
            pass
    assert placement.waiting == 0
