"""HTTP connections on which no wait is endless: for a head, for a body, for a peer that reads its response.

uvicorn has a limit only for idle connections. As slow peers are legitimate, a body and a response need to move, not to
be done by a certain time.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Literal, cast

from uvicorn import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from webgym.serving.strangers import Strangers, extension


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """What the peer of a connection may keep the server waiting for."""

    head_seconds: float = 15.0
    """From the first byte of a request, or from the beginning of the connection, to the end of its head."""
    head_bytes: int = 2**16
    stall_seconds: float = 20.0
    """How long a body may be slower than `bytes_per_second`."""
    bytes_per_second: float = 500.0
    unread_seconds: float = 60.0
    """How long nothing of a response may be read. No rate: the system tells of what was read in large pieces."""
    unread_bytes: int = 2**26
    """Rest of a body that is read and dropped, to keep the connection, when its response did not wait for it."""
    handshake_seconds: float = 10.0
    """Limit of a TLS handshake."""
    strangers: int = 1024
    """Connections without a token, at most; fewer if there are few descriptors."""
    strangers_of_one: float = 0.5
    """Share of these that one address may have."""

    def strangers_with(self, descriptors: int) -> Strangers:
        """Return the bound for a process that may have so many descriptors: most of them are for those with a token."""
        most = max(8, min(self.strangers, descriptors // 8))
        return Strangers(most, max(4, int(most * self.strangers_of_one)))


class HttpConnection(HttpToolsProtocol):
    """uvicorn's protocol, with these limits. `expire` must be called regularly."""

    def __init__(self, config: Config, state: ServerState, limits: ConnectionLimits, strangers: Strangers) -> None:
        super().__init__(config, state, {})
        self._limits = limits
        self._strangers = strangers
        self._awaits: Literal["head", "body"] | None = "head"
        self._since = 0.0
        self._received = 0
        """Bytes of what it awaits."""
        self._unsent: tuple[float, int] | None = None
        """When the peer was last known to read, and the bytes left to send then."""

    @property
    def busy(self) -> bool:
        """Whether the application is at work on a whole request."""
        cycle = self._request
        return self._awaits is None and cycle is not None and not cycle.response_complete

    @property
    def _request(self) -> RequestResponseCycle | None:
        """The request that was received last; uvicorn declares that there always is one."""
        return cast("RequestResponseCycle | None", self.cycle)

    def evict(self) -> None:
        """Close the connection at once."""
        self.transport.abort()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await("head")
        self._strangers.add(self, self.client[0] if self.client else "")

    def connection_lost(self, exc: Exception | None) -> None:
        self._strangers.discard(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        awaited = self._awaits
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self._awaits is None and not self.busy and self.timeout_keep_alive_task is None:
            self._await("head")  # stray bytes between requests: they have stopped uvicorn's own limit
        if self._awaits == awaited == "head":
            self._received += len(data)
            if self._received > self._limits.head_bytes:
                self._refuse(b"431 Request Header Fields Too Large")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope["extensions"] = extension(self._admit)  # type: ignore[typeddict-item]
        if self._awaits != "head":
            self._await("head")

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._await("body")

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self._received += len(body)
        if self.cycle.response_complete and self._received > self._limits.unread_bytes:
            self.transport.abort()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._awaits = None

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unsent = (self.loop.time(), self.transport.get_write_buffer_size())

    def resume_writing(self) -> None:
        super().resume_writing()
        self._unsent = None

    def expire(self, now: float) -> None:
        """End the connection if its peer has kept it waiting for too long."""
        if self._is_unread(now):
            self.transport.abort()
        elif self.transport.is_closing():
            # What is left to send is below the level that pauses writing, and may never be read either.
            self._unsent = self._unsent or (now, self.transport.get_write_buffer_size())
        elif self._is_late(now):
            self._refuse(b"408 Request Timeout")

    def _is_late(self, now: float) -> bool:
        match self._awaits:
            case "head":
                return now - self._since > self._limits.head_seconds
            case "body":
                if self.flow.read_paused:  # it is the application that does not read
                    self._await("body")
                allowed = self._limits.stall_seconds + self._received / self._limits.bytes_per_second
                return now - self._since > allowed
            case None:
                return False

    def _is_unread(self, now: float) -> bool:
        if self._unsent is None:
            return False
        left, (since, before) = self.transport.get_write_buffer_size(), self._unsent
        if left < before:
            self._unsent = (now, left)
            return False
        return now - since > self._limits.unread_seconds

    def _await(self, what: Literal["head", "body"]) -> None:
        self._awaits, self._since, self._received = what, self.loop.time(), 0

    def _refuse(self, status: bytes) -> None:
        cycle = self._request
        if cycle is None or cycle.response_complete or not cycle.response_started:
            self.transport.write(b"HTTP/1.1 " + status + b"\r\nconnection: close\r\ncontent-length: 0\r\n\r\n")
        self.transport.close()

    def _admit(self) -> None:
        self._strangers.discard(self)
