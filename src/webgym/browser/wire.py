"""The wire protocol: all that client, gateway, node and worker share.

Bodies are MessagePack, or JSON for clients that ask for it (`Content-Type`, `Accept`). JSON replies omit blobs, which
are fetched by address instead. Session routes are the same on gateway and node, so that a request can go straight to
the node or be relayed without decoding it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Annotated, Any, TypeVar, cast

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
"""Header with a step's deadline in seconds. It applies once to queueing on the worker and once to the step itself."""

DEFAULT_DEADLINE_SECONDS = 30.0


class OpenRequest(Record, frozen=True):
    """Request to open a session."""

    spec: SessionSpec = SessionSpec()
    ttl_seconds: float | None = None
    """Time after which a lease that is neither used nor renewed expires; None: the server's default."""
    wait_seconds: Annotated[float, msgspec.Meta(ge=0)] = 30.0
    """How long to queue for capacity."""


class Lease(Record, frozen=True):
    """A time-limited right to use a session."""

    session: str
    """Unguessable session id."""
    fence: int
    """Fencing token, sent with every request. It becomes stale when another holder takes the session over."""
    url: str
    """URL of the session's node."""
    ttl_seconds: float


class StepRequest(Record, frozen=True):
    """Request to act, let the page settle and observe, in one round trip."""

    action: Action | None = None
    look: Look = Look()


class LeaseKey(Record, frozen=True):
    """Identifies a lease by session and fencing token."""

    session: str
    fence: int


class RenewRequest(Record, frozen=True):
    """Request to renew leases."""

    holdings: tuple[LeaseKey, ...]


class ErrorBody(Record, frozen=True):
    """Wire format of an error."""

    code: str
    message: str
    reason: str = ""
    """The `LossReason`, if a session was lost."""
    retry_after: float = 0.0


class RenewReply(Record, frozen=True):
    """The leases that could not be renewed, and why."""

    lost: dict[str, ErrorBody] = {}


class SessionStatus(Record, frozen=True):
    """State of a session and its lease."""

    session: str
    node: str
    url: str
    labels: dict[str, str] = {}
    steps: int = 0
    age_seconds: float = 0.0
    expires_in_seconds: float = 0.0
    busy: bool = False


class NodeLoad(Record, frozen=True):
    """Load of a node."""

    cpu_per_core: float = 0.0
    """One-minute load average per core."""
    free_megabytes: int = 0
    workers: int = 0
    event_loop_lag_ms: float = 0.0


class Announcement(Record, frozen=True):
    """A node's heartbeat to the gateway, with all the state that the gateway keeps about it."""

    node: str
    epoch: str
    """Replaced whenever the node gives up its leases."""
    url: str
    capacity: int
    free: int
    """Number of sessions it would admit now."""
    sessions: dict[str, int] = {}
    """Every session it holds, with its fencing token."""
    ended: dict[str, ErrorBody] = {}
    """Sessions that were lost recently, and why."""
    load: NodeLoad = NodeLoad()
    leaving: bool = False


class AnnounceReply(Record, frozen=True):
    """The gateway's reply to an announcement."""

    fenced: bool = False
    """The gateway has dropped this epoch of the node, which must give up all leases and announce a new epoch."""
    client_token_digest: str = ""
    """SHA-256 of the client token, with which the node authenticates clients."""


class NodeOpenRequest(Record, frozen=True):
    """The gateway's request to a node to open a session."""

    session: str
    spec: SessionSpec
    ttl_seconds: float


class NodeStatus(Record, frozen=True):
    """A node's state as known to the gateway."""

    node: str
    url: str
    capacity: int
    free: int
    sessions: int
    silent_seconds: float
    load: NodeLoad


class FleetStatus(Record, frozen=True):
    """Summary of the fleet."""

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
    """Encode a record; `RequestError` if it holds an integer out of range or a lone surrogate."""
    try:
        return _json.encode(record) if media_type == JSON else _msgpack.encode(record)
    except (OverflowError, UnicodeEncodeError) as error:
        raise errors.RequestError(f"{type(record).__name__}: {error}") from error


def decode(kind: type[T], body: bytes, media_type: str = MSGPACK) -> T:
    """Decode and validate a body; `RequestError` says where it does not match."""
    decoder = _json_decoder(kind) if media_type == JSON else _msgpack_decoder(kind)
    try:
        return cast("T", decoder.decode(body))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise errors.RequestError(f"{kind.__name__}: {error}") from error


def decode_event(body: bytes) -> Event:
    """Decode an event sent by a worker."""
    return _event_decoder.decode(body)


def headers(token: str, **more: str) -> dict[str, str]:
    """Return the headers of a MessagePack request."""
    return {AUTHORIZATION: f"Bearer {token}", "Content-Type": MSGPACK, "Accept": MSGPACK, **more}


def media_type_of(header: str | None) -> str:
    """Return the media type that a header names; JSON unless it names MessagePack."""
    return MSGPACK if MSGPACK in (header or "") else JSON


def error_body(error: BaseException) -> ErrorBody:
    """Convert an error for the wire. Of errors other than `WebGymError`, only the type is disclosed."""
    if not isinstance(error, errors.WebGymError):
        return ErrorBody(code="internal", message=f"internal error ({type(error).__name__})")
    # Errors quote pages, which may contain lone surrogates; reporting an error must not fail on them.
    message = str(error).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    reason = error.reason.value if isinstance(error, errors.SessionLost) else ""
    retry_after = error.retry_after if isinstance(error, errors.CapacityError) else 0.0
    return ErrorBody(code=error.code, message=message, reason=reason, retry_after=retry_after)


def error_from(body: ErrorBody) -> errors.WebGymError:
    """Rebuild the error that a body describes."""
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
        # A reason that only a newer peer knows. The session is lost anyway; NODE_LOST is the neutral fallback.
        return errors.SessionLost(f"{body.message} ({body.reason})", reason=errors.LossReason.NODE_LOST)


def refusal(whom: str, status: int, body: bytes) -> errors.WebGymError:
    """Return the error in an error response; `TransportError` if another server, such as a load balancer, sent it."""
    try:
        return error_from(decode(ErrorBody, body))
    except errors.RequestError:
        return errors.TransportError(f"{whom} answered {status}, which is not the reply of a WebGym fleet")


def _kinds(kind: type[errors.WebGymError]) -> Iterator[type[errors.WebGymError]]:
    yield kind
    for narrower in kind.__subclasses__():
        yield from _kinds(narrower)


_ERRORS = {kind.code: kind for kind in _kinds(errors.WebGymError) if kind.__module__ == errors.__name__}
