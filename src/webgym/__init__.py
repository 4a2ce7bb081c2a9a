"""WebGym: train visual web agents with reinforcement learning.

The names listed here are the public API. Each is imported on first use, so `import webgym` is cheap.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from webgym.version import __version__

if TYPE_CHECKING:
    from pathlib import Path

    from webgym.browser.client import connect, connect_sync
    from webgym.errors import WebGymError
    from webgym.records.action import (
        Answer,
        AnswerDialog,
        Back,
        Click,
        CloseTab,
        Drag,
        Forward,
        Hover,
        MarkRef,
        Navigate,
        NewTab,
        Point,
        Press,
        Reload,
        Scroll,
        Select,
        SwitchTab,
        TypeText,
        Upload,
        Wait,
    )
    from webgym.records.observation import Capture
    from webgym.records.session import Look, SessionSpec
    from webgym.records.task import Task
    from webgym.records.verdict import Verdict
    from webgym.run.commands import run_eval, run_eval_async, run_rollout, run_rollout_async
    from webgym.run.train_commands import run_train, run_train_async
    from webgym.stages import Agent, Browser, Judge, Policy, Session, Trainer
    from webgym.store.read import Run

__all__ = [
    "Agent",
    "Answer",
    "AnswerDialog",
    "Back",
    "Browser",
    "Capture",
    "Click",
    "CloseTab",
    "Drag",
    "Forward",
    "Hover",
    "Judge",
    "Look",
    "MarkRef",
    "Navigate",
    "NewTab",
    "Point",
    "Policy",
    "Press",
    "Reload",
    "Scroll",
    "Select",
    "Session",
    "SessionSpec",
    "SwitchTab",
    "Task",
    "Trainer",
    "TypeText",
    "Upload",
    "Verdict",
    "Wait",
    "WebGymError",
    "__version__",
    "connect",
    "connect_sync",
    "load_run",
    "run_eval",
    "run_eval_async",
    "run_rollout",
    "run_rollout_async",
    "run_train",
    "run_train_async",
]

_ELSEWHERE = {
    "webgym.browser.client": "connect connect_sync",
    "webgym.errors": "WebGymError",
    "webgym.run.commands": "run_eval run_eval_async run_rollout run_rollout_async",
    "webgym.run.train_commands": "run_train run_train_async",
    "webgym.records.action": (
        "Answer AnswerDialog Back Click CloseTab Drag Forward Hover MarkRef Navigate NewTab Point Press Reload Scroll "
        "Select SwitchTab TypeText Upload Wait"
    ),
    "webgym.records.observation": "Capture",
    "webgym.records.session": "Look SessionSpec",
    "webgym.records.task": "Task",
    "webgym.records.verdict": "Verdict",
    "webgym.stages": "Agent Browser Judge Policy Session Trainer",
}
_HOMES = {name: module for module, names in _ELSEWHERE.items() for name in names.split()}


def load_run(path: str | Path) -> Run:
    """Open the run in this folder to read its rows, trajectories and pictures.

    Raises:
        StoreError: There is no run, or this version cannot read it.
    """
    from webgym.store.read import open_run  # noqa: PLC0415 - importing webgym stays light

    return open_run(path)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        home = importlib.import_module(_HOMES[name])
    except ImportError as error:
        error.add_note(f"webgym.{name} needs more packages than are installed: `webgym setup` gets them")
        raise
    found: object = getattr(home, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
