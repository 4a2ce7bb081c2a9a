"""What client, gateway, node and worker say to each other: all they share.

Bodies are MessagePack, or JSON for clients that ask for it (`Content-Type`, `Accept`). A JSON reply leaves the blobs
out: they are fetched by their address. Session routes are the same on gateway and node, so that a request can go
straight to the node or be relayed undecoded.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any, TypeVar, cast

import msgspec

from webgym import errors
from webgym.records.action import Action
from webgym.records.base import Record
from webgym.records.event import Event
from webgym.records.session import Look, SessionSpec

MSGPACK = "application/msgpack"
JSON = "application/json"

AUTHORIZATION = "Authorization"
FENCE = "X-WebGym-Fence"
DEADLINE = "X-WebGym-Deadline"
"""Seconds that one step may take once it has its turn."""

DEFAULT_DEADLINE_SECONDS = 30.0


class OpenRequest(Record, frozen=True):
    """Asks for a session."""

    spec: SessionSpec = SessionSpec()
    ttl_seconds: float | None = None
    """How long the lease lasts without being used or renewed; None: the server's default."""
    wait_seconds: float = 30.0
    """How long to stand in the queue if there is no room."""


class Lease(Record, frozen=True):
    """The right to use a session, for a while."""

    session: str
    """An id nobody can guess."""
    fence: int
    """Sent with every request; a higher one given to somebody else makes this one stale."""
    url: str
    """Where the session's node is reached."""
    ttl_seconds: float


class StepRequest(Record, frozen=True):
    """Act, let the page come to rest, observe: one round trip."""

    action: Action | None = None
    look: Look = Look()


class Holding(Record, frozen=True):
    """A lease as its holder names it."""

    session: str
    fence: int


class RenewRequest(Record, frozen=True):
    """Keeps leases alive."""

    holdings: tuple[Holding, ...]


class ErrorBody(Record, frozen=True):
    """An error on the wire."""

    code: str
    message: str
    reason: str = ""
    """Why a session was lost."""
    retry_after: float = 0.0


class RenewReply(Record, frozen=True):
    """Which leases could not be renewed, and why."""

    lost: dict[str, ErrorBody] = {}


class SessionStatus(Record, frozen=True):
    """What is known of a session."""

    session: str
    node: str
    url: str
    labels: dict[str, str] = {}
    steps: int = 0
    age_seconds: float = 0.0
    expires_in_seconds: float = 0.0
    busy: bool = False


class NodeLoad(Record, frozen=True):
    """How busy a node is."""

    cpu_per_core: float = 0.0
    """One-minute load average per core."""
    free_megabytes: int = 0
    workers: int = 0
    event_loop_lag_ms: float = 0.0


class Announcement(Record, frozen=True):
    """A node tells the gateway that it is there and what it holds."""

    node: str
    epoch: str
    """New whenever the node has given up its leases."""
    url: str
    capacity: int
    free: int
    """Sessions it would open now."""
    sessions: dict[str, int] = {}
    """Every session it holds → its fence."""
    ended: dict[str, ErrorBody] = {}
    """Sessions that ended lately, and why."""
    load: NodeLoad = NodeLoad()
    leaving: bool = False


class AnnounceReply(Record, frozen=True):
    """The gateway's answer to an announcement."""

    fenced: bool = False
    """The gateway has declared this epoch gone: give up all leases and come back with a new one."""
    client_token_digest: str = ""
    """SHA-256 of the token that clients use, so that the node can check it."""


class NodeOpenRequest(Record, frozen=True):
    """The gateway asks a node for a session."""

    session: str
    spec: SessionSpec
    ttl_seconds: float


class NodeStatus(Record, frozen=True):
    """A node as the gateway sees it."""

    node: str
    url: str
    capacity: int
    free: int
    sessions: int
    silent_seconds: float
    load: NodeLoad


