"""Describes the hardware and software a benchmark ran on."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import version
from pathlib import Path

import psutil

from webgym_bench.baseline_browser import BaselineBrowser, headless_shell, published_executable


def machine(baseline: BaselineBrowser = "auto", other: str = "") -> dict[str, object]:
    """Describe the machine and its browsers. Call before anything is started: the load average is part of it."""
    published = published_executable(baseline)
    return {
        **hardware(),
        "playwright": version("playwright"),
        "chromium": _version(headless_shell()),
        "published_chromium": f"{Path(published).name}: {_version(published)}",
        **({"other_chromium": _version(other)} if other else {}),
    }


def hardware() -> dict[str, object]:
    """Describe the machine only, for benchmarks that need no browser installed."""
    return {
        "cores": os.cpu_count() or 1,
        "processor": _processor(),
        "memory_mb": psutil.virtual_memory().total // 2**20,
        "system": platform.platform(),
        "python": platform.python_version(),
        "load_average": round(os.getloadavg()[0], 2),
    }


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")


def _version(executable: str) -> str:
    asked = subprocess.run([executable, "--version"], capture_output=True, text=True, timeout=30, check=False)  # noqa: S603
    return asked.stdout.strip()
