"""RPC between a node and one of its workers, multiplexed over a socket pair.

A frame is two lengths, a small MessagePack head and a payload that the node does not decode. The channel closes when
either process dies, so that a worker's death is noticed at once.
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


class FrameHeader(msgspec.Struct, frozen=True, array_like=True):
    """Header of a frame."""

    call: int
    """Id that pairs a call with its reply; 0 for one-way notices."""
    verb: str
    """To the worker: `start`, `open`, `step`, `blob`, `close`, `cancel`. Replies: `ok`, `error`. Notices to the node:
    `ready`, `misconfigured`, `ended`, `event`."""
    session: str = ""
    seconds: float = 0.0
    """Time limit of the call."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One message on the channel."""

    head: FrameHeader
    payload: bytes = b""


class WorkerChannelClosedError(Exception):
    """The channel was closed, usually because the peer process is gone."""


_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(FrameHeader).decode


class Channel:
    """One end of the socket pair."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def over(cls, sock: socket.socket) -> Channel:
        """Create a channel over a connected socket, and take ownership of the socket."""
        reader, writer = await asyncio.open_connection(sock=sock, limit=2**20)
        return cls(reader, writer)

    def send(self, frame: Frame) -> None:
        """Queue a frame without waiting. The queue stays bounded because each session has at most one step in flight.

        Raises:
            BodyTooLarge: The peer would close the channel on such a frame, which would end every session.
        """
        if self._writer.is_closing():
            return  # the peer is gone
        head = _encode(frame.head)
        size = len(head) + len(frame.payload)
        if size > MAX_FRAME_BYTES:
            raise BodyTooLarge(
                f"{frame.head.verb}: a message of {size} bytes is over the limit of {MAX_FRAME_BYTES} bytes"
            )
        self._writer.write(b"".join((_LENGTHS.pack(len(head), len(frame.payload)), head, frame.payload)))

    async def receive(self) -> Frame:
        """Return the next frame; `WorkerChannelClosedError` once the channel is closed."""
        try:
            head_size, payload_size = _LENGTHS.unpack(await self._reader.readexactly(_LENGTHS.size))
            if head_size + payload_size > MAX_FRAME_BYTES:
                raise WorkerChannelClosedError(f"frame of {head_size + payload_size} bytes")
            head = _decode(await self._reader.readexactly(head_size))
            return Frame(head, await self._reader.readexactly(payload_size))
        except (asyncio.IncompleteReadError, ConnectionError, OSError) as error:
            raise WorkerChannelClosedError(str(error)) from error

    def close(self) -> None:
        """Close the channel, which the peer notices."""
        self._writer.close()

    async def finish(self) -> None:
        """Close the channel after flushing what is queued, so that the process may exit."""
        self._writer.close()
        with contextlib.suppress(OSError):  # the peer is gone
            await self._writer.wait_closed()
