"""How a run's monitor is reached."""

from __future__ import annotations

import os
import re

from webgym.errors import ConfigError
from webgym.pipeline.runs.config import MonitorConfig

_TOKEN = re.compile(r"[A-Za-z0-9._~-]{16,}")


def monitor_token(config: MonitorConfig) -> str:
    """Of the user's own; empty if one is to be made.

    Raises:
        ConfigError: The variable that should hold it does not.
    """
    if not config.token_env:
        return ""
    token = os.environ.get(config.token_env, "")
    if not _TOKEN.fullmatch(token):
        raise ConfigError(
            f"monitor.token_env: the environment variable {config.token_env} holds no token, which has at least 16 "
            "letters, digits and - . _ ~"
        )
    return token
