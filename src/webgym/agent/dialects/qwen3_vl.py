"""Qwen3-VL, Instruct and Thinking: places in thousandths of the image, or by marks."""

from __future__ import annotations

from webgym.agent.dialects.places import Coordinates, Marks
from webgym.agent.dialects.qwen_actions import QwenActions
from webgym.agent.dialects.spaces import thousandths
from webgym.agent.dialects.tool_dialect import ToolDialect

_BY_PLACE = QwenActions(
    tool="computer_use",
    schema="computer_use-thousandths",
    places=Coordinates(thousandths),
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
_BY_MARK = QwenActions(
    tool="web_interaction",
    schema="web_interaction",
    places=Marks(),
    clicks={
        "click": ("left", 1),
        "double_click": ("left", 2),
        "triple_click": ("left", 3),
        "right_click": ("right", 1),
        "middle_click": ("middle", 1),
    },
    hover="hover",
    drag="drag",
)

INSTRUCT = ToolDialect("qwen3-vl", _BY_PLACE, "thousandths")
THINKING = ToolDialect("qwen3-vl-thinking", _BY_PLACE, "thousandths", thinks=True)
INSTRUCT_MARKS = ToolDialect("qwen3-vl-marks", _BY_MARK, "marks")
THINKING_MARKS = ToolDialect("qwen3-vl-thinking-marks", _BY_MARK, "marks", thinks=True)
