"""Rows for tests."""

from __future__ import annotations

from typing import Any

from webgym.records.task import FactGroup
from webgym.records.task_row import Provenance, TaskRow


def facts(number: int) -> tuple[FactGroup, ...]:
    return (FactGroup(1, "all", tuple(f"Fact {one} holds." for one in range(number))),) if number else ()


def row(task_id: str, instruction: str = "", website: str = "", *, source: str = "one", **more: Any) -> TaskRow:
    text = instruction or f"Do the thing that is called {task_id} and say how it went"
    return TaskRow(task_id, text, website, provenance=Provenance(source=source), **more)
