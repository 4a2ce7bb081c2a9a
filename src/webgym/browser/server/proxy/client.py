"""The browser's side of a proxied connection: parses request heads, and relays everything else.

Received data goes to the current `_receive_*` method, which consumes what it understands and returns the rest. Browsers
do not pipeline: when a request arrives, the response to the previous one is complete. That is why responses need not be
parsed, and why a request for another host can switch to a new upstream connection.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import cast

from anyio.abc import TaskGroup

from webgym.browser.server.proxy.body import Body, body_of
from webgym.browser.server.proxy.dial import Dialer, Route
from webgym.browser.server.proxy.heads import END, RequestHead, looks_malformed, parse_head
from webgym.browser.server.proxy.hosts import parse_destination
from webgym.browser.server.proxy.limits import ProxyLimits
from webgym.browser.server.proxy.replies import FailureKind, ProxyFailure
from webgym.browser.server.proxy.traffic_log import TrafficLog
from webgym.browser.server.proxy.transports import end_writing, reset, set_reading
from webgym.errors import RequestError

_ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"
_TLS_HANDSHAKE = 0x16


class BrowserConnection(asyncio.Protocol):
    """The browser's end of a relayed connection."""

    def __init__(self, dialer: Dialer, traffic: TrafficLog, limits: ProxyLimits, tasks: TaskGroup) -> None:
        self._dialer = dialer
        self._traffic = traffic
        self._limits = limits
        self._tasks = tasks
        self._receive: Callable[[bytes], bytes] = self._receive_head
        self._kept = b""
        """An incomplete head, or data received while holding."""
        self._body: Body = body_of(0)
        self._route: Route | None = None
        self._authority = b""
        """Authority of the route, as spelt by the browser."""
        self._requests = 0
        """Requests sent on this route."""
        self._answered = True
        """Whether any data has come back since the latest request."""
        self._inside = False
        """In a CONNECT tunnel to a hermetic host, whose requests are parsed."""
        self._raw = False
        """In an opaque tunnel, whose bytes are relayed unparsed."""
        self._holding = False
        self._ready = True
        """Whether the browser accepts more data (back-pressure)."""
        self._upstream_ready = True
        self._upstream_done = False
        self._done = False
        """The browser has sent EOF, or its input is being discarded."""
        self._now = asyncio.get_running_loop().time
        self._moved = self._now()

    # Called by the event loop.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=self._limits.buffer_bytes)
        self._traffic.add(self)
        if len(self._traffic.connections) > self._limits.connections:
            self._answer(ProxyFailure(FailureKind.BUSY, "too many connections"))

    def data_received(self, data: bytes) -> None:
        self._moved = self._now()
        while data:
            data = self._receive(data)

    def eof_received(self) -> bool:
        """Forward the EOF upstream, and keep the connection half-open until the upstream is done too."""
        if self._route is None or self._done or self._upstream_done:
            return False
        self._done = True
        self._route.connection.write_eof()
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        self._traffic.remove(self)
        self._drop_route(abort=exc is not None)

    def pause_writing(self) -> None:
        self._ready = False
        if self._route is not None:
            self._route.connection.read(reading=False)

    def resume_writing(self) -> None:
        self._ready = True
        if self._route is not None:
            self._route.connection.read(reading=True)

    # Called by the upstream connection.

    def relay(self, data: bytes) -> None:
        self._answered = True
        self._moved = self._now()
        self._transport.write(data)

    def upstream_ready(self, *, ready: bool) -> None:
        self._upstream_ready = ready
        self._set_reading()

    def upstream_eof(self) -> bool:
        if not self._raw or self._done or self._transport.is_closing():
            return False
        self._upstream_done = True
        end_writing(self._transport)
        return True

    def upstream_lost(self, error: Exception | None) -> None:
        first = self._requests == 1 and not self._answered
        self._route = None
        if first and not self._raw:
            self._answer(ProxyFailure(FailureKind.CONNECT, "the server hung up without an answer"))
        elif error is None:
            self._transport.close()
        else:
            reset(self._transport)

    # Called by the proxy.

    def sweep(self, now: float) -> None:
        limits = self._limits
        if self._done or self._upstream_done:
            limit = limits.linger_seconds
        elif self._kept and not self._holding:
            limit = limits.head_seconds
        else:
            limit = limits.idle_seconds
        if now - self._moved > limit:
            self.abort()

    def abort(self) -> None:
        self._transport.abort()

    # Requests.

    def _receive_head(self, data: bytes) -> bytes:
        if self._kept:
            data, self._kept = self._kept + data, b""
        end = data.find(END)
        if (end if end >= 0 else len(data)) > self._limits.head_bytes:
            return self._answer(
                ProxyFailure(FailureKind.TOO_LARGE, f"the request head is over {self._limits.head_bytes} bytes")
            )
        if end < 0:
            if looks_malformed(data):
                return self._answer(ProxyFailure(FailureKind.MALFORMED, "not a request"))
            self._kept = data
            return b""
        end += len(END)
        try:
            head = parse_head(data[:end], tunnelled=self._inside)
        except RequestError as error:
            return self._answer(ProxyFailure(FailureKind.MALFORMED, str(error)))
        self._take(head)
        return data[end:]

    def _receive_body(self, data: bytes) -> bytes:
        route = self._route
        if route is None:
            return b""
        try:
            taken = self._body.consume(data)
        except RequestError as error:
            return self._answer(ProxyFailure(FailureKind.MALFORMED, str(error)))
        route.connection.write(data if taken == len(data) else data[:taken])
        if self._body.done:
            self._receive = self._receive_head
        return data[taken:]

    def _receive_tunnelled(self, data: bytes) -> bytes:
        if self._route is not None:
            self._route.connection.write(data)
        return b""

    def _receive_first_tunnelled(self, data: bytes) -> bytes:
        """Reject TLS: requests to hermetic hosts must be readable, because the state key is added to them."""
        if self._route is not None and data[0] == _TLS_HANDSHAKE:
            failure = ProxyFailure(
                FailureKind.REFUSED, f"{self._route.destination}: hermetic sites are served over plain http only"
            )
            self._traffic.failed(self._route.destination, failure)
            reset(self._transport)
            return b""
        self._inside = True
        self._receive = self._receive_head
        return data

    def _receive_held(self, data: bytes) -> bytes:
        self._kept += data
        return b""

    def _receive_nothing(self, _: bytes) -> bytes:
        return b""

    def _take(self, head: RequestHead) -> None:
        self._traffic.requests += 1
        route = self._route
        if route is None:
            self._hold()
            self._tasks.start_soon(self._open, head)
        elif self._inside or (head.authority == self._authority and not head.is_connect):
            self._send(head, route)
        elif self._answered:
            self._drop_route()
            self._hold()
            self._tasks.start_soon(self._open, head)
        else:
            self._answer(ProxyFailure(FailureKind.MALFORMED, "requests to different hosts cannot be pipelined"))

    async def _open(self, head: RequestHead) -> None:
        try:
            destination = parse_destination(head.authority.decode(), None if head.is_connect else 80)
        except (RequestError, UnicodeDecodeError) as error:
            self._answer(ProxyFailure(FailureKind.MALFORMED, str(error)))
            return
        result = await self._dialer.dial(destination, tunnel=head.is_connect)
        match result:
            case ProxyFailure():
                self._traffic.failed(destination, result)
                self._answer(result)
            case Route() if self._transport.is_closing():
                result.connection.abort()
            case Route():
                self._traffic.passed(destination)
                self._start(head, result)

    def _start(self, head: RequestHead, route: Route) -> None:
        if not route.connection.alive:
            self._answer(ProxyFailure(FailureKind.CONNECT, f"{route.destination} hung up"))
            return
        self._route = route
        self._authority = head.authority
        self._requests = 0
        if head.is_connect:
            self._transport.write(_ESTABLISHED)
            self._raw = not route.hermetic
            self._receive = self._receive_tunnelled if self._raw else self._receive_first_tunnelled
        route.connection.attach(self)
        route.connection.read(reading=self._ready)
        if not head.is_connect:
            self._send(head, route)
        self._resume()

    def _send(self, head: RequestHead, route: Route) -> None:
        self._requests += 1
        self._answered = False
        if head.upgrade or route.through_proxy:
            route.connection.look_at_status(self._see_status)
        route.connection.write(head.render(route.host, target=route.prefix + head.path, extra=route.extra))
        if head.upgrade:
            self._hold()
        elif head.length == 0:
            self._receive = self._receive_head
        else:
            self._body = body_of(head.length)
            self._receive = self._receive_body

    def _see_status(self, status: bytes) -> bool:
        """Act on a response's status code; return False to suppress the response."""
        if status == b"407":
            self._answer(ProxyFailure(FailureKind.UPSTREAM, "the upstream proxy refused the credentials"))
            return False
        if self._receive == self._receive_held:
            self._raw = status == b"101"
            self._receive = self._receive_tunnelled if self._raw else self._receive_head
            self._resume()
        return True

    # Flow control.

    def _hold(self) -> None:
        """Stop reading from the browser until it is known how to handle what follows."""
        self._holding = True
        self._receive = self._receive_held
        self._set_reading()

    def _resume(self) -> None:
        if self._receive == self._receive_held:
            return
        self._holding = False
        kept, self._kept = self._kept, b""
        self._set_reading()
        if kept:
            self.data_received(kept)

    def _set_reading(self) -> None:
        set_reading(self._transport, reading=self._upstream_ready and not self._holding)

    def _answer(self, failure: ProxyFailure) -> bytes:
        """Send an error response in the server's place and discard further input. Returns the empty remainder."""
        unfinished = self._receive == self._receive_body and self._answered
        finished = self._done
        self._drop_route()
        self._done = True
        self._holding = False
        self._upstream_ready = True
        self._kept = b""
        self._receive = self._receive_nothing
        if self._transport.is_closing():
            return b""
        if unfinished:  # the server's own response has already begun
            reset(self._transport)
            return b""
        self._transport.write(failure.render())
        if finished:
            self._transport.close()
            return b""
        end_writing(self._transport)
        self._set_reading()  # discard what the browser still sends: closing at once could lose the response
        return b""

    def _drop_route(self, *, abort: bool = False) -> None:
        route, self._route = self._route, None
        if route is None:
            return
        self._upstream_ready = True
        if abort:
            route.connection.abort()
        route.connection.detach()
