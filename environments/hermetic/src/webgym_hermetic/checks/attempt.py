"""A single, exactly judged attempt at a task on a hermetic site."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from webgym.records.action import Answer, Wait
from webgym.records.decision import Decision, MalformedReply
from webgym.records.observation import Capture, Observation, Viewport
from webgym.records.session import Look, SessionSpec
from webgym.records.task import Task
from webgym.records.verdict import Verdict
from webgym.stages import Agent
from webgym_hermetic.checks.site_session import HOME, SiteSession, Start, open_site_session
from webgym_hermetic.ground import Ground
from webgym_hermetic.judge import judge
from webgym_hermetic.site import Site
from webgym_hermetic.states import Snapshot
from webgym_hermetic.weather import CLEAR, Weather

LOOK = Look(screenshot=None, elements=True)


@dataclass(frozen=True, slots=True)
class Step:
    """A decision, the page it was made on, and its effect."""

    url: str
    decision: Decision
    effect: str


@dataclass(frozen=True, slots=True)
class Attempted:
    """The result of an attempt."""

    verdict: Verdict
    answer: str
    answered: bool
    steps: tuple[Step, ...]


Watch = Callable[[Capture, Decision | None], None]
"""Called with every observation and the decision made on it; None if the attempt ended there without one."""
MakeAgent = Callable[[Callable[[], Awaitable[Snapshot]]], Agent]
"""Creates the agent of an attempt, given a function that reads the site's state."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The conditions of an attempt."""

    viewport: Viewport
    most_steps: int
    weather: Weather = CLEAR
    look: Look = LOOK
    watch: Watch = lambda _capture, _decision: None


async def attempt(ground: Ground, site: Site, task: Task, make_agent: MakeAgent, terms: Terms) -> Attempted:
    """Let an agent attempt a task in its own browser session."""
    spec = SessionSpec(start_url=task.website, viewport=terms.viewport, labels={"task": task.task_id})
    async with open_site_session(ground, site, spec, terms.weather) as session:
        return await attempt_at(session, task, make_agent, terms)


async def attempt_at(
    session: SiteSession, task: Task, make_agent: MakeAgent, terms: Terms, start: Start = HOME
) -> Attempted:
    """Let an agent attempt a task in a session that earlier attempts may have used.

    Args:
        session: The session.
        task: A task of the session's site.
        make_agent: Creates the agent.
        terms: Conditions of the attempt; viewport and weather are those of the session.
        start: Where to start.
    """
    agent = make_agent(session.snapshot)
    steps: list[Step] = []
    answer: str | None = None
    capture = await session.begin(terms.look, start)
    while len(steps) < terms.most_steps:
        decision = _read((await agent.decide(capture)).choice)
        terms.watch(capture, decision)
        url = capture.observation.url
        if isinstance(decision.action, Answer):
            answer = decision.action.text
            steps.append(Step(url, decision, "answered"))
            break
        capture = await session.step(decision.action, terms.look)
        steps.append(Step(url, decision, _effect(capture.observation)))
    if answer is None:
        terms.watch(capture, None)
    verdict = judge(session.site, task, await session.snapshot(), answer or "")
    return Attempted(verdict, answer or "", answer is not None, tuple(steps))


def _read(choice: Decision | MalformedReply) -> Decision:
    """A reply that cannot be parsed costs a step and does nothing."""
    match choice:
        case Decision():
            return choice
        case MalformedReply(message=message):
            return Decision(Wait(0.0), sentence=message)


def _effect(seen: Observation) -> str:
    return type(seen.effect).__name__.lower() if seen.effect else ""
