"""How `webgym serve` configures its processes: a plan file readable only by its owner, and their entry point."""

from __future__ import annotations

import os
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio

from webgym.browser.config import GatewayConfig, NodeConfig, StrictConfig
from webgym.browser.server.processes import SCRATCH, tell_standing
from webgym.concurrency import leaves
from webgym.errors import ConfigError
from webgym.serving.parent_death import die_with_parent
from webgym.telemetry import log
from webgym.telemetry.log import LogStyle

MISCONFIGURED = 2
"""Exit code of a process that can never start as it is configured. What it last told of its standing says why."""


class LaunchPlan(StrictConfig):
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
    misconfigured: list[str] = []
    try:
        anyio.run(serve, plan, backend_options={"use_uvloop": True})
    except* ConfigError as errors:
        misconfigured = [str(error) for error in leaves(errors)]
    if misconfigured:
        tell_standing(Path(os.environ[SCRATCH]), misconfigured[0])
        # Not inside `except*`: Python 3.11.2 wraps what is raised there in a group, so that the exit code is 1.
        sys.exit(MISCONFIGURED)
