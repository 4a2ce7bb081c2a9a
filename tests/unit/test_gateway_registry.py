"""What the gateway knows of nodes, and who waits for room."""

from __future__ import annotations

import anyio
import msgspec
import pytest

from webgym.browser import wire
from webgym.browser.server.gateway.placement import Placement
from webgym.browser.server.gateway.registry import Registry
from webgym.errors import CapacityError, LossReason, SessionLost, SessionUnknown
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
async def test_one_who_gives_up_waiting_leaves_the_queue(registry: Registry):
    placement = Placement(registry, queue_length=10)
    with anyio.move_on_after(0.05):
        async with placement.place(10.0):
            pass
    assert placement.waiting == 0
