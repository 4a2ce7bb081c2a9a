"""The example that newcomers read first, on a website in real browsers."""

from __future__ import annotations

from collections.abc import Generator

import pytest
import torch
from examples.one_file_rl import TASKS, VIEWPORT, Policy, attempts_at, learn

from webgym.interop.gym import WebEnv

pytestmark = pytest.mark.chromium


@pytest.fixture
def policy() -> Generator[Policy]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)  # threads that wait for each other are slow where others compute
    torch.manual_seed(0)
    yield Policy()
    torch.set_num_threads(before)


def test_an_iteration_runs_attempts_and_says_how_many_succeeded(policy):
    env = WebEnv(viewport=VIEWPORT, max_steps=2)
    try:
        [attempt] = attempts_at(TASKS[0], policy, [env])
        assert attempt.over
        assert len(attempt.said) == len(attempt.past) <= 2
        assert attempt.prompt().words.startswith(env.task.instruction)
        [success] = learn(policy, TASKS[:1], iterations=1, group=2, most_steps=1)  # beside the one that is open
        assert success == 0.0
    finally:
        env.close()


@pytest.mark.full
@pytest.mark.timeout(1500)
def test_it_learns_a_task_that_it_solves_some_of_the_time(policy):
    curve = list(learn(policy, TASKS[:1], iterations=5))
    assert sum(curve[-2:]) / 2 >= curve[0] + 0.25, curve
