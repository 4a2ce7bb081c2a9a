"""Rows as the store gives them."""

from __future__ import annotations

from typing import Any

from webgym.store.rows import Row

_REWARDS = {"success": 1.0, "failure": 0.0, "truncated": 0.0}


def row(number: int, outcome: str | None = "success", **changes: Any) -> Row:
    """An attempt in one line."""
    values: dict[str, Any] = {
        "attempt_id": f"a-{number}",
        "task_id": f"task-{number}",
        "site": "shop.test",
        "domain": "shopping",
        "template": "buy",
        "level": "easy",
        "difficulty": 2,
        "instruction": f"Buy thing {number}",
        "group": "",
        "member": 0,
        "outcome": outcome,
        "detail": "",
        "reward": _REWARDS.get(outcome or ""),
        "steps": number,
        "answer": None,
        "facts_held": 2 if outcome == "success" else 1,
        "facts": 2,
        "began": 100.0 + number,
        "ended": None if outcome is None else 130.0 + number,
        "queued": 0.0,
        "last_action": "click",
        "prompt_tokens": 0,
        "sampled_tokens": 0,
        "cost": 0.0,
        "failed_tries": 0,
    }
    return Row(**(values | changes))
