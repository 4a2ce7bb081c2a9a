"""A worker, spoken to as its node does."""

from __future__ import annotations

import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
import pytest
from tests.slow_browser import SlowBrowser, slow

from webgym.browser import wire
from webgym.browser.server import channel
from webgym.browser.server.channel import Channel, Frame, FrameHeader, WorkerChannelClosedError
from webgym.browser.server.worker.holding import LeasedSession
from webgym.browser.server.worker.serve import Worker
from webgym.errors import BodyTooLarge, BrowserFault, DeadlineError, SessionUnknown, WebGymError
from webgym.records.session import SessionSpec
from webgym.testing.fakes import FakeSession

pytestmark = pytest.mark.anyio


@dataclass
class Served:
    """The node's end of the channel to a worker."""

    channel: Channel
    browser: SlowBrowser = field(default_factory=SlowBrowser)
    answers: dict[int, Frame] = field(default_factory=dict)

    def ask(self, call: int, verb: str, spec: SessionSpec = SessionSpec(), seconds: float = 60.0) -> None:
        self.channel.send(Frame(FrameHeader(call, verb, "a-session", seconds), wire.encode(spec)))

    async def answer(self, call: int) -> WebGymError | None:
        """What the call was refused with; None if it was not."""
        while call not in self.answers:
            await anyio.sleep(0.01)
        frame = self.answers[call]
        return None if frame.head.verb == "ok" else wire.error_from(wire.decode(wire.ErrorBody, frame.payload))

    async def until(self, *, opening: int = 0, open_now: int = 0) -> None:
        while (self.browser.opening, self.browser.open_now) != (opening, open_now):
            await anyio.sleep(0.01)

    async def listen(self) -> None:
        try:
            while True:
                frame = await self.channel.receive()
                self.answers[frame.head.call] = frame
        except WorkerChannelClosedError:
            pass


@pytest.fixture
async def served(anyio_backend: str) -> AsyncGenerator[Served]:
    async with serving() as made:
        yield made


@asynccontextmanager
async def serving() -> AsyncGenerator[Served]:
    ends = socket.socketpair()
    for end in ends:
        end.setblocking(False)
    ours, theirs = [await Channel.over(end) for end in ends]
    served = Served(ours)
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(Worker(served.browser, theirs, active_steps=2).run)
            tasks.start_soon(served.listen)
            yield served
            tasks.cancel_scope.cancel()
    finally:
        ours.close()
        theirs.close()


async def test_a_session_that_is_closed_while_it_is_opened_is_opened_no_further(served: Served):
    served.ask(1, "open", slow())
    await served.until(opening=1)
    served.ask(2, "close", seconds=3.0)
    with anyio.fail_after(2):
        assert await served.answer(2) is None
    assert (served.browser.opening, served.browser.open_now) == (0, 0)
    refused = await served.answer(1)
    assert isinstance(refused, SessionUnknown)
    assert "closed while it was opened" in str(refused)
    served.ask(3, "close")
    assert isinstance(await served.answer(3), SessionUnknown)  # nothing is held


async def test_a_session_that_is_to_end_before_its_opening_has_begun_is_not_opened():
    browser, holding = SlowBrowser(), LeasedSession("a-session")
    holding.end()
    with anyio.fail_after(2):
        await holding.live(browser, slow(), 60.0)
    assert isinstance(holding.opening_failed, SessionUnknown)
    assert holding.gone.is_set()


async def test_a_worker_whose_node_hangs_up_waits_for_no_session_to_open(served: Served):
    served.ask(1, "open", slow())
    await served.until(opening=1)
    served.channel.close()
    with anyio.fail_after(2):
        await served.until(opening=0)
    assert served.browser.open_now == 0


async def test_a_session_that_does_not_open_in_time_is_told_as_such(served: Served):
    served.ask(1, "open", slow(), seconds=0.1)
    assert isinstance(await served.answer(1), DeadlineError)
    assert served.browser.opening == 0


async def test_a_session_that_does_not_close_in_time_is_told_as_such(served: Served):
    served.ask(1, "open", slow(opening_seconds=0.0, closing_seconds=0.5))
    assert await served.answer(1) is None
    served.ask(2, "close", seconds=0.1)
    assert isinstance(await served.answer(2), DeadlineError)
    await served.until(open_now=0)


async def test_an_answer_that_is_too_large_is_told_and_the_worker_goes_on(served: Served, monkeypatch):
    monkeypatch.setattr(channel, "MAX_FRAME_BYTES", 2000)
    monkeypatch.setattr(FakeSession, "blob", _large)
    with anyio.fail_after(5):
        served.ask(1, "open", slow(opening_seconds=0.0))
        assert await served.answer(1) is None
        served.channel.send(Frame(FrameHeader(2, "blob", "a-session", 60.0), b"sha256:0"))
        assert isinstance(await served.answer(2), BodyTooLarge)
        served.ask(3, "close")
        assert await served.answer(3) is None


async def test_an_error_that_quotes_half_a_character_of_a_page_is_told_and_the_worker_goes_on(
    served: Served, monkeypatch
):
    async def fail(*_: object) -> None:
        raise ValueError("the page says \ud83d")

    monkeypatch.setattr(FakeSession, "step", fail)
    with anyio.fail_after(5):
        served.ask(1, "open", slow(opening_seconds=0.0))
        assert await served.answer(1) is None
        served.channel.send(Frame(FrameHeader(2, "step", "a-session", 60.0), wire.encode(wire.StepRequest())))
        refusal = await served.answer(2)
        assert (type(refusal), str(refusal)) == (BrowserFault, "ValueError: the page says \ufffd")
        served.ask(3, "open", slow(opening_seconds=0.0))
        assert await served.answer(3) is None


async def _large(*_: object) -> bytes:
    return bytes(3000)
