"""Messages between an engine's process and its parent: length-prefixed MessagePack."""

from __future__ import annotations

import asyncio
import socket
import struct

import msgspec

from webgym import errors
from webgym.engine.request import SamplingParams
from webgym.engine.settings import EngineSettings, InFlight
from webgym.records.base import Record, Variant
from webgym.records.prompt import Prompt
from webgym.records.sample import PolicyVersion

_LENGTH = struct.Struct("!I")
_MOST_BYTES = 256 * 2**20


class EngineStart(Variant, frozen=True, tag="start"):
    """The first message: what to serve."""

    settings: EngineSettings
    policy: PolicyVersion


class SampleOrder(Variant, frozen=True, tag="ask"):
    """Sample a reply to this prompt."""

    number: int
    prompt: Prompt
    sampling: SamplingParams
    seed: int
    pictures: dict[str, bytes] = {}
    """Images of the prompt that were not sent before, by address."""


class Cancel(Variant, frozen=True):
    """Drop this request."""

    number: int


class Refresh(Variant, frozen=True):
    """Switch to these weights."""

    number: int
    policy: PolicyVersion
    in_flight: InFlight | None = None


class Sleep(Variant, frozen=True):
    """Free weights and KV cache."""

    number: int


class Wake(Variant, frozen=True):
    """Load weights again: these, or the last ones."""

    number: int
    policy: PolicyVersion | None = None


class Tell(Variant, frozen=True):
    """Report the engine's state."""

    number: int


Order = EngineStart | SampleOrder | Cancel | Refresh | Sleep | Wake | Tell


class EngineState(Record, frozen=True):
    """State of an engine."""

    version: int
    digest: str
    """Digest of the files that the weights were read from."""
    waiting: int = 0
    running: int = 0
    asleep: bool = False
    requests: int = 0
    """Requests finished so far."""
    tokens: int = 0
    """Tokens sampled so far."""
    known_tokens: int = 0
    """Prompt tokens served from the prefix cache."""
    model_bytes: int = 0
    """Bytes of weights and KV cache."""
    resident_bytes: int = 0
    """Resident set size of the process."""
    device_bytes: int = 0
    """Bytes reserved on the GPU."""


class SampleReply(Variant, frozen=True, tag="said"):
    """The reply to a prompt. Arrays as in `Tokens`."""

    number: int
    prompt: bytes
    sampled: bytes
    logprobs: bytes
    versions: bytes
    text: str
    finish: str


class Lacking(Variant, frozen=True):
    """Images of this prompt are not cached: it has to be sent again, with all of them."""

    number: int


class OrderReply(Variant, frozen=True, tag="told"):
    """An order other than `SampleOrder` was carried out; number 0 when the engine is ready."""

    number: int
    state: EngineState


class OrderFailure(Variant, frozen=True, tag="failed"):
    """An order failed."""

    number: int
    code: str
    message: str


Answer = SampleReply | Lacking | OrderReply | OrderFailure

_encode = msgspec.msgpack.Encoder().encode
_decode_order = msgspec.msgpack.Decoder(Order).decode
_decode_answer = msgspec.msgpack.Decoder(Answer).decode


class EngineChannelClosedError(Exception):
    """The other end of the channel is closed, or sent something invalid."""


def framed(message: Order | Answer) -> bytes:
    """Encode a message with its length."""
    body = _encode(message)
    return _LENGTH.pack(len(body)) + body


def receive_order(sock: socket.socket) -> Order:
    """Wait for the next order; `EngineChannelClosedError` if there will be none."""
    return _decode_order(_exactly(sock, _size(_exactly(sock, _LENGTH.size))))


async def receive_answer(reader: asyncio.StreamReader) -> Answer:
    """Wait for the next answer; `EngineChannelClosedError` if there will be none."""
    try:
        size = _size(await reader.readexactly(_LENGTH.size))
        return _decode_answer(await reader.readexactly(size))
    except (asyncio.IncompleteReadError, ConnectionError, OSError, msgspec.DecodeError) as error:
        raise EngineChannelClosedError(str(error)) from error


def error_from(failed: OrderFailure) -> errors.WebGymError:
    """Return the error that a failure stands for."""
    return _ERRORS.get(failed.code, errors.PolicyError)(failed.message)


_ERRORS: dict[str, type[errors.WebGymError]] = {
    kind.code: kind
    for kind in (errors.ConfigError, errors.PolicyError, errors.PolicyRejected, errors.PolicyUnavailable)
}


def _size(head: bytes | bytearray) -> int:
    (size,) = _LENGTH.unpack(head)
    if size > _MOST_BYTES:
        raise EngineChannelClosedError(f"a message of {size} bytes")
    return size


def _exactly(sock: socket.socket, size: int) -> bytearray:
    data = bytearray(size)
    view = memoryview(data)
    while view:
        try:
            got = sock.recv_into(view)
        except OSError as error:
            raise EngineChannelClosedError(str(error)) from error
        if not got:
            raise EngineChannelClosedError("hung up")
        view = view[got:]
    return data
