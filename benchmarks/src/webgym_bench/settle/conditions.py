"""The conditions pictures are compared under. All systems of one run share them."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from webgym.errors import ConfigError
from webgym.records.session import Look, SessionSpec

_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Conditions:
    """The options of `webgym bench settle`."""

    urls: tuple[str, ...]
    """Start pages of the application."""
    steps: int = 40
    """Steps to record, and to check in every system."""
    sessions: int = 8
    """Concurrent sessions of the second measurement of speed."""
    rounds: int = 2
    """How often the speed of each system is measured."""
    against: bool = False
    """Whether to compare with plain Playwright."""
    fixed_seconds: float = 0.5
    """How long the Playwright that does not watch the network waits after every load and action."""
    settle_seconds: float = 5.0
    """Longest wait for a page, of our sessions and of `networkidle`."""
    storage_state: str = ""
    """Cookies and local storage of every session, as JSON."""
    seed: int = 0

    @property
    def spec(self) -> SessionSpec:
        """The session that each walk opens."""
        return SessionSpec(storage_state=self.storage_state)

    @property
    def paced(self) -> Look:
        """What a step observes while speed is measured."""
        return Look(settle_seconds=self.settle_seconds)

    @property
    def checked(self) -> Look:
        """What a step observes while pictures are compared: without loss, so that equal pages give equal pixels."""
        return Look(screenshot="png", settle_seconds=self.settle_seconds)

    @property
    def hosts(self) -> tuple[str, ...]:
        """The start pages' `host:port`, which the egress policy of our sessions has to allow."""
        return tuple(dict.fromkeys(map(_host, self.urls)))


def site_of(url: str) -> str:
    """Return scheme, host and port of a URL."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _host(url: str) -> str:
    parts = urlsplit(url)
    try:
        port = parts.port or _PORTS[parts.scheme]
    except (KeyError, ValueError):
        raise ConfigError(f"--url {url!r} must look like http://127.0.0.1:8080/") from None
    if not parts.hostname:
        raise ConfigError(f"--url {url!r} names no host")
    return f"{parts.hostname}:{port}"
