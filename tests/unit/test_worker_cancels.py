"""A step that its caller gives up at once is given up by the worker too."""

from __future__ import annotations

import socket

import anyio
import pytest
from tests.slow_browser import SlowBrowser, slow

from webgym.browser import wire
from webgym.browser.server.channel import Channel, Frame, FrameHeader
from webgym.browser.server.worker.serve import Worker
from webgym.errors import SessionLost
from webgym.records.action import Wait

pytestmark = pytest.mark.anyio


async def test_a_step_that_is_cancelled_before_it_has_begun_is_cancelled():
    ends = socket.socketpair()
    for end in ends:
        end.setblocking(False)
    ours, theirs = [await Channel.over(end) for end in ends]
    step = wire.encode(wire.StepRequest(action=Wait(10.0)))
    try:
        async with anyio.create_task_group() as tasks:
            with anyio.fail_after(30):
                ours.send(Frame(FrameHeader(1, "open", "a-session", 60.0), wire.encode(slow(opening_seconds=0.0))))
                tasks.start_soon(Worker(SlowBrowser(), theirs, active_steps=2).run)
                while (await ours.receive()).head.call != 1:
                    pass
                ours.send(Frame(FrameHeader(2, "step", "a-session", 60.0), step))
                ours.send(Frame(FrameHeader(0, "cancel", "a-session")))
                while (frame := await ours.receive()).head.call != 2:
                    pass
                assert isinstance(wire.error_from(wire.decode(wire.ErrorBody, frame.payload)), SessionLost)
            tasks.cancel_scope.cancel()
    finally:
        ours.close()
        theirs.close()
