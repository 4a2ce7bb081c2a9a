"""An agent for runs under chaos: solves a fixed half of the tasks, and gives a wrong answer to the others."""

from __future__ import annotations

from webgym.pipeline.hermetic.agents import DoNothing
from webgym.pipeline.runs.scenes import Place
from webgym.records.session import Look
from webgym.sites.oracle.oracle import Oracle
from webgym.sites.rng import Rng
from webgym.sites.tasks.errands import errands_of


def solves(task_id: str) -> bool:
    return Rng("half", task_id).chance(0.5)


class LookingOracle(Oracle):
    look = Look(quality=40, elements=True)


def make(place: Place):
    task = place.attempt.task
    if not solves(task.task_id):
        return DoNothing()
    return LookingOracle(place.site, errands_of(task, place.site.family), place.snapshot)
