"""What nano is taught to see and say: the same in lessons, training and evaluations."""

from __future__ import annotations

from typing import Any

from webgym_nano.config import NanoConfig

LIMITS = {"easy": 10, "medium": 10, "hard": 10, "malformed": 3}
"""An oracle solves every task that nano is made for in at most 8 steps."""


def manner(config: NanoConfig = NanoConfig()) -> dict[str, Any]:
    """Return the settings of runs with a nano of these dimensions, by section."""
    return {
        "policy": {"max_tokens": 96, "length": 1024},
        # One screenshot, the task, the last six steps. Stronger compression would blur 12-pixel text.
        "agent": {
            "dialect": "nano",
            "prompt": "nano-1",
            "rounds": 0,
            "max_images": 1,
            "max_prompt_tokens": 4000,
            "past_steps": 6,
            "screenshot": "jpeg",
            "quality": 90,
        },
        "browser": {"width": config.width, "height": config.height},
        "limits": dict(LIMITS),
        "evaluate": {"limits": dict(LIMITS)},
    }
