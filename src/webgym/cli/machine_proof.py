"""The proof that this machine can run sessions, and the memory of it: what has not changed is not proven again."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from webgym.browser.config import ChromiumConfig
from webgym.browser.tokens import state_folder
from webgym.errors import ConfigError
from webgym.files import write_whole
from webgym.version import __version__

_SECONDS = 120.0
"""Far more than the browser's own deadlines add up to."""


def prove_machine(config: ChromiumConfig) -> float:
    """Open a page in the browser and take one step, in a process of its own; return how many seconds that took.

    Raises:
        ConfigError: That does not work; the message says why.
    """
    command = [sys.executable, "-m", "webgym.browser.server.chromium.proof", config.model_dump_json()]
    started = time.monotonic()
    try:
        proof = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired as error:
        raise ConfigError(f"a session with one step did not end in {_SECONDS:g} s on this machine") from error
    if proof.returncode != 0:
        reason = proof.stderr.strip() or f"exit code {proof.returncode}"
        raise ConfigError(f"no session can be run on this machine: {reason}")
    _remember(config)
    return time.monotonic() - started


def is_proven(config: ChromiumConfig) -> bool:
    """Return whether the same driver and the same browser were proven to work on this machine before."""
    try:
        return _memory(config).read_text("utf-8") == _programs(config)
    except (OSError, UnicodeDecodeError):
        return False


def _remember(config: ChromiumConfig) -> None:
    try:
        _memory(config).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(_memory(config), _programs(config))
    except OSError:  # a home that cannot be written to: it is proven again
        return


def _memory(config: ChromiumConfig) -> Path:
    return state_folder() / ("proven-headed" if config.headed else "proven")


def _programs(config: ChromiumConfig) -> str:
    """Return what identifies the programs of the proof: an update changes their sizes or times."""
    from webgym.browser.server.chromium.executable import find_executable
    from webgym.browser.server.chromium.startable import driver_executable

    paths = [driver_executable(), find_executable(config.executable, headed=config.headed)]
    states = [Path(path).resolve().stat() for path in paths]
    files = [f"{path} {state.st_size} {state.st_mtime_ns}" for path, state in zip(paths, states, strict=True)]
    return "\n".join((__version__, *files))
