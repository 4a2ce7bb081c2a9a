"""The upstream side of a relay: the connection to the server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Protocol, cast

import anyio

from webgym.browser.server.proxy.limits import ProxyLimits
from webgym.browser.server.proxy.traffic_log import TrafficLog
from webgym.browser.server.proxy.transports import end_writing, set_reading

_STATUS = slice(9, 12)
_REPLY_LIMIT = 16 * 2**10


class Downstream(Protocol):
    """The browser's end of the relay, as seen by its upstream."""

    def relay(self, data: bytes) -> None: ...

    def upstream_ready(self, *, ready: bool) -> None:
        """Signal whether the upstream accepts more data (back-pressure)."""
        ...

    def upstream_eof(self) -> bool:
        """Handle EOF from the upstream; return whether to keep the connection half-open."""
        ...

    def upstream_lost(self, error: Exception | None) -> None: ...


class UpstreamConnection(asyncio.Protocol):
    """Relays what the server sends, unparsed. Only the status code of a response can be inspected in passing."""

    def __init__(self, traffic: TrafficLog, limits: ProxyLimits) -> None:
        self._traffic = traffic
        self._limits = limits
        self._downstream: Downstream | None = None
        self._receive: Callable[[bytes], None] = self._keep
        self._kept = b""
        self._on_status: Callable[[bytes], bool] | None = None
        self._replied = anyio.Event()
        self._lost = False
        self._now = asyncio.get_running_loop().time
        self._moved = self._now()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=self._limits.buffer_bytes)
        self._traffic.add(self)

    def data_received(self, data: bytes) -> None:
        self._traffic.bytes_in += len(data)
        self._moved = self._now()
        self._receive(data)

    def eof_received(self) -> bool:
        return self._downstream is not None and self._downstream.upstream_eof()

    def connection_lost(self, exc: Exception | None) -> None:
        self._traffic.remove(self)
        self._lost = True
        self._replied.set()
        if self._downstream is not None:
            downstream, self._downstream = self._downstream, None
            downstream.upstream_lost(exc)

    def pause_writing(self) -> None:
        if self._downstream is not None:
            self._downstream.upstream_ready(ready=False)

    def resume_writing(self) -> None:
        if self._downstream is not None:
            self._downstream.upstream_ready(ready=True)

    def attach(self, downstream: Downstream) -> None:
        """Start relaying to this downstream, beginning with what was buffered."""
        self._downstream = downstream
        self._receive = self._relay
        kept, self._kept = self._kept, b""
        if kept:
            self._relay(kept)

    def detach(self) -> None:
        """Stop relaying: discard further input, flush pending writes and close."""
        self._downstream = None
        self._receive = self._ignore
        self._transport.close()

    def look_at_status(self, on_status: Callable[[bytes], bool]) -> None:
        """Pass the status code of the next response to `on_status` before relaying it; False drops the response."""
        self._on_status = on_status
        self._receive = self._show_status

    async def ask(self, request: bytes) -> bytes:
        """Send a request head before a downstream is attached, and return the response's status code; empty if none."""
        self._receive = self._await_reply
        self.write(request)
        try:
            await self._replied.wait()
        finally:
            if not self._replied.is_set():
                self.abort()
        head, found, rest = self._kept.partition(b"\r\n\r\n")
        self._kept = rest
        return head[_STATUS] if found else b""

    @property
    def alive(self) -> bool:
        return not (self._lost or self._transport.is_closing())

    def write(self, data: bytes) -> None:
        self._traffic.bytes_out += len(data)
        self._moved = self._now()
        self._transport.write(data)

    def write_eof(self) -> None:
        end_writing(self._transport)

    def read(self, *, reading: bool) -> None:
        """Resume or pause reading from the server (back-pressure)."""
        set_reading(self._transport, reading=reading)

    def sweep(self, now: float) -> None:
        # Once attached, the browser's end enforces the timeouts.
        if self._downstream is None and now - self._moved > self._limits.connect_seconds:
            self.abort()

    def abort(self) -> None:
        self._transport.abort()

    def _relay(self, data: bytes) -> None:
        if self._downstream is not None:
            self._downstream.relay(data)

    def _keep(self, data: bytes) -> None:
        self._kept += data
        self.read(reading=False)

    def _ignore(self, data: bytes) -> None:
        pass

    def _await_reply(self, data: bytes) -> None:
        self._kept += data
        if b"\r\n\r\n" in self._kept or len(self._kept) > _REPLY_LIMIT:
            self._receive = self._keep
            self.read(reading=False)
            self._replied.set()

    def _show_status(self, data: bytes) -> None:
        self._kept += data
        if len(self._kept) < _STATUS.stop:
            return
        kept, self._kept = self._kept, b""
        self._receive = self._relay
        if self._on_status is None or self._on_status(kept[_STATUS]):
            self._relay(kept)
