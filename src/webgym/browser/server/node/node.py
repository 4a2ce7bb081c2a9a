"""A node: it leases out sessions, which its worker processes host.

Invariants: capacity for a session is reserved before it is opened and freed only after it is fully closed; every
session ends with its lease; a node that was frozen serves none of its old leases.
"""

from __future__ import annotations

import logging
import os
import secrets
import socket
import time

import anyio
import psutil

from webgym.browser import wire
from webgym.browser.config import NodeConfig
from webgym.browser.server.channel import Frame
from webgym.browser.server.node.freeze import FreezeGuard
from webgym.browser.server.node.leases import HeldLease, Leases, lost
from webgym.browser.server.node.workers import WorkerDiedError, WorkerPlan, WorkerPool, WorkerProcess
from webgym.browser.server.processes import READY
from webgym.errors import CapacityError, LossReason, RequestError, SessionLost, WebGymError
from webgym.records.event import SessionClosed, SessionOpened, WorkerDied
from webgym.telemetry.events import EventBus
from webgym.telemetry.metrics import Metrics

logger = logging.getLogger(__name__)

_CLOSE_SECONDS = 10.0
_REAP_SECONDS = 0.25


class Node:
    """Grants leases on sessions and ends them."""

    def __init__(self, config: NodeConfig, plan: WorkerPlan) -> None:
        self.config = config
        self.name = f"{socket.gethostname()}-{secrets.token_hex(4)}"
        self.epoch = secrets.token_hex(8)
        self.url = ""
        self.leases = Leases()
        self.metrics = Metrics()
        self.events = EventBus(self.metrics.record)
        self.unheard = "has not reached the gateway yet"
        """Why the gateway does not know this node; empty if it does."""
        self.changed = anyio.Event()
        """Set when there is a change to announce to the gateway at once."""
        self._drained: anyio.Event | None = None
        """Set when the last session has ended; there is one as soon as no more are admitted."""
        self.freeze = FreezeGuard(config.frozen_seconds, self._give_up_leases)
        self._pool = WorkerPool(plan, self._on_notice, self._on_worker_died)
        self._tasks = anyio.create_task_group()
        self.metrics.gauge("webgym_sessions", "Open sessions.", lambda: len(self.leases))
        self.metrics.gauge("webgym_sessions_free", "Sessions that could be opened now.", lambda: self.free)
        self.metrics.gauge("webgym_workers", "Worker processes alive.", lambda: len(self._pool.alive))
        self.metrics.gauge(
            "webgym_event_loop_lag_seconds", "Lateness of the last tick.", lambda: self.freeze.lag_seconds
        )

    async def run(self) -> None:
        """Keep workers running and expire leases until cancelled."""
        async with self._tasks as tasks:
            tasks.start_soon(self._pool.run, self._note_change)
            tasks.start_soon(self.freeze.tick)
            tasks.start_soon(self._reap)

    async def drain(self) -> None:
        """Admit no more sessions, and wait until the last one has ended, at most as long as is configured."""
        self._drained = anyio.Event()
        self._note_change()
        seconds = self.config.drain_seconds
        if seconds and len(self.leases):
            logger.info("about to stop: %d sessions may go on for %g s", len(self.leases), seconds)
            with anyio.move_on_after(seconds):
                await self._drained.wait()

    # -- capacity and admission -----------------------------------------------------------------------------------

    @property
    def workers(self) -> list[WorkerProcess]:
        """The workers that are ready for calls."""
        return self._pool.alive

    @property
    def standing(self) -> str:
        """`READY`, or what the node is still waiting for."""
        if not self._pool.alive:
            return "has no worker that is ready; the log above says why"
        return self.unheard or READY

    @property
    def free(self) -> int:
        """Number of sessions that would be admitted now."""
        if self._refusal() is not None:
            return 0
        room = sum(max(0, self.config.sessions_per_worker - worker.sessions) for worker in self._pool.alive)
        return max(0, min(self.config.max_sessions - len(self.leases), room))

    @property
    def load(self) -> wire.NodeLoad:
        """Current load of this machine."""
        return wire.NodeLoad(
            cpu_per_core=round(os.getloadavg()[0] / (os.cpu_count() or 1), 2),
            free_megabytes=psutil.virtual_memory().available // 2**20,
            workers=len(self._pool.alive),
            event_loop_lag_ms=round(self.freeze.lag_seconds * 1000, 1),
        )

    def _refusal(self) -> str | None:
        """Return why admission is closed regardless of free capacity: its end, too little memory, or too much load."""
        if self._drained is not None:
            return "it is about to stop"
        load = self.load
        if load.free_megabytes < self.config.min_free_megabytes:
            return f"only {load.free_megabytes} MB of memory are free; {self.config.min_free_megabytes} must remain"
        limit = self.config.max_load_per_core
        if limit and load.cpu_per_core > limit:
            return f"the load is {load.cpu_per_core} per core; {limit} is the limit"
        return None

    # -- sessions -------------------------------------------------------------------------------------------------

    async def open(self, request: wire.NodeOpenRequest) -> wire.Lease:
        """Open a session; `CapacityError` if it is not admitted."""
        self.freeze.check()
        started = time.perf_counter()
        lease, worker = self._reserve(request)
        lease.in_flight += 1  # its holder cannot renew it yet
        try:
            payload = wire.encode(request.spec)
            await worker.call("open", request.session, payload, self.config.limits.open_seconds)
            lease.opened = True
        except WorkerDiedError as error:
            raise lost(request.session, LossReason.WORKER_DIED, "the worker died while opening it") from error
        finally:
            lease.in_flight -= 1
            # Who opened it may be gone. Unless this is finished, what was half opened would occupy its slot for good.
            if not lease.opened:
                with anyio.CancelScope(shield=True):
                    await self._close(lease, None)
        self.leases.renew(lease)
        seconds = time.perf_counter() - started
        self.events.emit(SessionOpened(session=lease.session, labels=lease.labels, seconds=seconds))
        return self.lease_record(lease)

    def _reserve(self, request: wire.NodeOpenRequest) -> tuple[HeldLease, WorkerProcess]:
        refusal = self._refusal()
        worker = self._pool.least_busy()
        if refusal or worker is None or len(self.leases) >= self.config.max_sessions:
            raise CapacityError(f"node {self.name}: {refusal or 'all session slots are in use'}")
        # An id serves once, so that a request which arrives twice cannot open two sessions under one name.
        if self.leases.was_here(request.session) or any(held.session == request.session for held in self.leases):
            raise RequestError(f"session {request.session[:8]} exists already")
        lease = self.leases.add(request.session, worker.number, request.ttl_seconds, request.spec.labels)
        worker.sessions += 1
        self._note_change()
        return lease, worker

    async def call(self, verb: str, session: str, fence: int, payload: bytes, seconds: float) -> bytes:
        """Forward a lease holder's call to the session's worker."""
        # Before the lease is looked up: a request may run before the timer that would notice the freeze.
        self.freeze.check()
        lease = self.leases.check(session, fence)
        lease.in_flight += 1
        lease.steps += verb == "step"
        self.leases.renew(lease)
        try:
            return await self._pool.get(lease.worker).call(verb, session, payload, seconds)
        except WorkerDiedError as error:
            raise lost(session, LossReason.WORKER_DIED, "its worker process died") from error
        finally:
            # The holder could not act while it waited, so its time to live counts from the reply.
            lease.in_flight -= 1
            self.leases.renew(lease)

    async def release(self, session: str, fence: int) -> None:
        """Close a session on behalf of its holder. Idempotent."""
        self.freeze.check()
        if self.leases.was_here(session):
            return
        lease = self.leases.check(session, fence)
        with anyio.CancelScope(shield=True):
            await self._close(lease, None)

    def renew(self, request: wire.RenewRequest) -> wire.RenewReply:
        """Renew leases, and report those that are lost."""
        self.freeze.check()
        refused: dict[str, wire.ErrorBody] = {}
        for holding in request.holdings:
            try:
                self.leases.renew(self.leases.check(holding.session, holding.fence))
            except WebGymError as error:
                refused[holding.session] = wire.error_body(error)
        return wire.RenewReply(lost=refused)

    def lease_record(self, lease: HeldLease) -> wire.Lease:
        """Return the lease as sent to its holder."""
        return wire.Lease(session=lease.session, fence=lease.fence, url=self.url, ttl_seconds=lease.ttl_seconds)

    def status(self, lease: HeldLease) -> wire.SessionStatus:
        """Return a session's status, which needs no fencing token."""
        return wire.SessionStatus(
            session=lease.session,
            node=self.name,
            url=self.url,
            labels=lease.labels,
            steps=lease.steps,
            age_seconds=round(self.leases.age(lease), 3),
            expires_in_seconds=round(self.leases.expires_in(lease), 3),
            busy=lease.in_flight > 0,
        )

    def announcement(self, *, leaving: bool = False) -> wire.Announcement:
        """Build the announcement to the gateway."""
        self.freeze.check()
        ended = {name: wire.error_body(why) for name, why in self.leases.lost_lately().items()}
        return wire.Announcement(
            node=self.name,
            epoch=self.epoch,
            url=self.url,
            capacity=self.config.max_sessions,
            free=0 if leaving else self.free,
            sessions={lease.session: lease.fence for lease in self.leases if not lease.closing},
            ended=ended,
            load=self.load,
            leaving=leaving,
        )

    # -- ending sessions ------------------------------------------------------------------------------------------

    async def _close(self, lease: HeldLease, why: SessionLost | None) -> None:
        """End a lease and wait, up to a limit, until its session is fully closed."""
        if not lease.closing:
            self.leases.end(lease, why)
            await self._clear(lease, why)

    def _close_later(self, lease: HeldLease, why: SessionLost) -> None:
        """End a lease now, and close its session in the background."""
        if not lease.closing:
            self.leases.end(lease, why)
            self._tasks.start_soon(self._clear, lease, why)

    async def _clear(self, lease: HeldLease, why: SessionLost | None) -> None:
        try:
            worker = self._pool.get(lease.worker)
            with anyio.move_on_after(_CLOSE_SECONDS, shield=True):
                await worker.call("close", lease.session, b"", _CLOSE_SECONDS)
        except (WorkerDiedError, WebGymError):
            pass  # gone with its worker, closed already, or not closed in time
        finally:
            self._forget(lease, why)

    def _forget(self, lease: HeldLease, why: SessionLost | None) -> None:
        self.leases.forget(lease.session)
        for worker in self._pool.alive:
            if worker.number == lease.worker:
                worker.sessions -= 1
        if lease.opened:
            reason = why.reason.value if why else "released"
            self.events.emit(SessionClosed(session=lease.session, why=reason, steps=lease.steps))
        if self._drained is not None and not len(self.leases):
            self._drained.set()
        self._note_change()

    async def _reap(self) -> None:
        while True:
            await anyio.sleep(_REAP_SECONDS)
            for lease in self.leases.expired():
                detail = f"neither used nor renewed for {lease.ttl_seconds:g} s"
                self._close_later(lease, lost(lease.session, LossReason.EXPIRED, detail))

    def _give_up_leases(self, silent_seconds: float) -> None:
        logger.warning("this node did not run for %.1f s: giving up %d leases", silent_seconds, len(self.leases))
        self.fence_off(f"its node was frozen for {silent_seconds:.1f} s")

    def fence_off(self, detail: str) -> None:
        """Give up all current leases, and continue under a new epoch."""
        # Under the old epoch, the gateway would refuse every announcement to come.
        self.epoch = secrets.token_hex(8)
        for lease in self.leases:
            self._close_later(lease, lost(lease.session, LossReason.NODE_LOST, detail))

    def _on_notice(self, worker: WorkerProcess, frame: Frame) -> None:
        match frame.head.verb:
            case "event":
                self.events.emit(wire.decode_event(frame.payload))
            case "ended":
                why = wire.error_from(wire.decode(wire.ErrorBody, frame.payload))
                for lease in self.leases.of_worker(worker.number):
                    if lease.session == frame.head.session and not lease.closing:
                        self.leases.end(lease, why)
                        self._forget(lease, why if isinstance(why, SessionLost) else None)
            case verb:
                logger.error("unknown notice %s from worker %d", verb, worker.number)

    def _on_worker_died(self, worker: WorkerProcess, why: str) -> None:
        # Leases that are already closing are forgotten by `_clear`, whose call fails with this death as well.
        leases = [lease for lease in self.leases.of_worker(worker.number) if not lease.closing]
        self.events.emit(WorkerDied(worker=worker.number, sessions=len(leases), why=why))
        for lease in leases:
            reason = lost(lease.session, LossReason.WORKER_DIED, "its worker process died")
            self.leases.end(lease, reason)
            self._forget(lease, reason)

    def _note_change(self) -> None:
        self.changed.set()
