"""Tells a scripted model what screenshots of hermetic sites show, from how the site stood when they were taken.

A screenshot shows that a fact holds if the fact became true on the way to it, and that it does not if it ceased to be:
evidence appears where something changes. If the very same pixels were also seen on the way to another end, the evidence
must be elsewhere: in the form that was filled in before, say. What an answer says is shown where all had
been seen that it takes.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from webgym.judge.pictures import reduced
from webgym.judge.settings import JudgeSettings
from webgym.records.decision import Turn
from webgym.records.observation import Capture, Observation
from webgym.records.task import Task
from webgym.records.trajectory import SiteBlock, Trajectory
from webgym.stages import Agent, AttemptSetup
from webgym.testing.vlm_reading import sentences
from webgym.testing.vlm_world import World
from webgym_hermetic.environment import hermetic_state
from webgym_hermetic.goal import End, Goal
from webgym_hermetic.site import Site
from webgym_hermetic.states import Snapshot, replay
from webgym_hermetic.tasks.goals import goals_of
from webgym_hermetic.view import View
from webgym_hermetic.worlds import world_of

_ABOUT_ANSWER = "The answer"


@dataclass(slots=True)
class _Seen:
    """What is known of one picture, over all attempts that saw it."""

    shows: set[str] = field(default_factory=set[str])
    denies: set[str] = field(default_factory=set[str])
    refuses: str = ""


@dataclass(frozen=True, slots=True)
class _Look:
    address: str
    seen: Observation
    snapshot: Snapshot


class Witness:
    """Puts itself between attempts and their agents."""

    def __init__(self) -> None:
        self._looks: dict[str, list[_Look]] = defaultdict(list)
        self._pictures: dict[str, bytes] = {}
        self._sites: dict[str, Site] = {}

    def watch(self, setup: AttemptSetup, agent: Agent) -> Agent:
        """The same agent, watched."""
        self._sites[setup.attempt.attempt_id] = hermetic_state(setup).site
        self._looks[setup.attempt.attempt_id] = []
        return _Watched(setup, agent, self)

    def note(self, attempt_id: str, capture: Capture, snapshot: Snapshot) -> None:
        """The agent looks."""
        shot = capture.observation.screenshot
        assert shot is not None
        self._pictures[shot.address] = capture.blobs[shot.address]
        self._looks[attempt_id].append(_Look(shot.address, capture.observation, snapshot))

    def world(self, trajectories: list[Trajectory]) -> World:
        """What all of these attempts' pictures show."""
        world, known = World(), defaultdict[str, _Seen](_Seen)
        for trajectory in trajectories:
            attempt = trajectory.attempt
            self._tell(attempt.attempt_id, trajectory, known)
            if attempt.attempt_id in self._sites:
                _tell_answers(self._sites[attempt.attempt_id], attempt.task, world)
        settings = JudgeSettings()
        for address, seen in known.items():
            picture = self._pictures[address]
            small = reduced(picture, settings.small_side, settings.small_quality)[0]
            world.show(picture, shows=seen.shows, denies=seen.denies, refuses=seen.refuses, copies=[small])
        return world

    def _tell(self, attempt_id: str, trajectory: Trajectory, known: dict[str, _Seen]) -> None:
        looks, task = self._looks.get(attempt_id, []), trajectory.attempt.task
        if not looks:
            return
        site = self._sites[attempt_id]
        goals = goals_of(task, site.family)
        held = [_held(site, goals, look.snapshot) for look in looks]
        for fact in held[0]:
            self._tell_fact(task, fact, looks, [one[fact] for one in held], known)
        for look in looks:
            known[look.address].shows |= _readable(site, goals, look)
        last = known[looks[-1].address]
        last.shows.add("Done.")
        last.shows |= {element.text for element in looks[-1].seen.elements or () if element.text}
        if isinstance(trajectory.ending.outcome, SiteBlock):
            last.refuses = trajectory.ending.outcome.why

    def _tell_fact(self, task: Task, fact: str, looks: list[_Look], held: list[bool], known: dict[str, _Seen]) -> None:
        changes = _changes(held)
        for place, index in enumerate(changes):
            after = changes[place - 1] if place else -1
            before = changes[place + 1] if place + 1 < len(changes) else len(looks)
            around = [*range(index, after, -1), *range(index + 1, before)]
            against = self._speaking_against(task, fact, held[index])
            chosen = next((one for one in around if looks[one].address not in against), index)
            page = known[looks[chosen].address]
            (page.shows if held[index] else page.denies).add(fact)

    def _speaking_against(self, task: Task, fact: str, value: bool) -> set[str]:
        """Pictures seen on the way to another end: by attempts at this task, after the fact last had this value."""
        found: set[str] = set()
        for attempt_id, looks in self._looks.items():
            if looks and attempt_id.rpartition("/")[0] == task.task_id:
                site = self._sites[attempt_id]
                goals = goals_of(task, site.family)
                held = [_held(site, goals, look.snapshot)[fact] for look in looks]
                if held[-1] != value:
                    began = max((index for index in _changes(held) if held[index] == value), default=-1)
                    found |= {look.address for look in looks[began + 1 :]}
        return found


