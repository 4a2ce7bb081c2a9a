"""Gymnasium: a single environment, then a vector of four. Sites and browsers start with the first reset.

pip install '.[gym]' ./environments/hermetic
python examples/gymnasium_env.py
"""

from __future__ import annotations

import gymnasium

import webgym.interop.gym  # noqa: F401  (registers the environments)
from webgym.records.action import Answer, Scroll

VIEWPORT = (640, 480)


def random_steps(env: gymnasium.Env, steps: int) -> None:
    """Take random actions, as in any Gymnasium environment."""
    env.action_space.seed(0)
    for _ in range(steps):
        observation, reward, terminated, truncated, _ = env.step(env.action_space.sample())
        print(f"  {observation['title'][:40]:40}  {observation['effect'][:40]:40}  reward {reward}")
        if terminated or truncated:
            return


def oracle_episode(env: gymnasium.Env) -> None:
    """Follow the site's oracle to the end of the episode. The site itself decides whether the task is done."""
    over = False
    while not over:
        action = env.unwrapped.oracle_action()
        _, reward, terminated, truncated, info = env.step(env.unwrapped.encode(action))
        over = terminated or truncated
    held = sum(fact.holds for fact in info["verdict"].facts)
    print(f"  {info['steps']} steps, {held} of {len(info['verdict'].facts)} facts hold, reward {reward}")


def main() -> None:
    env = gymnasium.make("webgym/Shop-v0", viewport=VIEWPORT, level="easy", max_steps=60, render_mode="rgb_array")
    observation, info = env.reset(seed=1)
    print(info["task_id"], observation["instruction"])
    random_steps(env, 3)

    env.reset(seed=1)
    observation, *_ = env.step(Scroll(dy=200))  # `step` also accepts `Action` records
    print("  after a scroll:", observation["effect"], env.render().shape)
    oracle_episode(env)

    envs = gymnasium.make_vec("webgym/Hermetic-v0", num_envs=4, viewport=VIEWPORT)
    observations, infos = envs.reset(seed=1)
    print(observations["screenshot"].shape, *infos["family"])
    _, rewards, terminated, _, infos = envs.step([Answer("Done.")] * 4)
    print(rewards, terminated, *infos["outcome"])
    envs.close()
    env.close()


if __name__ == "__main__":
    main()
