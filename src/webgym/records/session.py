"""What a session is asked to be, and what to look at after each step."""

from __future__ import annotations

from typing import Literal

from webgym.records.base import Record
from webgym.records.observation import Viewport


class Geolocation(Record, frozen=True):
    """Where the browser says it is."""

    latitude: float
    longitude: float
    accuracy: float = 0.0
    """Metres."""


class UpstreamProxy(Record, frozen=True):
    """A proxy of the user's, behind the node's own. Only http proxies."""

    server: str
    """`http://host:port`."""
    username: str = ""
    password: str = ""


class Determinism(Record, frozen=True):
    """A clock that starts at a given moment and a random source that starts from a seed."""

    seed: int = 0
    epoch_milliseconds: int = 1_750_000_000_000


class SessionSpec(Record, frozen=True):
    """How a session starts. Everything has a default."""

    start_url: str = ""
    """Loaded before the first observation; empty is a blank page."""
    isolation: Literal["context", "process"] = "context"
    """`context`: one BrowserContext in a shared Chromium. `process`: a Chromium of its own."""
    viewport: Viewport = Viewport()
    locale: str = "en-US"
    timezone: str = "UTC"
    color_scheme: Literal["light", "dark", "no-preference"] = "light"
    user_agent: str = ""
    """Empty: the browser's own."""
    headers: dict[str, str] = {}
    """Sent with every request."""
    permissions: tuple[str, ...] = ()
    geolocation: Geolocation | None = None
    proxy: UpstreamProxy | None = None
    storage_state: str = ""
    """As an earlier observation gave it."""
    determinism: Determinism | None = None
    dialogs: Literal["ask", "accept", "dismiss"] = "ask"
    """`ask`: shown to the agent, and dismissed if its next action is not the answer."""
    max_tabs: int = 8
    """Popups beyond this are closed at once."""
    download_quota_bytes: int = 32 * 2**20
    state_key: str = ""
    """Names the state of hermetic sites that this session sees; never visible to pages."""
    labels: dict[str, str] = {}
    """Free text for people: run, task, attempt."""


class Look(Record, frozen=True):
    """What to observe, and how long to let the page come to rest before."""

    screenshot: Literal["jpeg", "png", "webp"] | None = "jpeg"
    quality: int = 80
    """Of jpeg and webp, 1 to 100."""
    marks: bool = False
    elements: bool = False
    """Every interactive element of the page's main frame, also those out of sight. For oracles and tests of one's own
    sites: agents that work from screenshots have no use for it."""
    lines: bool = False
    """Every line of text, likewise: for teaching a model to read."""
    accessibility: bool = False
    storage_state: bool = False
    settle_seconds: float = 5.0
    """At most; pages at rest are observed at once. 0 does not wait."""


NOTHING = Look(screenshot=None, settle_seconds=0.0)
"""Act only."""
