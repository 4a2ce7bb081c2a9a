"""Transport operations for both ends of a relay, safe in any state of the transport."""

from __future__ import annotations

import asyncio
import socket
import struct
from contextlib import suppress

_NO_LINGER = struct.pack("ii", 1, 0)


def set_reading(transport: asyncio.Transport, *, reading: bool) -> None:
    """Resume or pause reading, which applies back-pressure to the peer."""
    if not transport.is_closing() and transport.is_reading() != reading:
        (transport.resume_reading if reading else transport.pause_reading)()


def end_writing(transport: asyncio.Transport) -> None:
    """Send EOF after the buffered data has been written."""
    if not transport.is_closing():
        with suppress(OSError):  # the peer is gone, but the event loop has not noticed yet
            transport.write_eof()


def reset(transport: asyncio.Transport) -> None:
    """Reset the connection, so that the peer cannot mistake a truncated response for a complete one."""
    if not transport.is_closing():
        connection: socket.socket = transport.get_extra_info("socket")
        with suppress(OSError):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
        transport.abort()
