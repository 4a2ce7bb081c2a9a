"""The egress policy: which addresses sessions may reach. Pure; names are resolved by the caller.

A destination is public, allowed or hermetic. Only public addresses can be reached, unless that exact `host:port` is
allowed; hermetic hosts are redirected to the address that serves them; the fleet's own ports on this machine are closed
to all three.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from webgym.browser.config import EgressConfig
from webgym.browser.server.proxy.addresses import Address, is_own, kind_of, plain
from webgym.browser.server.proxy.hosts import Destination, parse_destination
from webgym.errors import ConfigError, RequestError

_TOO_LOCAL_FOR_A_PROXY = frozenset({"link-local", "cloud metadata", "unspecified", "multicast"})


@dataclass(frozen=True, slots=True)
class AllowedDestination:
    """The destination may be reached, at these addresses only."""

    addresses: tuple[Address, ...]
    public: bool
    """Whether all of them are public."""


@dataclass(frozen=True, slots=True)
class RefusedDestination:
    """The destination may not be reached."""

    reason: str


@dataclass(frozen=True, slots=True)
class EgressPolicy:
    """A parsed `EgressConfig`."""

    allow: frozenset[Destination]
    hermetic: Mapping[Destination, Destination]
    """Keyed by exact host and port."""
    hermetic_suffixes: Mapping[Destination, Destination]
    """Keyed by domain suffix and port; the longest match wins."""
    deny_ports: frozenset[int]
    interfaces: frozenset[Address] = field(default_factory=frozenset[Address])
    """This machine's own addresses."""

    def served_at(self, destination: Destination) -> Destination | None:
        """Return the address that serves a hermetic host; None if the host is not hermetic."""
        exact = self.hermetic.get(destination)
        if exact is not None or not self.hermetic_suffixes:
            return exact
        rest = destination.host
        while "." in rest:
            rest = rest.partition(".")[2]
            found = self.hermetic_suffixes.get(Destination(rest, destination.port))
            if found is not None:
                return found
        return None

    def decide(self, destination: Destination, addresses: Sequence[Address]) -> AllowedDestination | RefusedDestination:
        """Decide which of a destination's addresses (or of its server's, if it is hermetic) may be connected to."""
        served = self.served_at(destination)
        port = destination.port if served is None else served.port
        trusted = served is not None or destination in self.allow
        passed: list[Address] = []
        refusals: list[str] = []
        for address in map(plain, addresses):
            reason = self._objection(address, port, trusted=trusted)
            if reason is None:
                passed.append(address)
            else:
                refusals.append(reason)
        if passed:
            return AllowedDestination(tuple(passed), public=all(kind_of(address) is None for address in passed))
        reason = refusals[0] if refusals else "it has no address"
        return RefusedDestination(f"{destination}: {reason}")

    def decide_upstream(
        self, proxy: Destination, addresses: Sequence[Address]
    ) -> AllowedDestination | RefusedDestination:
        """Decide the same for the user's own proxy, which may be on a private network."""
        passed = tuple(address for address in map(plain, addresses) if self._may_be_proxy(proxy, address))
        if passed:
            return AllowedDestination(passed, public=True)
        return RefusedDestination(f"{proxy}: this address is not allowed for an upstream proxy")

    def _may_be_proxy(self, proxy: Destination, address: Address) -> bool:
        trusted = proxy in self.allow or kind_of(address) not in _TOO_LOCAL_FOR_A_PROXY
        return self._objection(address, proxy.port, trusted=trusted) is None

    def _objection(self, address: Address, port: int, *, trusted: bool) -> str | None:
        if port in self.deny_ports and is_own(address, self.interfaces):
            return f"port {port} of this machine belongs to the fleet"
        kind = None if trusted else kind_of(address)
        return None if kind is None else f"{address} is a {kind} address"


def parse_policy(
    egress: EgressConfig, *, interfaces: Iterable[Address] = (), deny_ports: Iterable[int] = ()
) -> EgressPolicy:
    """Parse the configuration; `deny_ports` are closed in addition to those it names.

    Raises:
        ConfigError: An entry is malformed.
    """
    exact: dict[Destination, Destination] = {}
    suffixes: dict[Destination, Destination] = {}
    for pattern, target in egress.hermetic.items():
        table, host = (suffixes, pattern[2:]) if pattern.startswith("*.") else (exact, pattern)
        table[_entry("egress.hermetic", pattern, host)] = _entry("egress.hermetic", target, target)
    for port in egress.deny_ports:
        if not 0 < port < 65536:
            raise ConfigError(f"egress.deny_ports: {port} is not a port")
    return EgressPolicy(
        allow=frozenset(_entry("egress.allow", entry, entry) for entry in egress.allow),
        hermetic=exact,
        hermetic_suffixes=suffixes,
        deny_ports=frozenset([*egress.deny_ports, *deny_ports]),
        interfaces=frozenset(map(plain, interfaces)),
    )


def narrowed(egress: EgressConfig, destinations: Iterable[str]) -> EgressConfig:
    """Return the configuration for a session that may reach only these of the destinations that are allowed.

    Raises:
        RequestError: One is malformed.
    """
    kept = {parse_destination(destination) for destination in destinations}
    allow = tuple(entry for entry in egress.allow if _entry("egress.allow", entry, entry) in kept)
    return egress.model_copy(update={"allow": allow})


def _entry(where: str, shown: str, text: str) -> Destination:
    if "@" in text or "/" in text or "*" in text:
        raise ConfigError(f"{where}: {shown!r} has to be `host:port`, without scheme, path or user")
    try:
        return parse_destination(text)
    except RequestError as error:
        raise ConfigError(f"{where}: {shown!r} has to be `host:port`: {error}") from error
