"""Machines on one: network namespaces, each with an address and a name of its own, joined by a switch."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_NETWORK = "10.77.0"


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True, timeout=30)


def missing() -> str:
    """Why there can be no machines here; empty if there can."""
    if os.geteuid() != 0:
        return "network namespaces need root"
    lacking = [program for program in ("ip", "curl") if shutil.which(program) is None]
    return f"not installed: {', '.join(lacking)}" if lacking else ""


@dataclass(frozen=True)
class Machine:
    """A network namespace."""

    name: str
    namespace: str
    folder: Path
    """Its temporary files."""

    def command(self, words: Sequence[str]) -> list[str]:
        """Return how to run a command there."""
        return ["ip", "netns", "exec", self.namespace, *words]

    def environment(self, more: Mapping[str, str]) -> dict[str, str]:
        """The environment of its processes: nothing of tokens but what is given."""
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("WEBGYM_")}
        own = {"TMPDIR": str(self.folder), "WEBGYM_HOME": str(self.folder / "home"), "WEBGYM_NO_SETUP": "1"}
        return {**inherited, **own, "COLUMNS": "200", **more}

    def processes(self) -> list[int]:
        """The processes that run there."""
        said = subprocess.run(["ip", "netns", "pids", self.namespace], capture_output=True, text=True, check=True)
        return [int(word) for word in said.stdout.split()]


@contextlib.contextmanager
def machines(folder: Path, *names: str) -> Generator[dict[str, Machine]]:
    """Machines that know and reach each other by name, and nothing else."""
    prefix = f"webgym{os.getpid()}-"
    made = {name: Machine(name, f"{prefix}{name}", folder / name) for name in names}
    hosts = "127.0.0.1 localhost\n" + "".join(f"{_NETWORK}.{n} {name}\n" for n, name in enumerate(names, 1))
    with contextlib.ExitStack() as stack:
        switch = f"{prefix}switch"
        stack.enter_context(_namespace(switch, ""))
        ip("-n", switch, "link", "add", "bridge", "type", "bridge")
        ip("-n", switch, "link", "set", "bridge", "up")
        for number, machine in enumerate(made.values(), 1):
            machine.folder.mkdir()
            stack.enter_context(_namespace(machine.namespace, hosts))
            port, there = f"port{number}", ("-n", machine.namespace)
            ip("-n", switch, "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", machine.namespace)
            ip("-n", switch, "link", "set", port, "master", "bridge", "up")
            ip(*there, "address", "add", f"{_NETWORK}.{number}/24", "dev", "eth0")
            ip(*there, "link", "set", "eth0", "up")
            ip(*there, "link", "set", "lo", "up")
        yield made


@contextlib.contextmanager
def _namespace(name: str, hosts: str) -> Generator[None]:
    files = Path("/etc/netns", name)
    ip("netns", "add", name)
    try:
        files.mkdir(parents=True)
        if hosts:
            (files / "hosts").write_text(hosts)
        yield
    finally:
        shutil.rmtree(files, ignore_errors=True)
        ip("netns", "delete", name)
