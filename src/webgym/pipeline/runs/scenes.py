"""Build the scene of an attempt: its session, agent and judge."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Protocol, runtime_checkable
from urllib.parse import urlsplit

import msgspec

from webgym.errors import ConfigError, JudgeError, TransportError
from webgym.records.observation import Failed, FailedReason, Observation
from webgym.records.session import Look, SessionSpec
from webgym.records.trajectory import Attempt, Step
from webgym.records.verdict import Verdict
from webgym.sites.catalogue import site_named
from webgym.sites.control.client import SitesControl
from webgym.sites.judge import judge
from webgym.sites.site import Site
from webgym.sites.states import Snapshot
from webgym.sites.weather import Weather, blocks
from webgym.stages import Agent, Judge, Scene

HERMETIC = ".localhost"


@dataclass(frozen=True, slots=True)
class Place:
    """An attempt and the site that it takes place on."""

    attempt: Attempt
    site: Site | None
    """The hermetic site; None on the open web."""
    snapshot: Callable[[], Awaitable[Snapshot]] | None
    """Reads the current state of the site; None on the open web."""
    refuses: bool = False
    """Whether the hermetic site serves this attempt nothing but a bot check, as its weather says."""


MakeAgent = Callable[[Place], Agent]
MakeJudge = Callable[[Place], Judge]


@runtime_checkable
class Looks(Protocol):
    """An agent that defines its own observations; others get those of the configuration."""

    look: Look


@dataclass(frozen=True, slots=True)
class Roles:
    """The agent, its observations, and the judge."""

    agent: MakeAgent
    look: Look
    judge: MakeJudge


class ExactJudge:
    """Judges by the state of the hermetic site."""

    exact = True

    def __init__(self, place: Place) -> None:
        if place.site is None or place.snapshot is None:
            raise ConfigError(
                f"task {place.attempt.task.task_id} is on {place.attempt.task.website}, which has no exact "
                "judge: let a model judge (judge.use = 'rubric'), or use your own judge (judge.use = "
                "'module:function')"
            )
        self._site = place.site
        self._snapshot = place.snapshot
        self._blocked = "the site's weather" if place.refuses else ""

    async def judge(self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, answer: str) -> Verdict:
        """Grade the attempt by the site's state, the pages shown and the answer.

        Raises:
            TransportError: The session never reached the site, which is not the agent's fault.
        """
        self._check_reached(steps[0].observation if steps else last)
        verdict = judge(self._site, attempt.task, await self._snapshot(), answer)
        return msgspec.structs.replace(verdict, judge="exact", blocked=self._blocked)

    def _check_reached(self, first: Observation | None) -> None:
        match first.effect if first else None:
            case Failed(reason=FailedReason.EGRESS_REFUSED | FailedReason.NAVIGATION, detail=detail):
                raise TransportError(f"the session did not reach {self._site.name}{HERMETIC}: {detail}")
            case _:
                pass


class Nobody:
    """A judge that never gives a verdict."""

    exact = False

    async def judge(self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, answer: str) -> Verdict:
        """Raise `JudgeError`."""
        del attempt, steps, last, answer
        raise JudgeError("no judge is configured")


class WiredScenes:
    """Sets scenes on hermetic sites, each with a fresh state, and on the open web."""

    def __init__(
        self, roles: Roles, spec: SessionSpec, control: SitesControl | None, weather: Weather, per_family: int
    ) -> None:
        self._roles = roles
        self._spec = spec
        self._control = control
        self._weather = weather
        self._per_family = per_family

    def set(self, attempt: Attempt) -> AbstractAsyncContextManager[Scene]:
        """Open a fresh scene for one try of an attempt."""
        host = urlsplit(attempt.task.website).hostname or ""
        if host.endswith(HERMETIC):
            return self._hermetic(attempt, site_named(host.removesuffix(HERMETIC), self._per_family))
        return self._open_web(attempt)

    @asynccontextmanager
    async def _hermetic(self, attempt: Attempt, site: Site) -> AsyncGenerator[Scene]:
        control = self._control
        if control is None:
            raise ConfigError(f"task {attempt.task.task_id} needs the hermetic sites, which are not served here")
        weather = msgspec.structs.replace(self._weather, seed=attempt.seed)
        async with control.state(site.name, weather=weather) as key:

            async def snapshot() -> Snapshot:
                return await control.read(key, site.name)

            yield self._scene(Place(attempt, site, snapshot, blocks(weather)), key)

    @asynccontextmanager
    async def _open_web(self, attempt: Attempt) -> AsyncGenerator[Scene]:
        yield self._scene(Place(attempt, None, None), "")

    def _scene(self, place: Place, key: str) -> Scene:
        attempt, common = place.attempt, self._spec
        spec = msgspec.structs.replace(
            common,
            start_url=attempt.task.website,
            determinism=common.determinism and msgspec.structs.replace(common.determinism, seed=attempt.seed),
            state_key=key,
            labels={"attempt": attempt.attempt_id},
        )
        agent = self._roles.agent(place)
        look = agent.look if isinstance(agent, Looks) else self._roles.look
        return Scene(spec, look, agent, self._roles.judge(place))
