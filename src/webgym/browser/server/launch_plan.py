"""What `webgym serve` hands to the processes it starts: a file that only its owner can read."""

from __future__ import annotations

import os
from pathlib import Path

from webgym.browser.config import Config, GatewayConfig, NodeConfig
from webgym.telemetry.log import LogStyle


class LaunchPlan(Config):
    """Configuration and secrets of one fleet process."""

    gateway: GatewayConfig = GatewayConfig()
    node: NodeConfig = NodeConfig()
    client_token: str = ""
    join_token: str = ""
    log_style: LogStyle = "plain"
    """`quiet` is plain without what goes as it should."""


def write_plan(plan: LaunchPlan, path: Path) -> None:
    """Store the plan for its owner alone."""
    handle = os.open(path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "w") as file:
        file.write(plan.model_dump_json())


def read_plan(path: Path) -> LaunchPlan:
    """The plan that a process was started with."""
    return LaunchPlan.model_validate_json(path.read_text())
