"""The worker: serves the node's calls, with one task per session.

It reads frames from the channel and sends one reply per call, plus notices. Steps that load the browser pass a capacity
limiter first. When the channel closes, every session is closed and the worker ends.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext

import anyio
import anyio.abc
import msgspec

from webgym.browser import wire
from webgym.browser.server.channel import Channel, Frame, FrameHeader, WorkerChannelClosedError
from webgym.browser.server.worker.holding import CLOSE_SECONDS, LeasedSession
from webgym.errors import (
    BrowserFault,
    CapacityError,
    DeadlineError,
    LossReason,
    SessionLost,
    SessionUnknown,
    WebGymError,
)
from webgym.records.action import Answer, Wait
from webgym.records.event import Event, StepTaken
from webgym.records.observation import Capture
from webgym.records.session import SessionSpec
from webgym.stages import Browser
from webgym.telemetry import log

logger = logging.getLogger(__name__)

Handler = Callable[[LeasedSession, Frame], Awaitable[bytes]]


class ChannelEvents:
    """Event sink that forwards events to the node."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel

    def emit(self, event: Event) -> None:
        """Queue the event for the node, without blocking."""
        self._channel.send(Frame(FrameHeader(0, "event"), wire.encode(event)))


class Worker:
    """Serves the node's calls on the sessions of one browser."""

    def __init__(self, browser: Browser, channel: Channel, *, active_steps: int) -> None:
        self._browser = browser
        self._channel = channel
        self._events = ChannelEvents(channel)
        self._gate = anyio.CapacityLimiter(active_steps)
        self._holdings: dict[str, LeasedSession] = {}

    async def run(self) -> None:
        """Serve until the channel closes, then close every session."""
        async with anyio.create_task_group() as tasks:
            self._channel.send(Frame(FrameHeader(0, "ready")))
            try:
                while True:
                    frame = await self._channel.receive()
                    self._dispatch(frame, tasks)
            except WorkerChannelClosedError:
                logger.info("the node hung up; closing %d sessions", len(self._holdings))
            for holding in list(self._holdings.values()):
                holding.end(SessionLost("the worker is shutting down", reason=LossReason.SHUTDOWN))
            with anyio.move_on_after(CLOSE_SECONDS):
                for holding in list(self._holdings.values()):
                    await holding.gone.wait()
            tasks.cancel_scope.cancel()

    def _dispatch(self, frame: Frame, tasks: anyio.abc.TaskGroup) -> None:
        match frame.head.verb:
            case "open":
                holding = self._holdings[frame.head.session] = LeasedSession(frame.head.session)
                spec = wire.decode(SessionSpec, frame.payload)  # already validated by the node
                tasks.start_soon(self._keep, holding, spec, frame.head.seconds)
                tasks.start_soon(self._opened, holding, frame)
            case "cancel":
                # In a task of its own, because the step it cancels may not have started yet: tasks start in order.
                tasks.start_soon(self._cancel, frame.head.session)
            case "step":
                tasks.start_soon(self._answer, frame, self._step)
            case "blob":
                tasks.start_soon(self._answer, frame, self._blob)
            case "close":
                tasks.start_soon(self._answer, frame, self._close)
            case verb:
                logger.error("unknown call %s", verb)

    async def _keep(self, holding: LeasedSession, spec: SessionSpec, seconds: float) -> None:
        """Run one session from opening to closing."""
        log.context.set({"session": holding.name[:8]})
        try:
            await holding.live(self._browser, spec, seconds)
        except Exception:  # the session is gone either way, and must not affect the others
            logger.exception("session failed while closing")
        finally:
            self._holdings.pop(holding.name, None)
        if holding.opening_failed is None and holding.loss is not None:
            body = wire.encode(wire.error_body(holding.loss))
            self._channel.send(Frame(FrameHeader(0, "ended", holding.name), body))

    async def _opened(self, holding: LeasedSession, frame: Frame) -> None:
        await holding.usable.wait()
        if holding.opening_failed is None:
            self._reply(frame, b"")
        else:
            self._refuse(frame, holding.opening_failed)

    async def _answer(self, frame: Frame, handle: Handler) -> None:
        try:
            self._reply(frame, await handle(self._holding(frame.head.session), frame))
        except Exception as error:  # every call must get a reply
            if not isinstance(error, WebGymError):
                logger.exception("call %s failed", frame.head.verb)
            self._refuse(frame, error)

    async def _cancel(self, session: str) -> None:
        holding = self._holdings.get(session)
        if holding is not None and holding.step is not None:
            holding.poison("a step was cancelled")

    def _holding(self, session: str) -> LeasedSession:
        holding = self._holdings.get(session)
        if holding is None:
            raise SessionUnknown(f"session {session[:8]} is not open")
        return holding

    async def _close(self, holding: LeasedSession, frame: Frame) -> bytes:
        holding.end()
        with anyio.move_on_after(frame.head.seconds):
            await holding.gone.wait()
            return b""
        raise DeadlineError(f"the session did not close in {frame.head.seconds:g} s")

    async def _blob(self, holding: LeasedSession, frame: Frame) -> bytes:
        session = holding.session
        if session is None:
            raise SessionUnknown(f"session {holding.name[:8]} is not open")
        with anyio.move_on_after(frame.head.seconds):
            return await session.blob(frame.payload.decode())
        raise DeadlineError(f"no answer in {frame.head.seconds:g} s")

    async def _step(self, holding: LeasedSession, frame: Frame) -> bytes:
        session = holding.begin()
        request = wire.decode(wire.StepRequest, frame.payload)
        arrived = time.perf_counter()
        started: float | None = None
        with anyio.CancelScope(deadline=anyio.current_time() + frame.head.seconds) as scope:
            holding.step = scope
            try:
                async with self._turn(request):
                    started = time.perf_counter()
                    scope.deadline = anyio.current_time() + frame.head.seconds
                    capture = await session.step(request.action, request.look)
                return self._done(frame, request, capture, started - arrived, time.perf_counter() - started)
            except SessionLost as lost:
                holding.end(lost)
                raise
            except WebGymError:
                raise
            except Exception as error:
                holding.poison("a step failed unexpectedly")
                raise BrowserFault(f"{type(error).__name__}: {error}") from error
            finally:
                holding.step = None
        if holding.ending.is_set():
            raise holding.loss or SessionUnknown(f"session {holding.name[:8]} was closed during a step")
        if started is None:
            raise CapacityError(f"the worker was busy for {frame.head.seconds:g} s; the step was not started")
        raise holding.poison(f"a step did not end in {frame.head.seconds:g} s")

    def _turn(self, request: wire.StepRequest) -> AbstractAsyncContextManager[object]:
        """Return the admission gate for a step. `Wait` and `Answer` do not load the machine and bypass it."""
        return nullcontext() if isinstance(request.action, Wait | Answer) else self._gate

    def _done(self, frame: Frame, request: wire.StepRequest, capture: Capture, queued: float, seconds: float) -> bytes:
        observation = capture.observation
        timings = msgspec.structs.replace(observation.timings, queued=queued)
        observation = msgspec.structs.replace(observation, timings=timings)
        body = wire.encode(Capture(observation, capture.blobs))
        self._events.emit(
            StepTaken(
                session=frame.head.session,
                action=_kind(request.action) or "observe",
                seconds=seconds,
                effect=_kind(observation.effect) or "none",
                bytes=len(body),
            )
        )
        return body

    def _reply(self, frame: Frame, body: bytes) -> None:
        self._channel.send(Frame(FrameHeader(frame.head.call, "ok", frame.head.session), body))

    def _refuse(self, frame: Frame, error: Exception) -> None:
        body = wire.encode(wire.error_body(error))
        self._channel.send(Frame(FrameHeader(frame.head.call, "error", frame.head.session), body))


def _kind(variant: msgspec.Struct | None) -> str:
    return str(variant.__struct_config__.tag) if variant is not None else ""
