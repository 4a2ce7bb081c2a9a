"""The rollout workflow that AReaL runs, and imports by its name. Needs AReaL."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import msgspec

from webgym.interop.areal.package import areal
from webgym.interop.areal.policy import Engine
from webgym.interop.areal.request import request_maker
from webgym.interop.areal.settings import ArealSettings
from webgym.interop.areal.stage_thread import stage_thread_for
from webgym.records.task import Task

NAME = f"{__name__}.GroupWorkflow"
_RolloutWorkflow: Any = areal("api.workflow_api").RolloutWorkflow


class GroupWorkflow(_RolloutWorkflow):
    """A whole group of attempts is one episode: AReaL need not, and must not, group anything (`n_samples: 1`).

    Infrastructure failures, blocked sites and judges without a verdict take no part in a group. A group of which fewer
    than two attempts have a reward, or all the same, is rejected.

    Args:
        settings: An `ArealSettings`, or its fields.
    """

    def __init__(self, settings: ArealSettings | Mapping[str, Any]) -> None:
        # AReaL makes one of these for every group, so it only remembers.
        self._settings = ArealSettings.model_validate(settings)

    async def arun_episode(self, engine: Engine, data: dict[str, Any]) -> dict[str, Any] | None:
        """A group of attempts at `data["task"]`, as AReaL's trajectory; None: nothing to learn from."""
        context = areal("infra.workflow_context")
        task = msgspec.convert(data["task"], Task)
        host = areal("utils.network").gethostip
        stage_thread = await asyncio.to_thread(stage_thread_for, self._settings, task, host)
        learn = not context.get().is_eval
        played = await stage_thread.play(engine, request_maker(self._settings), task, learn=learn)
        areal("utils.stats_tracker").get(context.stat_scope()).scalar(**played.figures)
        return played.trajectory


def items(tasks: list[Task]) -> list[dict[str, Any]]:
    """Tasks as the rows of a dataset: plain data, which AReaL sends to its workers."""
    return [{"task": msgspec.to_builtins(task)} for task in tasks]
