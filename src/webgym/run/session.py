"""Options of browser sessions. Secrets are read from environment variables and files, and never stored."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import urlsplit

import msgspec
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from webgym.errors import ConfigError
from webgym.records.observation import Viewport
from webgym.records.session import Determinism, Geolocation, SessionSpec, UpstreamProxy

_SECRET = frozenset({"authorization", "cookie", "proxy-authorization"})
"""Headers that hold secrets."""

Variable = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]


def _http_proxy(server: str) -> str:
    parts = urlsplit(server)
    if "@" in parts.netloc:
        raise ValueError("a proxy URL must not contain credentials: use `username` and `password_env`")
    if server and (parts.scheme != "http" or not parts.hostname or ":" not in parts.netloc):
        raise ValueError("a proxy has the form `http://host:port`")
    return server


def _harmless(headers: dict[str, str]) -> dict[str, str]:
    if secret := sorted(name for name in headers if name.lower() in _SECRET):
        raise ValueError(
            f"{', '.join(secret)} would be stored in the run: put it into an environment variable and name that in "
            "`headers_env`"
        )
    return headers


def _place(numbers: tuple[float, ...]) -> tuple[float, ...]:
    if len(numbers) not in {0, 2, 3}:
        raise ValueError("a geolocation is a latitude, a longitude and, optionally, an accuracy in metres")
    return numbers


class SessionSettings(BaseModel):
    """Base of these settings: frozen, and unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ProxyConfig(SessionSettings):
    """An upstream proxy, behind that of the nodes."""

    server: Annotated[str, AfterValidator(_http_proxy)] = ""
    """`http://host:port`; empty: none."""
    username: str = ""
    password_env: Variable | Literal[""] = ""
    """Environment variable with the password; empty: no password."""


class SessionConfig(SessionSettings):
    """Options of every session of a run, mostly what pages see of the browser."""

    isolation: Literal["context", "process"] = "context"
    """`context`: sessions share a Chromium process. `process`: each session has its own."""
    locale: str = "en-US"
    timezone: str = "UTC"
    color_scheme: Literal["light", "dark", "no-preference"] = "light"
    user_agent: str = ""
    """User agent string; empty: the browser's own."""
    headers: Annotated[dict[str, str], AfterValidator(_harmless)] = {}
    """Headers sent with every request; stored with the run."""
    headers_env: dict[str, Variable] = {}
    """More headers: the environment variable that holds the value of each. Values are not stored."""
    permissions: tuple[str, ...] = ()
    """Permissions granted to every page, such as `geolocation`."""
    geolocation: Annotated[tuple[float, ...], AfterValidator(_place)] = ()
    """Latitude, longitude and, if given, accuracy in metres; empty: none."""
    proxy: ProxyConfig = ProxyConfig()
    storage_state: str = ""
    """JSON file with cookies and local storage, in the format of observations, so that sessions start logged in. Read
    when the run starts, and not stored with it."""
    determinism: bool = False
    """Make pages deterministic: their clock starts at `epoch_milliseconds`, and their random numbers are seeded with
    the attempt's seed."""
    epoch_milliseconds: int = Determinism().epoch_milliseconds
    dialogs: Literal["ask", "accept", "dismiss"] = "ask"
    """How dialogs are handled. `ask`: shown to the agent, and dismissed unless its next action answers them."""
    max_tabs: Annotated[int, Field(ge=1, le=1000)] = SessionSpec().max_tabs
    """Maximum number of tabs; popups beyond it are closed at once."""
    download_quota_bytes: Annotated[int, Field(ge=0, le=2**50)] = SessionSpec().download_quota_bytes


def session_spec(config: SessionConfig, viewport: Viewport) -> SessionSpec:
    """Return the options common to all sessions of a run, with files and environment variables read.

    Raises:
        ConfigError: A file or variable is missing or invalid.
    """
    secret = {name: _held(variable, f"headers_env.{name}") for name, variable in config.headers_env.items()}
    return SessionSpec(
        isolation=config.isolation,
        viewport=viewport,
        locale=config.locale,
        timezone=config.timezone,
        color_scheme=config.color_scheme,
        user_agent=config.user_agent,
        headers=config.headers | secret,
        permissions=config.permissions,
        geolocation=Geolocation(*config.geolocation) if config.geolocation else None,
        proxy=_proxy(config.proxy) if config.proxy.server else None,
        storage_state=_stored(config.storage_state) if config.storage_state else "",
        determinism=Determinism(epoch_milliseconds=config.epoch_milliseconds) if config.determinism else None,
        dialogs=config.dialogs,
        max_tabs=config.max_tabs,
        download_quota_bytes=config.download_quota_bytes,
    )


def _proxy(config: ProxyConfig) -> UpstreamProxy:
    password = _held(config.password_env, "proxy.password_env") if config.password_env else ""
    return UpstreamProxy(config.server, config.username, password)


def _held(variable: str, setting: str) -> str:
    value = os.environ.get(variable, "")
    if not value:
        raise ConfigError(f"the environment variable {variable}, given in browser.session.{setting}, is not set")
    return value


def _stored(file: str) -> str:
    try:
        text = Path(file).read_text(encoding="utf-8")
        msgspec.json.decode(text, type=dict)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"browser.session.storage_state: {file} cannot be read: {error}") from error
    except msgspec.DecodeError as error:
        raise ConfigError(f"browser.session.storage_state: {file} is not a storage state: {error}") from error
    return text
