"""A session on a remote fleet.

Steps go straight to the session's node, or through the gateway where the node cannot be reached. A step whose response
is lost is never retried: it may have been executed.
"""

from __future__ import annotations

import anyio

from webgym.browser import wire
from webgym.browser.client.transport import Transport, UnreachableError
from webgym.errors import LossReason, SessionError, SessionLost, SessionUnknown, TransportError, WebGymError
from webgym.records.action import Action
from webgym.records.observation import Capture
from webgym.records.session import NOTHING, Look

_SLACK_SECONDS = 5.0
_ASK_SECONDS = 2.0
_RELEASE_SECONDS = 12.0
_PATIENCE_SECONDS = 2.0
"""While a step takes longer than this, the gateway is polled about whether the session still exists."""


class RemoteSession:
    """Implements the `Session` protocol over the network."""

    def __init__(self, transport: Transport, gateway: str, lease: wire.Lease, deadline_seconds: float) -> None:
        self._transport = transport
        self._gateway = gateway
        self._lease = lease
        self._deadline = deadline_seconds
        self._base = lease.url
        self._lost: SessionError | None = None
        self._cut = False
        """Whether the session is unusable for this client but still open on its node, so that it must be released."""

    @property
    def name(self) -> str:
        """The session id. Anyone who knows it and the client token can use the session."""
        return self._lease.session

    @property
    def holding(self) -> wire.LeaseKey:
        """The lease, as identified in renewals."""
        return wire.LeaseKey(self._lease.session, self._lease.fence)

    @property
    def base(self) -> str:
        """Base URL of its requests: the node's, or the gateway's."""
        return self._base

    @property
    def ways(self) -> tuple[str, ...]:
        """Base URLs at which its lease can be renewed, preferred first."""
        return (self._gateway,) if self._base == self._gateway else (self._base, self._gateway)

    async def step(self, action: Action | None, look: Look = Look()) -> Capture:
        """Act, let the page settle and observe, in one round trip."""
        body = wire.encode(wire.StepRequest(action, look))
        return wire.decode(Capture, await self._request("POST", "/step", body, self._deadline))

    async def observe(self, look: Look = Look()) -> Capture:
        """Observe without acting."""
        return await self.step(None, look)

    async def act(self, action: Action) -> Capture:
        """Act without settling or capturing; the observation has no screenshot."""
        return await self.step(action, NOTHING)

    async def blob(self, address: str) -> bytes:
        """Return the bytes of a recent screenshot or a download."""
        return await self._request("GET", f"/blobs/{address}", b"", self._deadline)

    async def release(self) -> None:
        """Close the session. Never raises: a lease that cannot be released expires."""
        if self._lost is not None and not self._cut:
            return
        with anyio.move_on_after(_RELEASE_SECONDS, shield=True):
            try:
                await self._route("DELETE", "", b"", _RELEASE_SECONDS)
            except WebGymError as error:
                self.lose(SessionUnknown(f"released without an answer: {error}"))
        self.lose(SessionUnknown(f"session {self.name[:8]} was released"))

    def lose(self, why: SessionError) -> None:
        """Mark the session as lost: further requests raise this error without being sent."""
        self._lost = self._lost or why

    async def _request(self, method: str, path: str, body: bytes, seconds: float) -> bytes:
        if self._lost is not None:
            raise self._lost
        try:
            return await self._watched(method, path, body, seconds)
        except (SessionLost, SessionUnknown) as error:
            self.lose(error)
            raise
        except TransportError as error:
            raise await self._after_broken_connection(error) from error
        except WebGymError:
            raise
        except BaseException:
            self._cut = True
            self.lose(SessionLost("a step was cancelled", reason=LossReason.POISONED))
            raise

    async def _watched(self, method: str, path: str, body: bytes, seconds: float) -> bytes:
        """Send a request, but give up when the gateway reports the session gone: a frozen node never responds."""
        answers: list[bytes] = []
        failure: WebGymError | None = None
        async with anyio.create_task_group() as tasks:

            async def watch() -> None:
                nonlocal failure
                failure = await self._wait_lost()
                tasks.cancel_scope.cancel()

            tasks.start_soon(watch)
            try:
                answers.append(await self._route(method, path, body, seconds))
            except WebGymError as error:
                failure = error
            tasks.cancel_scope.cancel()
        if answers:
            return answers[0]
        raise failure or SessionUnknown(f"session {self.name[:8]} is gone")

    async def _wait_lost(self) -> SessionError:
        while True:
            await anyio.sleep(_PATIENCE_SECONDS)
            try:
                await self._transport.send("GET", self._url(self._gateway, ""), seconds=_ASK_SECONDS)
            except (SessionLost, SessionUnknown) as error:
                return error
            except WebGymError:
                continue  # a gateway restart does not affect the session

    async def _route(self, method: str, path: str, body: bytes, seconds: float) -> bytes:
        headers = {wire.FENCE: str(self._lease.fence), wire.DEADLINE: f"{seconds:g}"}
        total = 2 * seconds + _SLACK_SECONDS  # queueing for admission, then the step itself
        try:
            return await self._transport.send(method, self._url(self._base, path), body, seconds=total, headers=headers)
        except UnreachableError:
            if self._base == self._gateway:
                raise
        self._base = self._gateway  # nothing was sent, so it is safe to retry through the gateway
        return await self._transport.send(method, self._url(self._base, path), body, seconds=total, headers=headers)

    async def _after_broken_connection(self, error: TransportError) -> WebGymError:
        """Classify a connection that broke mid-request: node lost, session ended, or the step cut off."""
        if isinstance(error, UnreachableError):
            lost = SessionLost(f"neither node nor gateway answers: {error}", reason=LossReason.NODE_LOST)
        else:
            try:
                await self._transport.send("GET", self._url(self._base, ""), seconds=_ASK_SECONDS)
                self._cut = True
                lost = SessionLost(f"a step was cut off: {error}", reason=LossReason.POISONED)
            except SessionLost as answer:
                lost = answer
            except WebGymError:
                lost = SessionLost(f"its node is gone: {error}", reason=LossReason.NODE_LOST)
        self.lose(lost)
        return lost

    def _url(self, base: str, path: str) -> str:
        return f"{base}/v1/sessions/{self.name}{path}"
