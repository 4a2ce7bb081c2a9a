"""One attempt at one task, as the environment prepares it: a session and the exact judge."""

from __future__ import annotations

import logging
import secrets
from contextlib import AsyncExitStack

import anyio
import msgspec

from webgym.errors import ConfigError, WebGymError
from webgym.interop.gym.grounds import EpisodeGround
from webgym.records.action import Action
from webgym.records.decision import Decision, MalformedReply
from webgym.records.observation import Capture, Observation, Viewport
from webgym.records.session import Look, SessionSpec
from webgym.records.task import Task
from webgym.records.trajectory import Attempt
from webgym.records.verdict import Verdict
from webgym.stages import AttemptSetup, AttemptTerms, Session

logger = logging.getLogger(__name__)

LOOK = Look()
_ORACLE_LOOK = Look(screenshot=None, elements=True)
_CLOSE_SECONDS = 30.0


class AttemptEpisode:
    """An attempt in progress. Create it with `begin`, and close it."""

    def __init__(self, setup: AttemptSetup, prepared: AsyncExitStack) -> None:
        self.setup = setup
        self._session: Session | None = None
        self._first: Observation | None = None
        self._prepared = prepared
        self._lease = AsyncExitStack()

    @classmethod
    async def begin(
        cls, ground: EpisodeGround, task: Task, viewport: Viewport, seed: int
    ) -> tuple[AttemptEpisode, Capture]:
        """Prepare an attempt and open its session. Return the episode and its first capture."""
        attempt = Attempt(f"gymnasium/{secrets.token_hex(8)}", task, seed=seed)
        terms = AttemptTerms(SessionSpec(viewport=viewport))
        prepared = AsyncExitStack()
        setup = await prepared.enter_async_context(ground.environment.prepare(attempt, terms))
        episode = cls(setup, prepared)
        try:
            labels = {"task": task.task_id, "for": "gymnasium"}
            spec = msgspec.structs.replace(setup.spec, labels=labels)
            episode._session = await episode._lease.enter_async_context(ground.browser.open(spec))
            capture = await episode._session.step(None, LOOK)
        except BaseException:
            await episode.close()
            raise
        episode._first = capture.observation
        return episode, capture

    @property
    def task(self) -> Task:
        return self.setup.attempt.task

    async def step(self, action: Action) -> Capture:
        """Act, wait for the page to settle, observe."""
        return await self._here.step(action, LOOK)

    async def ended(self, seen: Observation) -> bool:
        """Whether the environment has ended the attempt."""
        return self.setup.end is not None and bool(await self.setup.end.reason(seen))

    async def oracle_action(self) -> Action:
        """Return the action of the task's oracle. Has no side effects."""
        if self.setup.oracle is None:
            raise ConfigError(f"there is no oracle for {self.task.website}: its environment has none")
        capture = await self._here.step(None, _ORACLE_LOOK)
        match (await self.setup.oracle().decide(capture)).choice:
            case Decision(action=action):
                return action
            case MalformedReply(message=message):
                raise ConfigError(f"the oracle of {self.task.task_id} says nothing that can be done: {message}")

    async def verdict(self, answer: str) -> Verdict:
        """Close the session, then judge the state and the answer."""
        await self._give_back(self._lease)
        self._session = None
        judge = self.setup.judge
        if judge is None:
            raise ConfigError(f"task {self.task.task_id} has no exact judge, so no reward: its environment has none")
        return await judge.judge(self.setup.attempt, (), self._first, answer)

    async def close(self) -> None:
        """Release session and attempt. Errors are logged, not raised: what cannot be released expires."""
        self._session = None
        await self._give_back(self._lease)
        await self._give_back(self._prepared)

    @property
    def _here(self) -> Session:
        if self._session is None:
            raise RuntimeError("this episode is over")
        return self._session

    async def _give_back(self, stack: AsyncExitStack) -> None:
        with anyio.move_on_after(_CLOSE_SECONDS, shield=True):
            try:
                await stack.aclose()
            except WebGymError as error:
                logger.debug("could not release a session or an attempt: %s", error)
