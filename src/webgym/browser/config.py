"""Configuration of the browser fleet. Plain data models, cheap to import."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field


def _server(url: str) -> str:
    """Validate a server URL and strip trailing slashes, because paths are appended to it."""
    parts = urlsplit(url)
    if url and (parts.scheme not in ("http", "https") or not parts.hostname):
        raise ValueError("must have the form http://host:port")
    _ = parts.port  # raises ValueError if the port is invalid
    return url.rstrip("/")


Seconds = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=1)]
ServerUrl = Annotated[str, AfterValidator(_server)]


class StrictConfig(BaseModel):
    """Base of all configuration models. Frozen; unknown keys are rejected, so that misspelt options are noticed."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class EgressConfig(StrictConfig):
    """Egress policy of sessions: public addresses by default, never the fleet's own ports."""

    allow: tuple[str, ...] = ()
    """Private or loopback destinations to allow nevertheless, each as an exact `host:port`."""
    hermetic: dict[str, str] = {}
    """Maps `*.suffix:port` or `host:port` of hermetic sites to the `address:port` that serves them. Requests to these
    sites, and to no others, carry the session's state key."""
    deny_ports: tuple[int, ...] = ()
    """Ports of this machine that no rule can open. The node adds its own port and the gateway's."""


class ChromiumConfig(StrictConfig):
    """How Chromium is launched and when it is recycled."""

    executable: str = ""
    """Path or name of the executable; empty: `WEBGYM_CHROMIUM`, then the PATH, then Playwright's own."""
    headed: bool = False
    """Run with windows, on `DISPLAY` or on a private Xvfb. For live websites, most of which refuse headless browsers.
    Needs a full Chromium, not a headless shell."""
    sandbox: Literal["auto", "on", "off"] = "auto"
    """`auto`: on, unless running as root or without user namespaces."""
    recycle_after_sessions: Count = 500
    recycle_after_seconds: Seconds = 3600.0
    recycle_above_megabytes: Count = 4096
    """Resident memory of one Chromium process tree."""
    page_heap_megabytes: Count = 1024
    """Limit of a page's JavaScript heap; a page that exceeds it crashes alone."""
    egress: EgressConfig = EgressConfig()


class FleetLimitsConfig(StrictConfig):
    """Limits on a single request or session."""

    body_bytes: Count = 64 * 2**20
    open_seconds: Seconds = 60.0
    """Upper bound on the time an `open` may queue for capacity, and again on the time opening itself may take."""
    step_seconds: Seconds = 60.0
    """Upper bound on the deadline of a step; clients that ask for more get this."""
    default_ttl_seconds: Seconds = 60.0
    max_ttl_seconds: Seconds = 3600.0


class TlsConfig(StrictConfig):
    """TLS certificates; without a certificate, plain HTTP is served."""

    certificate: str = ""
    """Path of this server's certificate chain."""
    key: str = ""
    authority: str = ""
    """Path of the CA certificates used to verify peers; empty: the system's."""


class NodeConfig(StrictConfig):
    """Configuration of a node: one machine of the fleet."""

    host: str = "127.0.0.1"
    port: int = 0
    """0: any free port."""
    advertise: ServerUrl = ""
    """URL at which clients and the gateway reach this node; empty: derived from host and port."""
    gateway: ServerUrl = "http://127.0.0.1:7000"
    max_sessions: Count = 32
    sessions_per_worker: Count = 16
    active_steps: int = 0
    """Maximum number of steps that run concurrently on this machine; 0: four per core."""
    min_free_megabytes: Count = 512
    """No session is admitted while less memory than this is available."""
    max_load_per_core: float = 0.0
    """No session is admitted while the one-minute load average per core is above this; 0: no limit."""
    browser: str = "webgym.browser.server.chromium.browser:ChromiumBrowser"
    """Import path (`module:name`) of the `Browser` factory. Called with those of `config` (a ChromiumConfig), `events`
    and `worker` that its signature accepts."""
    announce_seconds: Seconds = 1.0
    drain_seconds: Annotated[float, Field(ge=0)] = 0.0
    """How long a node that is told to stop waits for its sessions to end, while it admits no more."""
    frozen_seconds: Seconds = 4.0
    """A node whose process did not run for this long gives up its leases: by then the gateway has dropped it."""
    tls: TlsConfig = TlsConfig()
    chromium: ChromiumConfig = ChromiumConfig()
    limits: FleetLimitsConfig = FleetLimitsConfig()


class GatewayConfig(StrictConfig):
    """Configuration of the gateway, the fleet's single entry point."""

    host: str = "127.0.0.1"
    port: int = 7000
    queue_length: int = 256
    """Maximum number of opens that queue for capacity; further ones are refused at once."""
    silent_seconds: Seconds = 4.0
    """A node that has not announced itself for this long is dropped."""
    tls: TlsConfig = TlsConfig()
    limits: FleetLimitsConfig = FleetLimitsConfig()
