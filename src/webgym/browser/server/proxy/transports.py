"""What both ends of a relay do to their transports, at any moment of a transport's life."""

from __future__ import annotations

import asyncio
import socket
import struct
from contextlib import suppress

_NO_LINGER = struct.pack("ii", 1, 0)


def set_reading(transport: asyncio.Transport, *, reading: bool) -> None:
    """Let the peer go on, or wait."""
    if not transport.is_closing() and transport.is_reading() != reading:
        (transport.resume_reading if reading else transport.pause_reading)()


def end_writing(transport: asyncio.Transport) -> None:
    """Tell the peer that nothing more will come, once what was written is sent."""
    if not transport.is_closing():
        with suppress(OSError):  # the peer is gone, which the event loop has yet to find out
            transport.write_eof()


def reset(transport: asyncio.Transport) -> None:
    """Close at once, so that the peer cannot take what it has for all there is."""
    if not transport.is_closing():
        connection: socket.socket = transport.get_extra_info("socket")
        with suppress(OSError):
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _NO_LINGER)
        transport.abort()
