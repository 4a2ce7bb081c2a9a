"""The monitor page of a run, and its access token."""

from __future__ import annotations

import os
import re
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Protocol

from webgym.errors import ConfigError
from webgym.monitor.board import Board
from webgym.monitor.serve import serve_monitor
from webgym.monitor.wire import BoardFacts
from webgym.records.trajectory import Step
from webgym.run.config import MonitorConfig
from webgym.serving.page_server import ServedPage

_TOKEN = re.compile(r"[A-Za-z0-9._~-]{16,}")


class AttemptPictures(Protocol):
    """Where the monitor finds steps and screenshots of attempts."""

    def blob(self, address: str) -> bytes | None: ...

    def steps(self, attempt_id: str) -> tuple[Step, ...]: ...


def monitor_page(
    config: MonitorConfig, board: Board, view: AttemptPictures, run: str, folder: Path
) -> AbstractAsyncContextManager[ServedPage]:
    """Serve the monitor of a run."""
    return serve_monitor(
        board,
        screenshot=view.blob,
        steps=view.steps,
        about=BoardFacts(run=run),
        folder=folder,
        port=config.port,
        token=monitor_token(config),
    )


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
