"""The vector environment: all sessions step concurrently."""

from __future__ import annotations

import weakref
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

import anyio
import gymnasium.error
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array, iterate
from numpy.typing import NDArray

from webgym.errors import ConfigError, RequestError, WebGymError
from webgym.interop.gym import shared
from webgym.interop.gym.actions import action_space
from webgym.interop.gym.aio import AsyncWebEnv, Info, Seen, Stepped
from webgym.interop.gym.config import read_config
from webgym.interop.gym.env import METADATA, RESET_SECONDS, STEP_SECONDS, check_render_mode
from webgym.interop.gym.observations import Frame
from webgym.interop.gym.spaces import observation_space
from webgym.records.action import Action, Wait
from webgym.records.task import Task

T = TypeVar("T")
Mask = NDArray[np.bool_]
Batch = tuple[Seen, NDArray[np.float64], Mask, Mask, Info]
Trouble = WebGymError | gymnasium.error.Error


class WebVectorEnv(VectorEnv[Seen, Any, NDArray[Any]]):
    """A vector of environments, each with its own session. For the options see `EnvConfig`.

    By default an episode that has ended is reset by the next step, which ignores its action.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        **options: Any,
    ) -> None:
        check_render_mode(render_mode)
        self.config = read_config(options)
        self.num_envs = num_envs
        self.render_mode = render_mode
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**METADATA, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = self._layout = observation_space(self.config.size)
        self.single_action_space = action_space(self.config.size)
        self.observation_space = batch_space(self._layout, num_envs)
        self.action_space = self._batch = batch_space(self.single_action_space, num_envs)
        self._seed = self.config.seed
        self._seen: dict[int, Seen] = {}
        self._over = np.zeros(num_envs, dtype=np.bool_)
        self._envs: list[AsyncWebEnv] = []
        self._loan: shared.Loan | None = None
        self._lost: weakref.finalize[..., WebVectorEnv] | None = None

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, Info]:
        """Begin an episode in every environment, or in those of `options["reset_mask"]`.

        An integer seeds the first environment; the others get the integers after it.
        """
        seeds = self._seeds(seed)
        rest = dict(options or {})
        mask = self._mask(rest.pop("reset_mask", None))

        async def begin(index: int) -> tuple[Seen, Info]:
            return await self._envs[index].reset(seed=seeds[index], options=rest)

        begun, trouble = self._loaned().call(RESET_SECONDS, _all_of, np.flatnonzero(mask).tolist(), begin)
        infos: Info = {}
        for index, (seen, info) in sorted(begun.items()):
            self._seen[index], self._over[index] = seen, False
            infos = self._add_info(infos, info, index)
        _raise(trouble)
        return self._batched(), infos

    def step(self, actions: Any) -> Batch:
        """Step every environment, given a batch of the action space or a sequence of single actions."""
        wanted = self._each(actions)

        async def step(index: int) -> tuple[Stepped, Info]:
            return await self._stepped(index, wanted[index])

        seconds = STEP_SECONDS + RESET_SECONDS
        taken, trouble = self._loaned().call(seconds, _all_of, range(self.num_envs), step)
        rewards = np.zeros(self.num_envs, dtype=np.float64)
        terminated, truncated = np.zeros(self.num_envs, dtype=np.bool_), np.zeros(self.num_envs, dtype=np.bool_)
        infos: Info = {}
        for index, (result, final) in sorted(taken.items()):
            self._seen[index], rewards[index], terminated[index], truncated[index], info = result
            infos = self._add_info(self._add_info(infos, final, index), info, index)
        self._over = terminated | truncated
        _raise(trouble)
        return self._batched(), rewards, terminated, truncated, infos

    def oracle_actions(self) -> list[Action]:
        """Return the actions of the sites' oracles, or a zero wait where no episode is in progress. No side effects."""

        async def ask(index: int) -> Action:
            env = self._envs[index]
            return await env.oracle_action() if env.under_way else Wait(0.0)

        said, trouble = self._loaned().call(STEP_SECONDS, _all_of, range(self.num_envs), ask)
        _raise(trouble)
        return [said[index] for index in range(self.num_envs)]

    def render(self) -> tuple[Frame, ...] | None:
        """Return the latest screenshots if `render_mode` is `rgb_array`."""
        if self.render_mode != "rgb_array":
            return None
        return tuple(frame for env in self._envs if (frame := env.render()) is not None)

    def close_extras(self, **kwargs: Any) -> None:
        """Release the sessions; the last environment also stops sites and browsers."""
        del kwargs
        if self._lost is not None:
            self._lost.detach()
        loan, self._loan, self._envs, self._lost = self._loan, None, [], None
        if loan is not None:
            loan.give_back()

    @property
    def tasks(self) -> tuple[Task | None, ...]:
        """Tasks of the current episodes. They contain ground truth that an evaluated agent must not see."""
        return tuple(env.task for env in self._envs)

    @property
    def failed(self) -> Mask:
        """Environments whose episode failed. To continue, call `reset(options={"reset_mask": envs.failed})`."""
        broken = [not env.under_way and not over for env, over in zip(self._envs, self._over, strict=True)]
        return np.array(broken, dtype=np.bool_)

    async def _stepped(self, index: int, action: Any) -> tuple[Stepped, Info]:
        """Step one environment. Return the result, and the final observation and info if it was reset as well."""
        env = self._envs[index]
        if self._over[index] and self.autoreset_mode is AutoresetMode.NEXT_STEP:
            seen, info = await env.reset()
            return (seen, 0.0, False, False, info), {}
        result = await env.step(action)
        last, reward, terminated, truncated, info = result
        if self.autoreset_mode is AutoresetMode.SAME_STEP and (terminated or truncated):
            seen, fresh = await env.reset()
            return (seen, reward, terminated, truncated, fresh), {"final_obs": last, "final_info": info}
        return result, {}

    def _loaned(self) -> shared.Loan:
        if self._loan is None:
            if self.closed:
                raise ConfigError("these environments are closed")
            self._loan = shared.borrow(self.config, self.num_envs)
            self._lost = weakref.finalize(self, self._loan.abandon)
            self._lost.atexit = False  # the keeper thread handles exit
            self._envs = self._loan.seat(self.config)
        return self._loan

    def _seeds(self, seed: int | Sequence[int | None] | None) -> Sequence[int | None]:
        seed, self._seed = (self._seed if seed is None else seed), None
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, int):
            super().reset(seed=seed)
            return range(seed, seed + self.num_envs)
        if len(seed) != self.num_envs:
            raise RequestError(f"{len(seed)} seeds for {self.num_envs} environments")
        return seed

    def _mask(self, mask: Any) -> Mask:
        if mask is None:
            return np.ones(self.num_envs, dtype=np.bool_)
        wanted: Mask = np.asarray(mask)
        if wanted.shape != (self.num_envs,) or wanted.dtype != np.bool_ or not wanted.any():
            raise RequestError(f"reset_mask must have {self.num_envs} booleans, at least one of them true")
        return wanted

    def _each(self, actions: Any) -> list[Any]:
        single = list(iterate(self._batch, actions) if isinstance(actions, Mapping) else actions)
        if len(single) != self.num_envs:
            raise RequestError(f"{len(single)} actions for {self.num_envs} environments")
        return single

    def _batched(self) -> Seen:
        if len(self._seen) < self.num_envs:
            raise gymnasium.error.ResetNeeded("not every environment has been reset")
        seen = [self._seen[index] for index in range(self.num_envs)]
        return cast("Seen", concatenate(self._layout, seen, create_empty_array(self._layout, self.num_envs)))


async def _all_of(
    indices: Sequence[int], work: Callable[[int], Awaitable[T]]
) -> tuple[dict[int, T], dict[int, Trouble]]:
    """Run `work` for all indices concurrently. Return the results and the errors."""
    done: dict[int, T] = {}
    trouble: dict[int, Trouble] = {}

    async def one(index: int) -> None:
        try:
            done[index] = await work(index)
        except (WebGymError, gymnasium.error.Error) as error:
            trouble[index] = error

    async with anyio.create_task_group() as tasks:
        for index in indices:
            tasks.start_soon(one, index)
    return done, trouble


def _raise(trouble: Mapping[int, Trouble]) -> None:
    if trouble:
        first = trouble[min(trouble)]
        first.add_note(f"in the environments {', '.join(map(str, sorted(trouble)))} of a vector")
        raise first
