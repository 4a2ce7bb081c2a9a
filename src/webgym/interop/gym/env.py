"""The synchronous Gymnasium environment. Its sessions run in a separate thread."""

from __future__ import annotations

import weakref
from typing import Any

import gymnasium

from webgym.errors import ConfigError
from webgym.interop.gym import shared
from webgym.interop.gym.actions import action_space, encode_action
from webgym.interop.gym.aio import AsyncWebEnv, Info, Seen, Stepped
from webgym.interop.gym.config import read_config
from webgym.interop.gym.observations import Frame
from webgym.interop.gym.spaces import observation_space
from webgym.records.action import Action
from webgym.records.observation import Capture
from webgym.records.task import Task

METADATA: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 2}
RESET_SECONDS = 400.0
"""Deadline of a reset: three tries to open a session, each including its time in the queue."""
STEP_SECONDS = 200.0


class WebEnv(gymnasium.Env[Seen, Any]):
    """An environment of WebGym. For the options see `EnvConfig`.

    It and its browsers start with the first `reset` and are shared by all environments of the process.
    """

    metadata = METADATA

    def __init__(self, *, render_mode: str | None = None, **options: Any) -> None:
        check_render_mode(render_mode)
        self.config = read_config(options)
        self.render_mode = render_mode
        self.observation_space = observation_space(self.config.size)
        self.action_space = action_space(self.config.size)
        self._seed = self.config.seed
        self._inner: AsyncWebEnv | None = None
        self._loan: shared.Loan | None = None
        self._lost: weakref.finalize[..., WebEnv] | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, Info]:
        """Begin an episode at the task of `options={"task_id": …}`, or else at a random task."""
        seed, self._seed = (self._seed if seed is None else seed), None
        super().reset(seed=seed)
        loan, inner = self._opened()
        inner.np_random = self.np_random
        return loan.call(RESET_SECONDS, lambda: inner.reset(options=options))

    def step(self, action: Any) -> Stepped:
        """Take one step, given as an element of the action space or as an `Action` record."""
        loan, inner = self._opened()
        return loan.call(STEP_SECONDS, inner.step, action)

    def act(self, action: Action) -> Stepped:
        """Take one step, given as a record, which need not be in the action space."""
        return self.step(action)

    def encode(self, action: Action) -> dict[str, Any]:
        """Encode an action as an element of the action space."""
        return encode_action(action, self.config.size)

    def oracle_action(self) -> Action:
        """Return the action of the task's oracle. Has no side effects."""
        loan, inner = self._opened()
        return loan.call(STEP_SECONDS, inner.oracle_action)

    def render(self) -> Frame | None:  # pyright: ignore[reportIncompatibleMethodOverride] (one mode, one type)
        """Return the latest screenshot if `render_mode` is `rgb_array`."""
        return self._inner.render() if self._inner is not None and self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Release the session; the last environment also stops what they ran on. Idempotent."""
        if self._lost is not None:
            self._lost.detach()
        loan, self._loan, self._inner, self._lost = self._loan, None, None, None
        if loan is not None:
            loan.give_back()

    @property
    def task(self) -> Task | None:
        """Task of the current episode. Contains ground truth that an evaluated agent must not see."""
        return self._inner.task if self._inner else None

    @property
    def capture(self) -> Capture | None:
        """The latest capture of the session, with tabs, downloads and timings."""
        return self._inner.capture if self._inner else None

    def _opened(self) -> tuple[shared.Loan, AsyncWebEnv]:
        if self._loan is None or self._inner is None:
            self._loan = shared.borrow(self.config, seats=1)
            self._lost = weakref.finalize(self, self._loan.abandon)
            self._lost.atexit = False  # the keeper thread handles exit
            [self._inner] = self._loan.seat(self.config)
        return self._loan, self._inner


def check_render_mode(mode: str | None) -> None:
    """Raise `ConfigError` if the mode is not supported."""
    if mode is not None and mode not in METADATA["render_modes"]:
        raise ConfigError(f"render_mode: {mode!r} is not one of {', '.join(METADATA['render_modes'])}")
