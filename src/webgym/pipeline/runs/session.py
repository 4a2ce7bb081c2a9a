"""How the sessions of a run are, beyond where they start. What is secret is named here, and kept elsewhere."""

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
"""Headers that are there to hold what nobody else may know."""

Variable = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]


def _http_proxy(server: str) -> str:
    parts = urlsplit(server)
    if "@" in parts.netloc:
        raise ValueError("a proxy's URL holds no credentials: they go into `username` and `password_env`")
    if server and (parts.scheme != "http" or not parts.hostname or ":" not in parts.netloc):
        raise ValueError("a proxy is given as `http://host:port`")
    return server


def _harmless(headers: dict[str, str]) -> dict[str, str]:
    if secret := sorted(name for name in headers if name.lower() in _SECRET):
        raise ValueError(
            f"{', '.join(secret)} would be stored with the run: name the environment variable that holds it in "
            "`headers_env`"
        )
    return headers


def _place(numbers: tuple[float, ...]) -> tuple[float, ...]:
    if len(numbers) not in {0, 2, 3}:
        raise ValueError("a place is its latitude, its longitude and, if given, the accuracy in metres")
    return numbers


class Config(BaseModel):
    """Frozen; unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ProxyConfig(Config):
    """A proxy of the user's, behind the nodes' own."""

    server: Annotated[str, AfterValidator(_http_proxy)] = ""
    """`http://host:port`; empty: none."""
    username: str = ""
    password_env: Variable | Literal[""] = ""
    """Name of the environment variable that holds the password; empty: there is none."""


class SessionConfig(Config):
    """Every session of a run; what pages see of it."""

    isolation: Literal["context", "process"] = "context"
    """`context`: in a Chromium that sessions share. `process`: each in one of its own."""
    locale: str = "en-US"
    timezone: str = "UTC"
    color_scheme: Literal["light", "dark", "no-preference"] = "light"
    user_agent: str = ""
    """Empty: the browser's own."""
    headers: Annotated[dict[str, str], AfterValidator(_harmless)] = {}
    """Sent with every request, and stored with the run."""
    headers_env: dict[str, Variable] = {}
    """More of them: of each the environment variable that holds its value, which is not stored."""
    permissions: tuple[str, ...] = ()
    """Granted to every page, such as `geolocation`."""
    geolocation: Annotated[tuple[float, ...], AfterValidator(_place)] = ()
    """Latitude, longitude and, if given, accuracy in metres; empty: none."""
    proxy: ProxyConfig = ProxyConfig()
    storage_state: str = ""
    """JSON file with cookies and local storage, as an observation gives them: sessions begin logged in. Read when the
    run starts, and not stored with it."""
    determinism: bool = False
    """Pages have a clock that starts at `epoch_milliseconds`, and a random source that starts from the attempt's
    seed."""
    epoch_milliseconds: int = Determinism().epoch_milliseconds
    dialogs: Literal["ask", "accept", "dismiss"] = "ask"
    """`ask`: shown to the agent, and dismissed if its next action is not the answer."""
    max_tabs: Annotated[int, Field(ge=1)] = SessionSpec().max_tabs
    """Popups beyond this are closed at once."""
    download_quota_bytes: Annotated[int, Field(ge=0)] = SessionSpec().download_quota_bytes


def session_spec(config: SessionConfig, viewport: Viewport) -> SessionSpec:
    """What all sessions of a run have in common, files and environment variables read.

    Raises:
        ConfigError: One of these is not there.
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
        raise ConfigError(f"the environment variable {variable}, which browser.session.{setting} names, is not set")
    return value


def _stored(file: str) -> str:
    try:
        text = Path(file).read_text(encoding="utf-8")
        msgspec.json.decode(text, type=dict)
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"browser.session.storage_state: {file} cannot be read: {error}") from error
    except msgspec.DecodeError as error:
        raise ConfigError(f"browser.session.storage_state: {file} is no storage state: {error}") from error
    return text
