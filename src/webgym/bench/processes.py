"""What a tree of processes costs: processor time, including of processes that have ended, and memory."""

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
"""In the kilobytes of /proc."""


@contextmanager
def orphans_adopted() -> Generator[None]:
    """While inside, this process is the parent of descendants whose own parent ends before them.

    They stay in the tree, and what they used stays readable: nobody waits for them until the benchmark ends.
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
    """Processor seconds up to one moment."""

    by: dict[str, float]
    """Of this process and all below it, less those left out, by what they are: this `client`, the parts of Chromium,
    Playwright's `driver`, `python`, and whole browsers that have `ended`."""
    left_out: float
    machine: float
    """Of everything that runs here."""

    def __sub__(self, earlier: Usage) -> Usage:
        by = {name: seconds - earlier.by.get(name, 0.0) for name, seconds in self.by.items()}
        return Usage(by, self.left_out - earlier.left_out, self.machine - earlier.machine)

    @property
    def tree(self) -> float:
        """All of them together."""
        return sum(self.by.values())

    @property
    def elsewhere(self) -> float:
        """What neither the system under test nor the page server used."""
        return max(0.0, self.machine - self.tree - self.left_out)


@dataclass(frozen=True)
class Memory:
    """Proportional set sizes in megabytes."""

    system: float
    """Of everything below this process."""
    client: float
    """Of this process."""
    processes: int


async def usage(leave_out: int) -> Usage:
    """Processor time so far.

    A process hands what it used to whoever waits for it, so nothing is lost or counted twice as long as none starts or
    goes while they are read: then they are read again.
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
    """Proportional set sizes now. Takes the kernel tens of milliseconds per process: not for the timed part."""
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
    """Its own, and that of children it has waited for."""
    try:
        times = process.cpu_times()
    except psutil.NoSuchProcess:
        return ()
    role = _role(process)
    # What a zygote has waited for are pages; what others have waited for are whole browsers.
    below = role if role == "pages" else "ended"
    return (role, times.user + times.system), (below, times.children_user + times.children_system)


def _role(process: psutil.Process) -> str:
    if process.pid == os.getpid():
        return "client"
    try:
        name, words = process.name(), process.cmdline()
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
    except OSError:  # it has just ended
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
