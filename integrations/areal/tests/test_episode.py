"""A whole group in one episode: compared where it was made, without what was lost to infrastructure."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import anyio
import pytest
import torch
from integrations.areal.tests.real.playing import Asked, ScriptedEngine, addresses, settings

from webgym.errors import StoreError
from webgym.records.trajectory import Ending, Infrastructure, Success, Trajectory
from webgym.testing.rollouts import MemoryRecorder, fake_attempt, fake_task
from webgym_areal import stage_thread
from webgym_areal.episode import Played, attempts_at, figures_of
from webgym_areal.stage import Keeping
from webgym_areal.tensors import OLDEST


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    stage_thread.close_all()


def play(engine: ScriptedEngine, *, learn: bool = True, **changes) -> Played:
    task = fake_task()
    home = stage_thread.stage_thread_for(settings(**changes), task, lambda: "127.0.0.1")

    async def episode() -> Played:
        with anyio.fail_after(60):
            return await home.play(engine, Asked, task, learn=learn)

    return anyio.run(episode)


def test_a_group_is_one_trajectory_with_a_row_for_each_step_and_an_advantage_for_each_attempt():
    engine = ScriptedEngine(yes={0}, version=3)
    played = play(engine, source={"members": 4, "aggregation": "token_mean"}, tells_oldest=True)
    made = played.trajectory
    assert made is not None
    # Members take 1, 2, 3 and 1 steps; one of four succeeds: +sqrt(3), and three times -1/sqrt(3).
    assert made["input_ids"].shape[0] == 7
    assert made["rewards"].tolist() == pytest.approx([math.sqrt(3), *[-1 / math.sqrt(3)] * 6], rel=1e-4)
    assert sorted(map(len, addresses(made["multi_modal_input"]))) == [1, 1, 1, 1, 2, 2, 2]
    assert made[OLDEST] == 3
    assert played.figures["success"] == 0.25
    assert played.figures["groups_kept"] == 1.0


def test_what_was_lost_to_infrastructure_is_masked_and_counted_never_a_zero():
    whole = play(ScriptedEngine(yes={0}), source={"members": 4, "aggregation": "token_mean"})
    lost = play(ScriptedEngine(yes={0}, breaks={1, 3}), source={"members": 4, "aggregation": "token_mean"})
    assert whole.trajectory is not None
    assert lost.trajectory is not None
    assert lost.figures["infrastructure"] == 0.5
    assert lost.figures["reward"] == 0.5
    assert whole.figures["reward"] == 0.25
    # One success and one failure are left, of 1 and 3 steps.
    assert lost.trajectory["rewards"].tolist() == pytest.approx([1, -1, -1, -1], rel=1e-4)


@pytest.mark.parametrize(
    ("yes", "breaks", "why"),
    [
        ({0, 1, 2, 3}, (), "groups_all_pass"),
        ((), (), "groups_all_fail"),
        ({0}, {1, 2, 3}, "groups_too_few"),
    ],
)
def test_a_group_that_says_nothing_is_rejected_and_says_why(yes, breaks, why):
    played = play(ScriptedEngine(yes=yes, breaks=breaks))
    assert played.trajectory is None
    assert played.figures[why] == 1.0


def test_an_evaluation_gives_figures_and_nothing_to_learn_from():
    played = play(ScriptedEngine(yes={0}), learn=False)
    assert played.trajectory is None
    assert played.figures["success"] == 0.25


def test_patches_instead_of_references_if_so_configured():
    made = play(ScriptedEngine(yes={0}), pictures="tensor").trajectory
    assert made is not None
    for entry in made["multi_modal_input"]:
        assert entry["pixel_values"].shape[0] == int(torch.prod(entry["image_grid_thw"], dim=1).sum())


def test_two_groups_at_the_same_task_share_no_name():
    first, second = (attempts_at(fake_task(), 8) for _ in range(2))
    names = {one.attempt_id for one in (*first, *second)}
    assert len(names) == 16
    assert len({one.group for one in first}) == 1
    assert first[0].group != second[0].group
    assert len({one.seed for one in (*first, *second)}) == 16


def test_all_workflows_of_a_process_share_one_house_and_another_setting_gets_another():
    task = fake_task()
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: stage_thread.stage_thread_for(settings(), task, lambda: "127.0.0.1"), range(8)))
    assert len({id(one) for one in found}) == 1
    assert stage_thread.stage_thread_for(settings(temperature=0.5), task, lambda: "127.0.0.1") is not found[0]


def test_a_house_that_cannot_be_opened_says_why():
    from webgym.errors import ConfigError

    with pytest.raises(ConfigError, match="cannot be imported"):
        stage_thread.stage_thread_for(
            settings(stage="integrations.areal.tests.real.playing:nothing"), fake_task(), lambda: "127.0.0.1"
        )


def test_figures_of_a_group_without_rewards_have_no_reward():
    lost = Trajectory(fake_attempt(), (), Ending(Infrastructure("timeout")))
    figures = figures_of((lost, lost))
    assert "reward" not in figures
    assert figures["infrastructure"] == 1.0


@pytest.mark.anyio
async def test_an_attempt_can_be_taken_once():
    keeping, one = Keeping(MemoryRecorder()), fake_attempt()
    await keeping.begin(one)
    await keeping.end(one, Ending(Success()), {})
    assert keeping.take(one.attempt_id).attempt == one
    with pytest.raises(StoreError, match="already taken"):
        keeping.take(one.attempt_id)
