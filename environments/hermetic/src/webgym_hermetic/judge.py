"""The exact verifier: checks rubric facts against the site's own state."""

from __future__ import annotations

from webgym.errors import SiteStateError
from webgym.records.task import Task
from webgym.records.verdict import FactVerdict, Verdict
from webgym_hermetic.goal import End
from webgym_hermetic.site import Site
from webgym_hermetic.states import Snapshot, replay
from webgym_hermetic.tasks.goals import goals_of
from webgym_hermetic.worlds import world_of


def judge(site: Site, task: Task, snapshot: Snapshot, answer: str) -> Verdict:
    """Judge every fact of the task's rubric by the site's final state, the pages visited and the answer.

    Raises:
        SiteStateError: The task or the snapshot belongs to another site.
    """
    if snapshot.site != site.name or f"//{site.name}.localhost" not in task.website:
        raise SiteStateError(f"task {task.task_id} and a snapshot of {snapshot.site} cannot be judged on {site.name}")
    end = End(world_of(site), replay(site, snapshot.events), snapshot.visits, answer)
    return Verdict(
        tuple(
            FactVerdict(group, index, goal.holds(fact.name, end))
            for group, goal in enumerate(goals_of(task, site.family), start=1)
            for index, fact in enumerate(goal.facts(end.world))
        )
    )
