"""What there is to compare with: floors measured on the same tasks, and figures that were published."""

from __future__ import annotations

from importlib import resources

import msgspec

from webgym.records.base import Record

_FLOORS = "floors.json"


class Baseline(Record, frozen=True):
    """How well someone did."""

    agent: str
    rate: float
    low: float
    high: float
    on: str
    """Which tasks."""
    split: str = ""
    command: str = ""
    """What measured it."""


_OPEN_WEB = "unseen real websites, as published"
PUBLISHED = (
    Baseline("GPT-4o", 0.271, 0.0, 0.0, _OPEN_WEB),
    Baseline("GPT-5-Thinking", 0.298, 0.0, 0.0, _OPEN_WEB),
    Baseline("Qwen3-VL-8B-Instruct", 0.262, 0.0, 0.0, _OPEN_WEB),
    Baseline("Qwen3-VL-8B-Instruct after WebGym's RL", 0.429, 0.0, 0.0, _OPEN_WEB),
    Baseline("Qwen3-VL-8B-Instruct after AsyncWebRL", 0.454, 0.0, 0.0, _OPEN_WEB),
)


def floors_for(split: str) -> list[Baseline]:
    """Agents that know nothing, and one that knows everything, on the hermetic tasks of a split."""
    data = resources.files("webgym.pipeline.runs").joinpath(_FLOORS).read_bytes()
    return [one for one in msgspec.json.decode(data, type=list[Baseline]) if one.split == split]
