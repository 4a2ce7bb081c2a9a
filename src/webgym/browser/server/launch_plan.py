"""How `webgym serve` configures its processes: a plan file readable only by its owner, and their entry point."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import cast

import anyio

from webgym.browser.config import Config, GatewayConfig, NodeConfig
from webgym.errors import ConfigError
from webgym.serving.parent_death import die_with_parent
from webgym.telemetry import log
from webgym.telemetry.log import LogStyle

logger = logging.getLogger(__name__)

MISCONFIGURED = 2
"""Exit code of a process whose configuration is invalid, so that restarting it is pointless."""


class LaunchPlan(Config):
    """Configuration and tokens of one fleet process."""

    gateway: GatewayConfig = GatewayConfig()
    node: NodeConfig = NodeConfig()
    client_token: str = ""
    join_token: str = ""
    log_style: LogStyle = "plain"
    """`quiet`: plain, but only warnings and errors."""


def write_plan(plan: LaunchPlan, path: Path) -> None:
    """Write the plan to a file that only its owner can read."""
    handle = os.open(path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(plan.model_dump_json())


def run(serve: Callable[[LaunchPlan], Awaitable[None]]) -> None:
    """Run the process described by the plan in `sys.argv[1]`. It exits when its parent dies."""
    die_with_parent()
    plan = LaunchPlan.model_validate_json(Path(sys.argv[1]).read_text())
    log.configure(plan.log_style)
    try:
        anyio.run(serve, plan, backend_options={"use_uvloop": True})
    except* ConfigError as errors:
        logger.error("%s", _first(errors))  # noqa: TRY400 - a traceback would not help
        sys.exit(MISCONFIGURED)


def _first(error: BaseException) -> BaseException:
    """Return the first leaf of a possibly nested exception group."""
    while isinstance(error, BaseExceptionGroup):
        error = cast("BaseExceptionGroup[BaseException]", error).exceptions[0]
    return error
