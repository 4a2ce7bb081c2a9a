"""Qwen2.5-VL: places in pixels of the image as resized by the model's processor."""

from __future__ import annotations

from webgym.agent.dialects.places import Coordinates
from webgym.agent.dialects.qwen_actions import QwenActions
from webgym.agent.dialects.spaces import ResizedPixels
from webgym.agent.dialects.tool_dialect import ToolDialect


def qwen2_5_vl(resized: ResizedPixels = ResizedPixels(), name: str = "qwen2.5-vl") -> ToolDialect:
    """Return the dialect for a server whose processor uses these `min_pixels` and `max_pixels`."""
    actions = QwenActions(
        tool="computer_use",
        schema="computer_use-pixels",
        places=Coordinates(resized),
        clicks={
            "left_click": ("left", 1),
            "double_click": ("left", 2),
            "triple_click": ("left", 3),
            "right_click": ("right", 1),
            "middle_click": ("middle", 1),
        },
        hover="mouse_move",
        drag="left_click_drag",
    )
    return ToolDialect(name, actions, "resized")


QWEN2_5_VL = qwen2_5_vl()
