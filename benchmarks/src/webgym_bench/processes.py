"""CPU time and memory of a process tree, including the CPU time of processes that have exited."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
import psutil

from webgym.errors import BrowserFault

_PR_SET_CHILD_SUBREAPER = 36
_ATTEMPTS = 200
_AGAIN_SECONDS = 0.05
_CHROMIUM_ROLES = {
    "zygote": "pages",
    "renderer": "pages",
    "gpu-process": "graphics",
    "utility": "network",
}
_MEGABYTE = 1024
"""In kilobytes, the unit of /proc."""


@contextmanager
def orphans_adopted() -> Generator[None]:
    """Make this process the subreaper of its descendants for the duration of the block.

    Orphans stay in the tree and are not reaped before the benchmark ends, so their CPU time stays readable.
    """
    _adopt(True)
    try:
        yield
    finally:
        _adopt(False)
        for child in psutil.Process().children():
            if not _is_alive(child.pid):
                child.wait(0)


def _adopt(adopting: bool) -> None:
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, int(adopting), 0, 0, 0)


@dataclass(frozen=True)
class Usage:
    """Cumulative CPU seconds at one point in time."""

    by: dict[str, float]
    """CPU seconds of this process and its descendants, without the excluded ones, by role: `client` (this process), the
    parts of Chromium, Playwright's `driver`, `python`, and browsers that have `ended`."""
    left_out: float
    machine: float
    """CPU seconds of the whole machine."""

    def __sub__(self, earlier: Usage) -> Usage:
        by = {name: seconds - earlier.by.get(name, 0.0) for name, seconds in self.by.items()}
        return Usage(by, self.left_out - earlier.left_out, self.machine - earlier.machine)

    @property
    def tree(self) -> float:
        """CPU seconds of the tree, summed over roles."""
        return sum(self.by.values())

    @property
    def elsewhere(self) -> float:
        """CPU seconds used by neither the tree nor the excluded processes."""
        return max(0.0, self.machine - self.tree - self.left_out)


@dataclass(frozen=True)
class Memory:
    """Proportional set sizes (PSS) in megabytes."""

    system: float
    """PSS of all descendants of this process, without the excluded ones."""
    client: float
    """PSS of this process."""
    processes: int


async def usage(leave_out: int) -> Usage:
    """Read the cumulative CPU time of the tree, without the subtree of `leave_out`.

    The CPU time of an exited process moves to the parent that reaps it, so a reading misses nothing and counts nothing
    twice as long as no process starts or exits meanwhile. If one does, the reading is repeated.
    """
    for _ in range(_ATTEMPTS):
        before = _below(os.getpid())
        apart = _below(leave_out)
        by: dict[str, float] = {}
        for process in before:
            if process not in apart:
                for role, seconds in _seconds_by_role(process):
                    by[role] = by.get(role, 0.0) + seconds
        read = Usage(by, left_out=sum(map(_seconds, apart)), machine=_machine())
        if before == _below(os.getpid()):
            return read
        await anyio.sleep(_AGAIN_SECONDS)
    raise BrowserFault("processes kept starting and ending while their processor time was read")


def memory(leave_out: int) -> Memory:
    """Read the current PSS. Costs the kernel tens of milliseconds per process, so keep it out of the timed part."""
    apart_ids = {process.pid for process in _below(leave_out)} | {os.getpid()}
    ours = [process.pid for process in _below(os.getpid()) if process.pid not in apart_ids]
    return Memory(
        system=sum(map(_pss, ours)) / _MEGABYTE,
        client=_pss(os.getpid()) / _MEGABYTE,
        processes=sum(_is_alive(pid) for pid in ours),
    )


def _below(pid: int) -> list[psutil.Process]:
    try:
        top = psutil.Process(pid)
        return [top, *top.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def _seconds(process: psutil.Process) -> float:
    return sum(seconds for _, seconds in _seconds_by_role(process))


def _seconds_by_role(process: psutil.Process) -> tuple[tuple[str, float], ...]:
    """CPU time of the process itself, and of the children it has reaped."""
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:
        return ()
    role = _role(process)
    # A zygote reaps renderers; every other process reaps whole browsers.
    below = role if role == "pages" else "ended"
    return (role, times.user + times.system), (below, times.children_user + times.children_system)


def _role(process: psutil.Process) -> str:
    if process.pid == os.getpid():
        return "client"
    try:
        name, words = process.name(), process.cmdline()
    except psutil.ZombieProcess:  # counted as it will be when it has been reaped
        parent = process.parent()
        return "pages" if parent and _role(parent) == "pages" else "ended"
    except psutil.NoSuchProcess:
        return "ended"
    if name.startswith("node"):
        return "driver"
    if not name.startswith(("chrom", "headless_shell", "google-chrome")):
        return name
    kind = next((word.removeprefix("--type=") for word in words if word.startswith("--type=")), "browser")
    return _CHROMIUM_ROLES.get(kind, kind)


def _machine() -> float:
    times = psutil.cpu_times()
    return times.user + times.nice + times.system + times.irq + times.softirq


def _is_alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def _pss(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii").splitlines()
    except OSError:  # the process has just exited
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
