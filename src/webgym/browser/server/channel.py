"""Calls between a node and one of its workers, multiplexed over a socket pair.

A frame is two lengths, a small MessagePack head and a payload that the node does not decode. The channel ends when
either process does: that is how a worker's death is noticed at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
from dataclasses import dataclass

import msgspec

from webgym.errors import BodyTooLarge

_LENGTHS = struct.Struct("!II")
MAX_FRAME_BYTES = 256 * 2**20


class Head(msgspec.Struct, frozen=True, array_like=True):
    """What a frame is about."""

    call: int
    """Number of the call this asks or answers; 0 for notices that nobody waits for."""
    verb: str
    """`open`, `step`, `blob`, `close`, `cancel` · `ok`, `error` · `ready`, `misconfigured`, `ended`, `event`."""
    session: str = ""
    seconds: float = 0.0
    """Deadline of the call."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One message."""

    head: Head
    payload: bytes = b""


class ChannelClosedError(Exception):
    """The process at the other end is gone."""


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(Head).decode


class Channel:
    """One end of the socket pair."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def over(cls, sock: socket.socket) -> Channel:
        """A channel over a connected socket, which it owns from now on."""
        reader, writer = await asyncio.open_connection(sock=sock, limit=2**20)
        return cls(reader, writer)

    def send(self, frame: Frame) -> None:
        """Queue a frame. What is queued is bounded by the number of sessions: each has one call under way at most.

        Raises:
            BodyTooLarge: The other side would hang up on such a frame, and every session would end with the channel.
        """
        if self._writer.is_closing():
            return  # nobody is left to hear it
        head = _encode(frame.head)
        size = len(head) + len(frame.payload)
        if size > MAX_FRAME_BYTES:
            raise BodyTooLarge(f"{frame.head.verb}: {size} bytes at once; at most {MAX_FRAME_BYTES} go through")
        self._writer.write(b"".join((_LENGTHS.pack(len(head), len(frame.payload)), head, frame.payload)))

    async def receive(self) -> Frame:
        """The next frame; `ChannelClosedError` when there will be none."""
        try:
            head_size, payload_size = _LENGTHS.unpack(await self._reader.readexactly(_LENGTHS.size))
            if head_size + payload_size > MAX_FRAME_BYTES:
                raise ChannelClosedError(f"frame of {head_size + payload_size} bytes")
            head = _decode(await self._reader.readexactly(head_size))
            return Frame(head, await self._reader.readexactly(payload_size))
        except (asyncio.IncompleteReadError, ConnectionError, OSError) as error:
            raise ChannelClosedError(str(error)) from error

    def close(self) -> None:
        """End the channel; the other side notices."""
        self._writer.close()

    async def finish(self) -> None:
        """End the channel when all that is queued has gone through: the process may end with it."""
        self._writer.close()
        with contextlib.suppress(OSError):  # nobody is left to hear it
            await self._writer.wait_closed()
