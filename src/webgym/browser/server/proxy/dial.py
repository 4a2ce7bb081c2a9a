"""Opens connections to destinations that the egress policy allows."""

from __future__ import annotations

import base64
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

import anyio

from webgym.browser.server.proxy.addresses import Address
from webgym.browser.server.proxy.connect import connect_first
from webgym.browser.server.proxy.heads import STATE_HEADER
from webgym.browser.server.proxy.hosts import Destination, parse_destination
from webgym.browser.server.proxy.limits import ProxyLimits
from webgym.browser.server.proxy.policy import EgressPolicy, RefusedDestination
from webgym.browser.server.proxy.replies import FailureKind, ProxyFailure
from webgym.browser.server.proxy.resolver import CachingResolver
from webgym.browser.server.proxy.traffic_log import TrafficLog
from webgym.browser.server.proxy.upstream import UpstreamConnection
from webgym.errors import ConfigError, RequestError
from webgym.records.session import UpstreamProxy

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Route:
    """An open upstream connection, and how requests on it must be rewritten."""

    connection: UpstreamConnection
    destination: Destination
    host: bytes
    """Value of the Host header."""
    prefix: bytes = b""
    """Prepended to the path: an upstream proxy expects absolute URLs."""
    extra: bytes = b""
    """Header lines added for the next hop."""
    hermetic: bool = False
    through_proxy: bool = False


@dataclass(frozen=True, slots=True)
class ProxyAddress:
    """Address and credentials of the user's upstream proxy."""

    destination: Destination
    authorization: bytes
    """A Proxy-Authorization header line, or empty."""


def parse_upstream(proxy: UpstreamProxy) -> ProxyAddress:
    """Parse the user's upstream proxy.

    Raises:
        ConfigError: It is not `http://host:port`.
    """
    try:
        parts = urlsplit(proxy.server)
        destination = parse_destination(parts.netloc)
    except (RequestError, ValueError) as error:
        raise ConfigError(f"proxy.server: {proxy.server!r} has to be `http://host:port`: {error}") from error
    if parts.scheme != "http" or parts.path not in {"", "/"} or parts.query or "@" in parts.netloc:
        raise ConfigError(f"proxy.server: {proxy.server!r} has to be `http://host:port`, and nothing else")
    if not (proxy.username or proxy.password):
        return ProxyAddress(destination, b"")
    credentials = base64.b64encode(f"{proxy.username}:{proxy.password}".encode())
    return ProxyAddress(destination, b"Proxy-Authorization: Basic %b\r\n" % credentials)


class Dialer:
    """Opens upstream connections for one session."""

    def __init__(
        self,
        policy: EgressPolicy,
        resolver: CachingResolver,
        traffic: TrafficLog,
        limits: ProxyLimits,
        *,
        state_key: str,
        upstream: ProxyAddress | None,
    ) -> None:
        if not (state_key.isascii() and state_key.isprintable()):
            raise ConfigError("state_key: has to be printable ASCII")
        self._policy = policy
        self._resolver = resolver
        self._traffic = traffic
        self._limits = limits
        self._state = f"{STATE_HEADER}: {state_key}\r\n".encode() if state_key else b""
        self._upstream = upstream

    async def dial(self, destination: Destination, *, tunnel: bool) -> Route | ProxyFailure:
        """Resolve, apply the policy, and connect to an address that the policy has approved."""
        try:
            with anyio.fail_after(self._limits.connect_seconds):
                return await self._dial(destination, tunnel=tunnel)
        except TimeoutError:
            return ProxyFailure(FailureKind.TIMEOUT, f"{destination} does not answer")
        except OSError as error:
            return ProxyFailure(FailureKind.CONNECT, f"{destination}: {error.strerror or error}")
        except Exception:  # noqa: BLE001 - a bug hit by one request must not end the session
            _log.exception("dialling %s", destination)
            return ProxyFailure(FailureKind.CONNECT, f"{destination}: a fault in the proxy")

    async def _dial(self, destination: Destination, *, tunnel: bool) -> Route | ProxyFailure:
        served = self._policy.served_at(destination)
        addresses = await self._resolver.lookup(served or destination)
        upstream = self._upstream if served is None else None
        if not addresses:
            if upstream is not None:  # a machine behind a proxy may have no DNS of its own
                return await self._dial_upstream(upstream, destination, tunnel=tunnel)
            return ProxyFailure(FailureKind.DNS, f"{(served or destination).host} does not resolve")
        verdict = self._policy.decide(destination, addresses)
        if isinstance(verdict, RefusedDestination):
            return ProxyFailure(FailureKind.REFUSED, verdict.reason)
        # Non-public destinations are reached directly, public ones through the user's proxy.
        if upstream is not None and verdict.public:
            return await self._dial_upstream(upstream, destination, tunnel=tunnel)
        connection = await self._connect(verdict.addresses, (served or destination).port)
        return Route(
            connection,
            destination,
            _host_header(destination),
            extra=b"" if served is None else self._state,
            hermetic=served is not None,
        )

    async def _dial_upstream(
        self, upstream: ProxyAddress, destination: Destination, *, tunnel: bool
    ) -> Route | ProxyFailure:
        addresses = await self._resolver.lookup(upstream.destination)
        verdict = self._policy.decide_upstream(upstream.destination, addresses)
        if isinstance(verdict, RefusedDestination):
            return ProxyFailure(FailureKind.REFUSED, verdict.reason)
        connection = await self._connect(verdict.addresses, upstream.destination.port)
        host = _host_header(destination)
        if not tunnel:
            prefix = b"http://" + host
            return Route(connection, destination, host, prefix, upstream.authorization, through_proxy=True)
        name = str(destination).encode()
        status = await connection.ask(
            b"CONNECT %b HTTP/1.1\r\nHost: %b\r\n%b\r\n" % (name, name, upstream.authorization)
        )
        if not status.startswith(b"2"):
            connection.abort()
            answer = status.decode("ascii", "replace") or "nothing"
            return ProxyFailure(FailureKind.UPSTREAM, f"the upstream proxy answered {answer} for {destination}")
        return Route(connection, destination, host, through_proxy=True)

    async def _connect(self, addresses: Sequence[Address], port: int) -> UpstreamConnection:
        return await connect_first(lambda: UpstreamConnection(self._traffic, self._limits), addresses, port)


def _host_header(destination: Destination) -> bytes:
    name = str(destination)
    return (name.removesuffix(":80") if destination.port == 80 else name).encode()
