"""To-do lists for tests: the application's description, changed, and attempts at its tasks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from webgym.records.environment import TaskSelection
from webgym.records.trajectory import Attempt
from webgym.stages import EnvironmentNeeds

from webgym_webapp import Application, WebappEnvironment
from webgym_webapp.application import read_application

FILE = Path(__file__).parent / "todo" / "app.toml"


def todo(**changes: Any) -> Application:
    return msgspec.structs.replace(read_application(FILE), **changes)


def environment(*, instances: int = 2, wait_seconds: float = 60.0, **changes: Any) -> WebappEnvironment:
    return WebappEnvironment(application=todo(**changes), instances=instances, wait_seconds=wait_seconds)


def attempt(of: WebappEnvironment, task: str = "add-milk", member: int = 0) -> Attempt:
    [found] = of.tasks(TaskSelection(task_ids=(task,)))
    return Attempt(f"{task}/{member}", found, task, member, seed=member)


def needs(of: WebappEnvironment, attempts: int = 2) -> EnvironmentNeeds:
    return EnvironmentNeeds(list(of.tasks(TaskSelection())), attempts)


def instance_of(setup: Any) -> Any:
    """The instance that an attempt was given."""
    return setup.end.instance


def alive(port: int) -> list[int]:
    """Ids of the processes that were started to serve this port."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                command = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if str(port).encode() in command and b"todo.py" in b" ".join(command):
                found.append(int(entry.name))
    return found
