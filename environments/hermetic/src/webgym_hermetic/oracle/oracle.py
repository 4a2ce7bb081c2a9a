"""An agent that solves the tasks of hermetic sites, starting from any state."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from webgym.records.action import Answer, AnswerDialog
from webgym.records.decision import Decision, Turn
from webgym.records.observation import Capture, NoChange, Observation
from webgym_hermetic.goal import Goal
from webgym_hermetic.oracle.aim import aim
from webgym_hermetic.site import Site
from webgym_hermetic.states import Snapshot, replay
from webgym_hermetic.view import Home, Tap, View
from webgym_hermetic.worlds import world_of

RETRY = "do:retry"
"""Test id of the retry control of error pages."""


class Oracle:
    """An `Agent` that reads the site's state from the control plane and runs goals in order.

    Decisions depend only on the current observation and state, so it can take over from another agent at any step.
    Observations must be taken with `Look(elements=True)`.
    """

    def __init__(self, site: Site, goals: Sequence[Goal], snapshot: Callable[[], Awaitable[Snapshot]]) -> None:
        self._site = site
        self._goals = goals
        self._snapshot = snapshot
        self.done = 0
        """Number of leading goals that needed no further action at the latest decision."""

    async def decide(self, capture: Capture) -> Turn:
        """Return the next action."""
        decision, self.done = _decide(self._site, self._goals, capture.observation, await self._snapshot())
        return Turn(decision)


def decide(site: Site, goals: Sequence[Goal], seen: Observation, snapshot: Snapshot) -> Decision:
    """Return the next action towards completing these goals."""
    return _decide(site, goals, seen, snapshot)[0]


def _decide(site: Site, goals: Sequence[Goal], seen: Observation, snapshot: Snapshot) -> tuple[Decision, int]:
    """Return the next action, and how many goals are done; 0 if that cannot be determined."""
    if seen.dialog is not None:
        return Decision(AnswerDialog(accept=False), sentence="close the dialog"), 0
    view = View(
        site=site,
        world=world_of(site),
        state=replay(site, snapshot.events),
        visits=snapshot.visits,
        url=seen.url,
        elements=seen.elements or (),
        stuck=seen.sequence if isinstance(seen.effect, NoChange) else 0,
    )
    if f"//{site.name}.localhost" not in seen.url:
        return aim(Home(), view, seen.viewport), 0
    if (retry := view.find(RETRY)) is not None:
        return aim(Tap(retry), view, seen.viewport), 0
    for done, goal in enumerate(goals):
        intent = goal.next(view)
        if intent is not None:
            return aim(intent, view, seen.viewport), done
    return Decision(Answer(final_answer(goals, view)), sentence="everything is done"), len(goals)


def final_answer(goals: Sequence[Goal], view: View) -> str:
    """Return the joined answers of the goals, or "Done." if none has one."""
    said = [goal.answer(view.world) for goal in goals]
    return " ".join(part for part in said if part) or "Done."
