"""The access token of a run's monitor."""

from __future__ import annotations

import os
import re

from webgym.errors import ConfigError
from webgym.run.config import MonitorConfig

_TOKEN = re.compile(r"[A-Za-z0-9._~-]{16,}")


def monitor_token(config: MonitorConfig) -> str:
    """Return the configured token, or an empty string to generate one.

    Raises:
        ConfigError: The environment variable holds no valid token.
    """
    if not config.token_env:
        return ""
    token = os.environ.get(config.token_env, "")
    if not _TOKEN.fullmatch(token):
        raise ConfigError(
            f"monitor.token_env: the environment variable {config.token_env} must hold a token of at least 16 "
            "letters, digits or - . _ ~"
        )
    return token
