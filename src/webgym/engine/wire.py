"""What an engine's process and the one that started it say to each other: MessagePack behind a length."""

from __future__ import annotations

import asyncio
import socket
import struct

import msgspec

from webgym import errors
from webgym.engine.request import Sampling
from webgym.engine.settings import EngineSettings, InFlight
from webgym.records.base import Record, Variant
from webgym.records.prompt import Prompt
from webgym.records.sample import PolicyVersion

_LENGTH = struct.Struct("!I")
_MOST_BYTES = 256 * 2**20


class Start(Variant, frozen=True):
    """The first message: what to serve."""

    settings: EngineSettings
    policy: PolicyVersion


class Ask(Variant, frozen=True):
    """A reply to this prompt is wanted."""

    number: int
    prompt: Prompt
    sampling: Sampling
    seed: int
    pictures: dict[str, bytes] = {}
    """Those of its pictures that were not sent before, by address."""


class Cancel(Variant, frozen=True):
    """Nobody waits for this reply any more."""

    number: int


class Refresh(Variant, frozen=True):
    """Sample from these weights from now on."""

    number: int
    policy: PolicyVersion
    in_flight: InFlight | None = None


class Sleep(Variant, frozen=True):
    """Give the memory back."""

    number: int


class Wake(Variant, frozen=True):
    """Load weights again: these, or the last ones."""

    number: int
    policy: PolicyVersion | None = None


class Tell(Variant, frozen=True):
    """How do you do?"""

    number: int


Order = Start | Ask | Cancel | Refresh | Sleep | Wake | Tell


class EngineState(Record, frozen=True):
    """How an engine is doing."""

    version: int
    digest: str
    """Of the files its weights were read from."""
    waiting: int = 0
    running: int = 0
    asleep: bool = False
    requests: int = 0
    """Finished so far."""
    tokens: int = 0
    """Sampled so far."""
    known_tokens: int = 0
    """Of prompts, that were not read because another prompt began like them."""
    model_bytes: int = 0
    """Weights, keys and values."""
    resident_bytes: int = 0
    """Of the process."""
    device_bytes: int = 0
    """On the GPU."""


class Said(Variant, frozen=True):
    """The reply to a prompt. Arrays as in `Tokens`."""

    number: int
    prompt: bytes
    sampled: bytes
    logprobs: bytes
    versions: bytes
    text: str
    finish: str


class Lacking(Variant, frozen=True):
    """Pictures of this prompt are no longer there: it has to be asked again, with all of them."""

    number: int


class Told(Variant, frozen=True):
    """An order other than `Ask` was carried out; number 0 when the engine is ready."""

    number: int
    state: EngineState


class Failed(Variant, frozen=True):
    """It was not."""

    number: int
    code: str
    message: str


Answer = Said | Lacking | Told | Failed

_encode = msgspec.msgpack.Encoder().encode
_decode_order = msgspec.msgpack.Decoder(Order).decode
_decode_answer = msgspec.msgpack.Decoder(Answer).decode


class ChannelClosedError(Exception):
    """The process at the other end is gone."""


def framed(message: Order | Answer) -> bytes:
    """A message as it travels."""
    body = _encode(message)
    return _LENGTH.pack(len(body)) + body


def receive_order(sock: socket.socket) -> Order:
    """The next order; blocks. `ChannelClosedError` when there will be none."""
    return _decode_order(_exactly(sock, _size(_exactly(sock, _LENGTH.size))))


async def receive_answer(reader: asyncio.StreamReader) -> Answer:
    """The next answer; `ChannelClosedError` when there will be none."""
    try:
        size = _size(await reader.readexactly(_LENGTH.size))
        return _decode_answer(await reader.readexactly(size))
    except (asyncio.IncompleteReadError, ConnectionError, OSError, msgspec.DecodeError) as error:
        raise ChannelClosedError(str(error)) from error


def error_from(failed: Failed) -> errors.WebGymError:
    """The error that a failure stands for."""
    return _ERRORS.get(failed.code, errors.PolicyError)(failed.message)


_ERRORS: dict[str, type[errors.WebGymError]] = {
    kind.code: kind
    for kind in (errors.ConfigError, errors.PolicyError, errors.PolicyRejected, errors.PolicyUnavailable)
}


def _size(head: bytes | bytearray) -> int:
    (size,) = _LENGTH.unpack(head)
    if size > _MOST_BYTES:
        raise ChannelClosedError(f"a message of {size} bytes")
    return size


def _exactly(sock: socket.socket, size: int) -> bytearray:
    data = bytearray(size)
    view = memoryview(data)
    while view:
        try:
            got = sock.recv_into(view)
        except OSError as error:
            raise ChannelClosedError(str(error)) from error
        if not got:
            raise ChannelClosedError("hung up")
        view = view[got:]
    return data
