"""`webgym doctor`: check this machine for missing requirements."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import typer
from rich.console import Console
from rich.markup import escape

from webgym.browser.config import ChromiumConfig
from webgym.cli.failures import ExitCode
from webgym.errors import WebGymError
from webgym.serving.gpus import Gpu, count_gpus, describe_gpus

_SERVER_PACKAGES = ("playwright", "fastapi", "uvicorn", "uvloop", "httptools", "psutil", "PIL")
_RUNS = "runs"
_ROOM_BYTES = 20 * 2**30
"""Default image budget of a run."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    what: str
    found: str
    remedy: str = ""
    """What to do about it; empty if the check passed."""
    needed: bool = True

    @property
    def mark(self) -> str:
        """The status shown in front of the finding."""
        if not self.remedy:
            return "[green]ok[/]      "
        return "[red]missing[/] " if self.needed else "[yellow]note[/]    "


def doctor() -> None:
    """Check this machine for missing requirements.

    Prints a remedy for each problem. Exits with 5 if something required is missing.
    """
    console = Console(highlight=False, soft_wrap=True, emoji=False)
    findings = [*(check() for check in _CHECKS), *_gpus()]
    for finding in findings:
        console.print(f"{finding.mark}{escape(f'{finding.what}: {finding.found}')}")
        if finding.remedy:
            console.print(f"        → {finding.remedy}", markup=False)
    if any(finding.remedy and finding.needed for finding in findings):
        raise typer.Exit(ExitCode.FAILURES)


def _python() -> Finding:
    version = ".".join(map(str, sys.version_info[:3]))
    return Finding("Python", version, "" if sys.version_info >= (3, 11) else "Python 3.11 or newer is needed")


def _packages() -> Finding:
    missing = [name for name in _SERVER_PACKAGES if not _importable(name)]
    if not missing:
        return Finding("packages for serving browsers", "all installed")
    return Finding("packages for serving browsers", f"missing: {', '.join(missing)}", "webgym setup")


def _importable(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def _browser() -> Finding:
    from webgym.browser.server.chromium.executable import find_executable

    try:
        path = find_executable()
    except WebGymError as error:
        return Finding("browser", "none", str(error))
    version = subprocess.run([str(path), "--version"], capture_output=True, text=True, check=False, timeout=30)
    if version.returncode != 0:
        reason = version.stderr.strip().splitlines()[-1:] or ["no reason given"]
        return Finding("browser", f"{path} does not start: {reason[0]}", "webgym setup, which installs its libraries")
    return Finding("browser", f"{version.stdout.strip() or 'Chromium'} at {path}")


def _session() -> Finding:
    """Return whether a page opens in the browser and a step works, which needs everything that serving needs."""
    from webgym.cli.machine_proof import prove_machine

    if not _importable("playwright"):
        return Finding("a session with one step", "not tried without the packages", "webgym setup")
    try:
        seconds = prove_machine(ChromiumConfig())
    except WebGymError as error:
        return Finding("a session with one step", "does not work", str(error))
    return Finding("a session with one step", f"works, {seconds:.1f} s from the start of the driver to its end")


def _headed() -> Finding:
    from webgym.browser.server.chromium.display import check_headed

    try:
        check_headed()
    except WebGymError as error:
        return Finding(
            "headed browser", f"missing (only live websites need it): {error}", "webgym setup --headed", needed=False
        )
    return Finding("headed browser", "available")


def _sandbox() -> Finding:
    if os.geteuid() == 0:
        return Finding("Chromium's sandbox", "off: running as root", "run as another user to enable it", needed=False)
    switch = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
    if switch.exists() and switch.read_text().strip() == "1":
        remedy = "sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0"
        return Finding("Chromium's sandbox", "unprivileged user namespaces are restricted", remedy, needed=False)
    return Finding("Chromium's sandbox", "on")


def _emoji() -> Finding:
    listing = shutil.which("fc-list")
    if listing is None:
        return Finding("fonts", "not checked: fc-list is not installed")
    fonts = subprocess.run([listing, ":charset=1f600"], capture_output=True, text=True, check=False).stdout
    remedy = "" if fonts.strip() else "apt-get install fonts-noto-color-emoji; otherwise emoji show as boxes"
    return Finding("fonts", "emoji font found" if fonts.strip() else "no emoji font", remedy, needed=False)


def _memory() -> Finding:
    pages, size = os.sysconf("SC_AVPHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
    free = pages * size // 2**20
    remedy = "" if free > 1024 else "a session takes about 100 MB; free some memory"
    room = max(0, free - 512) // 100
    return Finding("memory", f"{free} MB free, room for about {room} sessions", remedy, needed=False)


def _disk() -> Finding:
    runs = Path.cwd() / _RUNS
    free = shutil.disk_usage(next(place for place in (runs, *runs.parents) if place.exists())).free
    remedy = "" if free > _ROOM_BYTES else "a run stores up to 20 GB of images; store.root=FOLDER stores it elsewhere"
    return Finding("disk", f"{free // 2**30} GB free for runs, in {runs}", remedy, needed=False)


def _torch() -> str | None:
    # Importing torch takes seconds; its version and the driver tell whether it can use the GPUs.
    try:
        return importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        return None


def _training() -> Finding:
    version = _torch()
    if version is None:
        return Finding("training", "torch is not installed", "webgym setup --training, to train here", needed=False)
    gpus = count_gpus()
    if gpus and version.endswith("+cpu"):
        remedy = "install a CUDA build of torch: https://pytorch.org/get-started"
        return Finding("training", f"torch {version}, which cannot use the GPU here", remedy, needed=False)
    return Finding("training", f"torch {version}, {gpus or 'no'} {'GPUs' if gpus > 1 else 'GPU'}")


def _gpus() -> list[Finding]:
    """Return the GPUs that torch can use."""
    version = _torch()
    if version is None or version.endswith("+cpu"):
        return []
    return [Finding(f"GPU {number}", f"{gpu.name}, {_room(gpu)}") for number, gpu in enumerate(describe_gpus())]


def _room(gpu: Gpu) -> str:
    return f"{gpu.free / 2**30:.1f} of {gpu.total / 2**30:.1f} GB free"


_CHECKS: tuple[Callable[[], Finding], ...] = (
    _python,
    _packages,
    _browser,
    _session,
    _headed,
    _sandbox,
    _emoji,
    _memory,
    _disk,
    _training,
)
