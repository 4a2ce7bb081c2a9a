"""What one session's proxy may take."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProxyLimits:
    """Seconds, bytes and connections."""

    resolve_seconds: float = 10.0
    connect_seconds: float = 20.0
    """From a request's head to an open connection, name and all."""
    head_seconds: float = 30.0
    """For the rest of a head that has begun."""
    idle_seconds: float = 300.0
    """A connection on which nothing moves for this long is closed."""
    linger_seconds: float = 30.0
    """The same once one side has said that it is done."""
    sweep_seconds: float = 5.0
    """How often connections are looked at for the three above."""
    head_bytes: int = 128 * 2**10
    buffer_bytes: int = 256 * 2**10
    """Per direction; a sender that is faster than its receiver waits."""
    connections: int = 1024
    """At once, of the browser and to servers."""
