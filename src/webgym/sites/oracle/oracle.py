"""An agent that solves the tasks of hermetic sites from wherever a session is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from webgym.records.action import Answer, AnswerDialog
from webgym.records.decision import Decision, Turn
from webgym.records.observation import Capture, Observation, Unchanged
from webgym.sites.errand import Errand
from webgym.sites.oracle.aim import aim
from webgym.sites.site import Site
from webgym.sites.states import Snapshot, replay
from webgym.sites.view import Home, Tap, View
from webgym.sites.worlds import world_of

RETRY = "do:retry"
"""Test id of the way out of a page that says something went wrong."""


class Oracle:
    """An `Agent` that asks the control plane how the site stands, and runs errands in order.

    It decides by nothing but what it sees and asks, so it can take over from any other agent at any point. Its
    observations must be looked at with `Look(elements=True)`.
    """

    def __init__(self, site: Site, errands: Sequence[Errand], snapshot: Callable[[], Awaitable[Snapshot]]) -> None:
        self._site = site
        self._errands = errands
        self._snapshot = snapshot
        self.done = 0
        """How many of the errands, from the first one on, nothing was left to do for at the latest decision."""

    async def decide(self, capture: Capture) -> Turn:
        """The next action."""
        decision, self.done = _decide(self._site, self._errands, capture.observation, await self._snapshot())
        return Turn(decision)


def decide(site: Site, errands: Sequence[Errand], seen: Observation, snapshot: Snapshot) -> Decision:
    """The next action of whoever runs these errands."""
    return _decide(site, errands, seen, snapshot)[0]


def _decide(site: Site, errands: Sequence[Errand], seen: Observation, snapshot: Snapshot) -> tuple[Decision, int]:
    """The next action, and how many errands are done; 0 where that cannot be told."""
    if seen.dialog is not None:
        return Decision(AnswerDialog(accept=False), sentence="close the dialog"), 0
    view = View(
        site=site,
        world=world_of(site),
        state=replay(site, snapshot.events),
        visits=snapshot.visits,
        url=seen.url,
        elements=seen.elements or (),
        stuck=seen.sequence if isinstance(seen.effect, Unchanged) else 0,
    )
    if f"//{site.name}.localhost" not in seen.url:
        return aim(Home(), view, seen.viewport), 0
    if (retry := view.find(RETRY)) is not None:
        return aim(Tap(retry), view, seen.viewport), 0
    for done, errand in enumerate(errands):
        intent = errand.next(view)
        if intent is not None:
            return aim(intent, view, seen.viewport), done
    return Decision(Answer(final_answer(errands, view)), sentence="everything is done"), len(errands)


def final_answer(errands: Sequence[Errand], view: View) -> str:
    """What the errands have to say, or that they are done."""
    said = [errand.answer(view.world) for errand in errands]
    return " ".join(part for part in said if part) or "Done."
