"""Fleet configuration from a TOML file and command-line options; options override the file."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from webgym.errors import ConfigError

if TYPE_CHECKING:
    from webgym.browser.config import GatewayConfig, NodeConfig

_PLACES: dict[str, tuple[str, ...]] = {
    "host": ("gateway.host", "node.host"),
    "port": ("gateway.port",),
    "queue": ("gateway.queue_length",),
    "node_port": ("node.port",),
    "join": ("node.gateway",),
    "advertise": ("node.advertise",),
    "sessions": ("node.max_sessions",),
    "sessions_per_worker": ("node.sessions_per_worker",),
    "drain": ("node.drain_seconds",),
    "allow": ("node.chromium.egress.allow",),
    "browser": ("node.browser",),
    "headed": ("node.chromium.headed",),
    "tls_certificate": ("gateway.tls.certificate", "node.tls.certificate"),
    "tls_key": ("gateway.tls.key", "node.tls.key"),
    "tls_authority": ("gateway.tls.authority", "node.tls.authority"),
}
"""The keys in the file that each option sets."""

SESSIONS_PER_CORE = 8


def read_fleet(file: Path | None, given: dict[str, Any]) -> tuple[GatewayConfig, NodeConfig]:
    """Return both configurations; `given` holds the options set on the command line.

    Raises:
        ConfigError: The file or an option is invalid.
    """
    from pydantic import ValidationError

    from webgym.browser.config import GatewayConfig, NodeConfig, StrictConfig
    from webgym.run.problems import problems_of

    class FleetFile(StrictConfig):
        gateway: GatewayConfig = GatewayConfig()
        node: NodeConfig = NodeConfig()

    found: dict[str, Any] = {"node": {"max_sessions": SESSIONS_PER_CORE * (os.cpu_count() or 1)}}
    _merge(found, _toml(file) if file else {})
    for name, value in given.items():
        for place in _PLACES.get(name, ()):
            _put(found, place.split("."), value)
    try:
        fleet = FleetFile.model_validate(found)
    except ValidationError as error:
        raise ConfigError(f"{file or 'the options'}: {problems_of(error, FleetFile)[0]}") from error
    return fleet.gateway, fleet.node


def _toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError(f"cannot read {file}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} is not TOML: {error}") from error


def _merge(into: dict[str, Any], more: dict[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], cast("dict[str, Any]", value))
        else:
            into[key] = value


def _put(into: dict[str, Any], path: list[str], value: object) -> None:
    *folders, name = path
    for folder in folders:
        into = into.setdefault(folder, {})
    into[name] = value
