"""Gymnasium on environments other than the hermetic sites."""

from __future__ import annotations

import gymnasium
import pytest

import webgym.interop.gym  # noqa: F401 (registers the ids)
from webgym.errors import ConfigError

pytestmark = pytest.mark.chromium
SHOPPING = {
    "env": "webgym.environments.template.shopping_list:ShoppingListEnvironment",
    "split": "test",
    "viewport": (448, 320),
    "sessions": 2,
}


def test_an_episode_takes_place_in_any_environment():
    env = gymnasium.make("webgym/Web-v0", **SHOPPING)
    try:
        observation, info = env.reset(seed=1)
        assert observation["instruction"].startswith("Put ")
        assert info["task_id"] in {"add-tea", "add-salt"}
        reward, steps = 0.0, 0
        terminated = False
        while not terminated:
            action = env.unwrapped.oracle_action()
            _, reward, terminated, truncated, info = env.step(env.unwrapped.encode(action))
            steps += 1
            assert not truncated
        assert (reward, info["outcome"], steps) == (1.0, "success", 2)
        env.reset(options={"task_id": "add-salt"})
        _, reward, terminated, _, info = env.step({"kind": 0} | env.action_space.sample())
        assert (reward, info["task_id"]) == (0.0, "add-salt")
        with pytest.raises(ConfigError, match="there is no task 'add-rum'"):
            env.reset(options={"task_id": "add-rum"})
    finally:
        env.close()


def test_an_environment_that_there_is_not_is_named():
    with pytest.raises(ConfigError, match="did you mean 'hermetic'"):
        gymnasium.make("webgym/Web-v0", **(SHOPPING | {"env": "hermetics"})).reset()
