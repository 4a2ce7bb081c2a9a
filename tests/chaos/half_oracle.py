"""An agent for runs under chaos: solves a fixed half of the tasks, and gives a wrong answer to the others."""

from __future__ import annotations

from webgym.agent.baselines import DoNothing
from webgym.records.session import Look
from webgym.rng import Rng
from webgym.stages import AttemptSetup
from webgym_hermetic.environment import hermetic_state
from webgym_hermetic.oracle.oracle import Oracle
from webgym_hermetic.tasks.goals import goals_of


def solves(task_id: str) -> bool:
    return Rng("half", task_id).chance(0.5)


class LookingOracle(Oracle):
    look = Look(quality=40, elements=True)


def make(setup: AttemptSetup):
    task = setup.attempt.task
    if not solves(task.task_id):
        return DoNothing()
    state = hermetic_state(setup)
    return LookingOracle(state.site, goals_of(task, state.site.family), state.snapshot)
