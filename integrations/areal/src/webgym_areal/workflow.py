"""The rollout workflow that AReaL runs and imports by name. Needs AReaL."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import msgspec

from webgym.records.task import Task
from webgym_areal.package import areal
from webgym_areal.policy import Engine
from webgym_areal.request import request_maker
from webgym_areal.settings import ArealSettings
from webgym_areal.stage_thread import stage_thread_for

NAME = f"{__name__}.GroupWorkflow"
_RolloutWorkflow: Any = areal("api.workflow_api").RolloutWorkflow


class GroupWorkflow(_RolloutWorkflow):
    """Runs a whole group of attempts as one episode, so AReaL must not group anything itself (`n_samples: 1`).

    Attempts that end in an infrastructure failure, a blocked site or no verdict are left out of the group. A group is
    rejected if fewer than two attempts have a reward, or all rewards are equal.

    Args:
        settings: An `ArealSettings`, or its fields.
    """

    def __init__(self, settings: ArealSettings | Mapping[str, Any]) -> None:
        # AReaL creates one workflow per group, so keep this cheap.
        self._settings = ArealSettings.model_validate(settings)

    async def arun_episode(self, engine: Engine, data: dict[str, Any]) -> dict[str, Any] | None:
        """Run a group of attempts at `data["task"]`. Return AReaL's trajectory, or None if nothing can be learned."""
        context = areal("infra.workflow_context")
        task = msgspec.convert(data["task"], Task)
        host = areal("utils.network").gethostip
        stage_thread = await asyncio.to_thread(stage_thread_for, self._settings, task, host)
        learn = not context.get().is_eval
        played = await stage_thread.play(engine, request_maker(self._settings), task, learn=learn)
        areal("utils.stats_tracker").get(context.stat_scope()).scalar(**played.figures)
        return played.trajectory


def items(tasks: list[Task]) -> list[dict[str, Any]]:
    """Convert tasks to dataset rows of plain data, which AReaL sends to its workers."""
    return [{"task": msgspec.to_builtins(task)} for task in tasks]