class _Watched:
    def __init__(self, setup: AttemptSetup, agent: Agent, witness: Witness) -> None:
        self._setup, self._agent, self._witness = setup, agent, witness

    async def decide(self, capture: Capture) -> Turn:
        """As the agent does."""
        snapshot = await hermetic_state(self._setup).snapshot()
        self._witness.note(self._setup.attempt.attempt_id, capture, snapshot)
        return await self._agent.decide(capture)


def _changes(held: list[bool]) -> list[int]:
    """Where a fact becomes true, or ceases to be; none is true before the first look."""
    return [index for index, holds in enumerate(held) if holds != (held[index - 1] if index else False)]


def _held(site: Site, goals: tuple[Goal, ...], snapshot: Snapshot) -> dict[str, bool]:
    """Facts about the site, and whether they hold now."""
    end = _end(site, snapshot, "")
    return {
        fact.text: goal.holds(fact.name, end)
        for goal in goals
        for fact in goal.facts(end.world)
        if not fact.text.startswith(_ABOUT_ANSWER)
    }


def _readable(site: Site, goals: tuple[Goal, ...], look: _Look) -> set[str]:
    """What can be said truly, once nothing is left to look at."""
    world = world_of(site)
    state = replay(site, look.snapshot.events)
    seen = look.seen
    view = View(site, world, state, look.snapshot.visits, seen.url, seen.elements or ())
    own = f"//{site.name}.localhost" in seen.url and seen.dialog is None
    done = [goal for goal in goals if own and goal.answer(world) and goal.next(view) is None]
    return {claim for goal in done for claim in sentences(goal.answer(world))} | {
        fact.text for goal in done for fact in goal.facts(world) if fact.text.startswith(_ABOUT_ANSWER)
    }


def _tell_answers(site: Site, task: Task, world: World) -> None:
    """Of each fact about the answer: the fewest of its own words that make it true when they are said."""
    end_of = lambda answer: End(world_of(site), replay(site, ()), (), answer)  # noqa: E731
    for goal in goals_of(task, site.family):
        for fact in goal.facts(world_of(site)):
            if fact.text.startswith(_ABOUT_ANSWER):
                words = fact.text.split()
                spans = [words[a:b] for a in range(len(words)) for b in range(a + 1, len(words) + 1)]
                told = (" ".join(span).strip(".") for span in sorted(spans, key=len))
                world.about_answer(fact.text, next(one for one in told if goal.holds(fact.name, end_of(one))))


def _end(site: Site, snapshot: Snapshot, answer: str) -> End:
    return End(world_of(site), replay(site, snapshot.events), snapshot.visits, answer)