class FleetStatus(Record, frozen=True):
    """The fleet at a glance."""

    nodes: tuple[NodeStatus, ...] = ()
    capacity: int = 0
    sessions: int = 0
    waiting: int = 0
    version: str = ""


T = TypeVar("T")


@functools.cache
def _msgpack_decoder(kind: type[Any]) -> msgspec.msgpack.Decoder[Any]:
    return msgspec.msgpack.Decoder(kind)


@functools.cache
def _json_decoder(kind: type[Any]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


_event_decoder: msgspec.msgpack.Decoder[Event] = msgspec.msgpack.Decoder(Event)
_msgpack = msgspec.msgpack.Encoder()
_json = msgspec.json.Encoder()


def encode(record: object, media_type: str = MSGPACK) -> bytes:
    """The record as a body; `RequestError` if it holds a number or half a character that has no place in one."""
    try:
        return _json.encode(record) if media_type == JSON else _msgpack.encode(record)
    except (OverflowError, UnicodeEncodeError) as error:
        raise errors.RequestError(f"{type(record).__name__}: {error}") from error


def decode(kind: type[T], body: bytes, media_type: str = MSGPACK) -> T:
    """The body as a record; `RequestError` says where it does not fit."""
    decoder = _json_decoder(kind) if media_type == JSON else _msgpack_decoder(kind)
    try:
        return cast("T", decoder.decode(body))
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise errors.RequestError(f"{kind.__name__}: {error}") from error


def decode_event(body: bytes) -> Event:
    """An event that a worker sent."""
    return _event_decoder.decode(body)


def headers(token: str, **more: str) -> dict[str, str]:
    """What a request in MessagePack carries."""
    return {AUTHORIZATION: f"Bearer {token}", "Content-Type": MSGPACK, "Accept": MSGPACK, **more}


def media_type_of(header: str | None) -> str:
    """The media type that a header names; JSON unless it says MessagePack."""
    return MSGPACK if MSGPACK in (header or "") else JSON


def error_body(error: BaseException) -> ErrorBody:
    """The error as it goes over the wire. What was not raised on purpose is named only by its type."""
    if not isinstance(error, errors.WebGymError):
        return ErrorBody(code="internal", message=f"internal error ({type(error).__name__})")
    # Errors quote pages, which may hold halves of characters; whoever tells of an error must not fail over it.
    message = str(error).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    reason = error.reason.value if isinstance(error, errors.SessionLost) else ""
    retry_after = error.retry_after if isinstance(error, errors.CapacityError) else 0.0
    return ErrorBody(code=error.code, message=message, reason=reason, retry_after=retry_after)


def error_from(body: ErrorBody) -> errors.WebGymError:
    """The error that a body stands for."""
    match body.code:
        case errors.SessionLost.code:
            return _loss_from(body)
        case errors.CapacityError.code:
            return errors.CapacityError(body.message, retry_after=body.retry_after)
        case code:
            return _ERRORS.get(code, errors.WebGymError)(body.message)


def _loss_from(body: ErrorBody) -> errors.SessionLost:
    try:
        return errors.SessionLost(body.message, reason=errors.LossReason(body.reason))
    except ValueError:
        # A newer writer's reason. The session is gone all the same, and this one blames nobody.
        return errors.SessionLost(f"{body.message} ({body.reason})", reason=errors.LossReason.NODE_LOST)


def refusal(whom: str, status: int, body: bytes) -> errors.WebGymError:
    """The error that an answer stands for; `TransportError` for what a load balancer or a stranger says instead."""
    try:
        return error_from(decode(ErrorBody, body))
    except errors.RequestError:
        return errors.TransportError(f"{whom} answered {status}, and not as a fleet does")


def _kinds(kind: type[errors.WebGymError]) -> Iterator[type[errors.WebGymError]]:
    yield kind
    for narrower in kind.__subclasses__():
        yield from _kinds(narrower)


_ERRORS = {kind.code: kind for kind in _kinds(errors.WebGymError) if kind.__module__ == errors.__name__}
