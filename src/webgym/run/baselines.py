"""Baselines to compare with: floors measured on the same tasks, and published results."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any, Literal

import msgspec

from webgym.records.base import Record
from webgym.run.spelling import respelled

_FLOORS = "floors.json"


class Baseline(Record, frozen=True):
    """The success rate of an agent."""

    agent: str
    rate: float
    low: float
    high: float
    on: str
    """Description of the tasks."""
    split: str = ""
    command: str = ""
    """Command that measured it; empty for published results."""


Kind = Literal["hermetic", "published test set", "other"]
"""Kind of a run's tasks: generated hermetic tasks, which have floors; those of the published test set; or neither."""

_PUBLISHED = "the published test set of real websites, as published"
_TEST_SET = ("webgym", "test")
_CHOSEN = ("levels", "templates", "task_ids")
"""Settings that leave some kinds of tasks out."""
PUBLISHED = (
    Baseline("GPT-4o", 0.271, 0.0, 0.0, _PUBLISHED),
    Baseline("GPT-5-Thinking", 0.298, 0.0, 0.0, _PUBLISHED),
    Baseline("Qwen3-VL-8B-Instruct", 0.262, 0.0, 0.0, _PUBLISHED),
    Baseline("Qwen3-VL-8B-Instruct after WebGym's RL", 0.429, 0.0, 0.0, _PUBLISHED),
    Baseline("Qwen3-VL-8B-Instruct after AsyncWebRL", 0.454, 0.0, 0.0, _PUBLISHED),
)


def kind_of(config: str) -> Kind:
    """Return the kind of a run with this stored configuration."""
    # Read only this section, as training configurations have others that `RunConfig` rejects.
    settings = respelled(tomllib.loads(config))
    tasks: dict[str, Any] = settings.get("tasks", {})
    match tasks.get("use", "env"):
        case "env" | "hermetic" if settings.get("env", {}).get("use", "hermetic") == "hermetic":
            return "hermetic"
        case "set" if _is_published_test(tasks):
            return "published test set"
        case _:
            return "other"


def _is_published_test(tasks: Mapping[str, Any]) -> bool:
    """Return whether a run attempts the tasks that the published figures are of, or a uniform sample of them."""
    name, _, split = str(tasks.get("file", "")).partition(":")
    return (
        (name, split or tasks.get("split", "test")) == _TEST_SET
        and tasks.get("sampler", "uniform") == "uniform"
        and not any(tasks.get(setting) for setting in _CHOSEN)
    )


def baselines_for(kinds: Sequence[Kind], split: str) -> Sequence[Baseline]:
    """Return the baselines for runs on tasks of these kinds; none if the kinds differ."""
    if all(kind == "hermetic" for kind in kinds):
        return floors_for(split)
    return PUBLISHED if all(kind == "published test set" for kind in kinds) else ()


def floors_for(split: str) -> list[Baseline]:
    """Return the measured baselines on the hermetic tasks of a split: trivial agents, and the oracle."""
    data = resources.files("webgym.run").joinpath(_FLOORS).read_bytes()
    return [one for one in msgspec.json.decode(data, type=list[Baseline]) if one.split == split]
