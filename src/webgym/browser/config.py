"""What can be configured about the browser fleet. Plain data: importing this is cheap."""

from __future__ import annotations

from typing import Annotated, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field


def _server(url: str) -> str:
    """Paths are added to it, so it must not end with a slash."""
    parts = urlsplit(url)
    if url and (parts.scheme not in ("http", "https") or not parts.hostname):
        raise ValueError("has to be like http://host:port")
    _ = parts.port  # says what is wrong with it, if it is none
    return url.rstrip("/")


Seconds = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=1)]
ServerUrl = Annotated[str, AfterValidator(_server)]


class Config(BaseModel):
    """Frozen; unknown keys are refused, so that a misspelt option cannot be ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class EgressConfig(Config):
    """Which addresses sessions may reach. Public ones by default; never the fleet's own ports."""

    allow: tuple[str, ...] = ()
    """Private or loopback destinations that may be reached all the same, each as exact `host:port`."""
    hermetic: dict[str, str] = {}
    """`*.suffix:port` or `host:port` of hermetic sites → the `address:port` that serves them. Requests to these, and
    only these, carry the session's state key."""
    deny_ports: tuple[int, ...] = ()
    """Ports of this machine that no rule can open: the fleet's own."""


class ChromiumConfig(Config):
    """How Chromium is started and when it is replaced."""

    executable: str = ""
    """Empty: `WEBGYM_CHROMIUM`, then the PATH, then Playwright's own."""
    headed: bool = False
    """With windows, on the display of `DISPLAY` or an Xvfb of its own: for live websites, most of which refuse headless
    browsers. Needs a full Chromium."""
    sandbox: Literal["auto", "on", "off"] = "auto"
    """`auto`: on unless it cannot run here (as root, or without user namespaces)."""
    recycle_after_sessions: Count = 500
    recycle_after_seconds: Seconds = 3600.0
    recycle_above_megabytes: Count = 4096
    """Resident memory of one Chromium with all its processes."""
    page_heap_megabytes: Count = 1024
    """JavaScript heap of one page; a page that needs more crashes alone."""
    egress: EgressConfig = EgressConfig()


class LimitsConfig(Config):
    """What one request or session may take."""

    body_bytes: Count = 64 * 2**20
    open_seconds: Seconds = 60.0
    """Longest time an `open` may wait for room and take."""
    step_seconds: Seconds = 60.0
    """Longest deadline a client may ask for."""
    default_ttl_seconds: Seconds = 60.0
    max_ttl_seconds: Seconds = 3600.0


class TlsConfig(Config):
    """Certificates; without any, plain HTTP is served."""

    certificate: str = ""
    """File with this server's certificate chain."""
    key: str = ""
    authority: str = ""
    """Certificate authority with which the others' certificates are checked; empty: the system's."""


class NodeConfig(Config):
    """One machine of the fleet."""

    host: str = "127.0.0.1"
    port: int = 0
    """0: any free one."""
    advertise: ServerUrl = ""
    """URL under which clients and the gateway reach this node; empty: from host and port."""
    gateway: ServerUrl = "http://127.0.0.1:7000"
    max_sessions: Count = 32
    sessions_per_worker: Count = 16
    active_steps: int = 0
    """Steps under way at once on this machine; 0: four per core."""
    min_free_megabytes: Count = 512
    """Below this much available memory no session is opened."""
    max_load_per_core: float = 0.0
    """Above this one-minute load average per core no session is opened; 0: no limit."""
    browser: str = "webgym.browser.server.chromium.browser:ChromiumBrowser"
    """Import path of what gives out sessions: called without arguments, or with a ChromiumConfig if it takes one."""
    announce_seconds: Seconds = 1.0
    frozen_seconds: Seconds = 4.0
    """A node that did not run for this long gives up its leases: the gateway has declared it gone."""
    tls: TlsConfig = TlsConfig()
    chromium: ChromiumConfig = ChromiumConfig()
    limits: LimitsConfig = LimitsConfig()


class GatewayConfig(Config):
    """The front door of the fleet."""

    host: str = "127.0.0.1"
    port: int = 7000
    queue_length: int = 256
    """Opens that may wait for room; the next one is refused."""
    silent_seconds: Seconds = 4.0
    """A node that has not announced itself for this long is dropped."""
    tls: TlsConfig = TlsConfig()
    limits: LimitsConfig = LimitsConfig()
