"""How to configure a session, and what to observe after each step.

Bounds hold when a record is decoded, that is, for whatever crosses a network.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from webgym.records.base import Record
from webgym.records.observation import Viewport

_LAST_MILLISECOND = 8_640_000_000_000_000
"""The end of time in JavaScript."""
MOST_SETTLE_SECONDS = 600.0


class Geolocation(Record, frozen=True):
    """The location that the browser reports."""

    latitude: Annotated[float, Meta(ge=-90, le=90)]
    longitude: Annotated[float, Meta(ge=-180, le=180)]
    accuracy: Annotated[float, Meta(ge=0, le=1e9)] = 0.0
    """Metres."""


class UpstreamProxy(Record, frozen=True):
    """A user's HTTP proxy, to which the node's own proxy forwards."""

    server: str
    """`http://host:port`."""
    username: str = ""
    password: str = ""


class Determinism(Record, frozen=True):
    """A page clock with a fixed start and a seeded random source."""

    seed: int = 0
    epoch_milliseconds: Annotated[int, Meta(ge=-_LAST_MILLISECOND, le=_LAST_MILLISECOND)] = 1_750_000_000_000


class SessionSpec(Record, frozen=True):
    """Configuration of a session. Every field has a default."""

    start_url: str = ""
    """Loaded before the first observation; empty for a blank page."""
    isolation: Literal["context", "process"] = "context"
    """`context`: a BrowserContext in a shared Chromium. `process`: a dedicated Chromium."""
    viewport: Viewport = Viewport()
    locale: str = "en-US"
    timezone: str = "UTC"
    color_scheme: Literal["light", "dark", "no-preference"] = "light"
    user_agent: str = ""
    """Empty for the browser's default."""
    headers: dict[str, str] = {}
    """Sent with every request."""
    permissions: tuple[str, ...] = ()
    geolocation: Geolocation | None = None
    proxy: UpstreamProxy | None = None
    storage_state: str = ""
    """Cookies and local storage to start from, as JSON from an earlier observation."""
    determinism: Determinism | None = None
    dialogs: Literal["ask", "accept", "dismiss"] = "ask"
    """`ask`: show dialogs to the agent, and dismiss those that its next action does not answer."""
    max_tabs: Annotated[int, Meta(ge=1, le=1000)] = 8
    """Popups beyond this limit are closed at once."""
    download_quota_bytes: Annotated[int, Meta(ge=0, le=2**50)] = 32 * 2**20
    state_key: str = ""
    """Key of the hermetic sites' state that this session sees; never visible to pages."""
    destinations: tuple[str, ...] | None = None
    """Of the private and loopback destinations that its node allows, each as `host:port`, those that this session may
    reach; None: all of them."""
    labels: dict[str, str] = {}
    """Informational only: run, task, attempt."""


class Look(Record, frozen=True):
    """What to observe, and how long to wait for the page to settle first."""

    screenshot: Literal["jpeg", "png", "webp"] | None = "jpeg"
    quality: Annotated[int, Meta(ge=1, le=100)] = 80
    """JPEG and WebP quality, 1 to 100."""
    marks: bool = False
    elements: bool = False
    """Every interactive element of the page's main frame, in view or not. For oracles and tests of your own sites;
    agents that work from screenshots do not need it."""
    lines: bool = False
    """Every line of text of the main frame, in view or not. For teaching a model to read."""
    accessibility: bool = False
    storage_state: bool = False
    settle_seconds: Annotated[float, Meta(ge=0, le=MOST_SETTLE_SECONDS)] = 5.0
    """Maximum wait; a settled page is observed at once. 0 does not wait."""


NOTHING = Look(screenshot=None, settle_seconds=0.0)
"""Act without observing."""
