"""The asynchronous environment, for programs with their own event loop."""

from __future__ import annotations

import copy
import logging
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from types import TracebackType
from typing import Any, Self

import anyio
import anyio.to_thread
import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.utils import seeding

from webgym.errors import AuthError, ConfigError, WebGymError
from webgym.interop.gym.actions import action_space, decode_action
from webgym.interop.gym.config import EnvConfig, read_config
from webgym.interop.gym.episode import AttemptEpisode
from webgym.interop.gym.grounds import EpisodeGround, ground_of
from webgym.interop.gym.observations import Frame, observation_of
from webgym.interop.gym.spaces import observation_space
from webgym.interop.gym.task_sampler import sampler_for
from webgym.records.action import Action, Answer
from webgym.records.observation import Capture
from webgym.records.task import Task
from webgym.records.trajectory import Failure, Success, Truncation, outcome_kind, reward

logger = logging.getLogger(__name__)

Seen = dict[str, Any]
Info = dict[str, Any]
Stepped = tuple[Seen, float, bool, bool, Info]

_TRIES = 3
"""Tries of a reset. Losing a session before its first action costs nothing but time."""


class AsyncWebEnv:
    """`gymnasium.Env` with asynchronous `reset` and `step`. Concurrent calls are serialised.

    Failures raise one of `webgym.errors` and end the episode without a reward; call `reset` to continue.
    """

    def __init__(self, ground: EpisodeGround, **options: Any) -> None:
        """Create an environment on this ground; for the options see `EnvConfig`."""
        self.config: EnvConfig = read_config(options)
        self.observation_space = observation_space(self.config.size)
        self.action_space = action_space(self.config.size)
        self.np_random: np.random.Generator = seeding.np_random(self.config.seed)[0]
        self.task: Task | None = None
        """Task of the current or else the last episode. Contains ground truth that an evaluated agent must not see."""
        self.capture: Capture | None = None
        """The latest capture of the session."""
        self._ground = ground
        self._sampler = sampler_for(self.config)
        self._turn = anyio.Lock()
        self._episode: AttemptEpisode | None = None
        self._frame: Frame | None = None
        self._taken = 0

    async def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Seen, Info]:
        """Begin an episode at the task of `options={"task_id": …}`, or else at a random task."""
        if seed is not None:
            self.np_random = seeding.np_random(seed)[0]
        task_id = _task_id(options or {})
        async with self._turn:
            await self._end()
            task = await anyio.to_thread.run_sync(self._drawn, task_id)
            # Environments may draw from an attempt's seed: it follows from the generator, which it leaves as it is.
            seed = int(copy.deepcopy(self.np_random).integers(2**31))
            self._episode, self.capture = await self._begun(task, seed)
            self.task, self._taken, self._frame = self._episode.task, 0, None
            return await self._seen(), self._info()

    async def step(self, action: Mapping[str, Any] | Action) -> Stepped:
        """Take one step, given as an element of the action space or as an `Action` record.

        An answer terminates the episode; the step limit truncates it. The reward is 1 if the agent answered and every
        fact of the task holds, else 0.
        """
        wanted = decode_action(action)
        async with self._turn:
            episode = self._under_way()
            try:
                return await self._stepped(episode, wanted)
            except BaseException:
                await self._end()
                raise

    async def oracle_action(self) -> Action:
        """Return the action of the site's oracle, as a demonstration or a baseline. Has no side effects."""
        async with self._turn:
            return await self._under_way().oracle_action()

    def render(self) -> Frame | None:
        """Return the latest screenshot, or None before the first reset."""
        return None if self._frame is None else self._frame.copy()

    @property
    def under_way(self) -> bool:
        """Whether an episode is in progress."""
        return self._episode is not None

    async def close(self) -> None:
        """Release the session. Idempotent."""
        async with self._turn:
            await self._end()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with anyio.CancelScope(shield=True):
            await self.close()

    def _drawn(self, task_id: str) -> Task:
        return self._sampler.named(task_id) if task_id else self._sampler.draw(self.np_random)

    async def _begun(self, task: Task, seed: int) -> tuple[AttemptEpisode, Capture]:
        for _ in range(_TRIES - 1):
            try:
                return await AttemptEpisode.begin(self._ground, task, self.config.size, seed)
            except (AuthError, ConfigError):
                raise
            except WebGymError as error:
                logger.warning("could not start an episode; trying again: %s", error)
        return await AttemptEpisode.begin(self._ground, task, self.config.size, seed)

    async def _stepped(self, episode: AttemptEpisode, action: Action) -> Stepped:
        self._taken += 1
        if isinstance(action, Answer):
            return await self._finished(episode, action.text)
        self.capture = await episode.step(action)
        if await episode.ended(self.capture.observation):
            return await self._finished(episode, None, over=True)
        if self._taken >= self._limit(episode.task):
            return await self._finished(episode, None)
        return await self._seen(), 0.0, False, False, self._info()

    async def _finished(self, episode: AttemptEpisode, answer: str | None, *, over: bool = False) -> Stepped:
        seen = await self._seen()
        if answer is not None:
            seen["effect"] = "answered"
        verdict = await episode.verdict(answer or "")
        await self._end()
        terminated = over or answer is not None
        outcome = Truncation("steps") if not terminated else Success() if verdict.success else Failure()
        info = {**self._info(), "verdict": verdict, "outcome": outcome_kind(outcome)}
        return seen, reward(outcome) or 0.0, terminated, not terminated, info

    async def _seen(self) -> Seen:
        if self.capture is None or self.task is None:
            raise ResetNeeded("nothing was seen yet")
        asked = (self.capture, self.task.instruction, self.config.size, self._frame)
        seen = await anyio.to_thread.run_sync(observation_of, *asked)
        self._frame = seen["screenshot"].copy()
        return seen

    def _info(self) -> Info:
        task = self.task
        if task is None:
            return {}
        return {
            "task_id": task.task_id,
            "family": task.domain,
            "level": task.level,
            "template": task.template,
            "steps": self._taken,
            "max_steps": self._limit(task),
        }

    def _limit(self, task: Task) -> int:
        return self.config.steps(task.level)

    def _under_way(self) -> AttemptEpisode:
        if self._episode is None:
            raise ResetNeeded("no episode is under way: call `reset` before `step`")
        return self._episode

    async def _end(self) -> None:
        episode, self._episode = self._episode, None
        if episode is not None:
            await episode.close()


@asynccontextmanager
async def make_async(env_id: str, **options: Any) -> AsyncGenerator[AsyncWebEnv]:
    """Open an environment with its own ground for the duration of the block: `gymnasium.make` for async code.

    To run several on one ground, open it with `ground_of` and create each as `AsyncWebEnv(ground, …)`.
    """
    every: dict[str, Any] = {**gymnasium.spec(env_id).kwargs, **options}
    async with ground_of(read_config(every)) as ground, AsyncWebEnv(ground, **every) as env:
        yield env


def _task_id(options: Mapping[str, Any]) -> str:
    if unknown := options.keys() - {"task_id"}:
        raise ConfigError(f"`task_id` is the only option of reset; unknown: {', '.join(sorted(unknown))}")
    return str(options.get("task_id", ""))
