"""Resource limits of a session's proxy."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProxyLimits:
    """Timeouts, buffer sizes and connection count."""

    resolve_seconds: float = 10.0
    connect_seconds: float = 20.0
    """Timeout from a request's head to an open connection, including name resolution."""
    head_seconds: float = 30.0
    """Timeout to receive the rest of an incomplete request head."""
    idle_seconds: float = 300.0
    """Connections without traffic for this long are closed."""
    linger_seconds: float = 30.0
    """The idle limit of half-closed connections."""
    sweep_seconds: float = 5.0
    """How often the three timeouts above are checked."""
    head_bytes: int = 128 * 2**10
    buffer_bytes: int = 256 * 2**10
    """Write buffer per direction; above it, back-pressure is applied to the sender."""
    connections: int = 1024
    """Maximum number of open connections, to the browser and to servers together."""
