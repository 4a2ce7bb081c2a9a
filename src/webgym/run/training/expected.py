"""The expected size of an update, from the configuration, and the resources that the trainer needs for it."""

from __future__ import annotations

import os
from collections.abc import Sequence

from webgym.records.task import Task
from webgym.run.training.config import TrainConfig
from webgym.serving.gpus import count_gpus
from webgym.train.messages import Ready, UpdateBounds
from webgym.train.recipe import GroupSource, ReplaySource
from webgym.train.settings import TrainerSettings

_TEXT = 500
"""Rough number of text tokens in a prompt."""


def expected_of(config: TrainConfig, tasks: Sequence[Task]) -> UpdateBounds:
    """Return an upper bound: attempts that use all their steps, and prompts with as many images as allowed."""
    agent, policy = config.agent, config.policy
    return UpdateBounds(
        rows=_rows(config, tasks),
        text=_TEXT + policy.max_tokens,
        pictures=min(agent.rounds + 1, agent.max_images),
        width=config.browser.width,
        height=config.browser.height,
        most=policy.length if policy.server == "engine" else agent.max_prompt_tokens + policy.max_tokens,
    )


def _rows(config: TrainConfig, tasks: Sequence[Task]) -> int:
    match config.train.whole().source:
        case ReplaySource(steps=steps):
            return steps
        case GroupSource(groups=groups, members=members):
            steps = sum(getattr(config.limits, task.level) for task in tasks) / max(1, len(tasks))
            return round(groups * members * steps)


def needs_told(ready: Ready, processes: int = 1, *, timed: bool = True) -> str:
    """Return a one-line summary of the trainer's needs; if `timed`, with a bound on the time of an update.

    Where the size of updates is decided on the way, the bound is so far off that it only misleads.
    """
    each = f" in each of {processes} processes" if processes > 1 else ""
    update = f"; an update takes up to about {_duration(ready.seconds)}" if timed and ready.seconds else ""
    return (
        f"{ready.parameters / 1e6:,.1f} million parameters, {ready.learning / 1e6:,.1f} million trainable; "
        f"about {ready.memory_bytes / 1e9:.1f} GB of memory{each} and {ready.disk_bytes / 1e9:.1f} GB of disk "
        f"to train{update}"
    )


def rehearsal_told(settings: TrainerSettings) -> str:
    """Return what several trainer processes do on a CPU; empty if they are few or have GPUs."""
    on_cpu = settings.device == "cpu" or (settings.device == "auto" and not count_gpus())
    if settings.processes == 1 or not on_cpu:
        return ""
    return (
        f"trainer.processes={settings.processes} on a CPU: {settings.processes} processes hold a part of the model "
        f"each and share the {os.cpu_count() or 1} cores of this machine, with the results of one process, and more "
        "slowly. That rehearses training on several GPUs; otherwise leave it at 1"
    )


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"
