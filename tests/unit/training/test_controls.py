"""Runs in which nothing should be learned."""

from __future__ import annotations

import io
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest
from PIL import Image
from tests.hermetic_setups import open_setup
from tests.unit.buffer.making import TASK, UNGRADED

from webgym.records.observation import Blob, Capture, Observation, Viewport, address_of
from webgym.records.session import Look, SessionSpec
from webgym.records.task import Task
from webgym.records.trajectory import Attempt, Ending, Failure, Success, Trajectory, reward
from webgym.run.controls import BlankBrowser, shuffled_rewards, swapped_instructions
from webgym.run.episodes import NoJudge, Players
from webgym.run.sources.settled_groups import IterationSettlement
from webgym.run.sources.stored_groups import StoredGroups
from webgym.stages import AttemptSetup
from webgym.train.recipe import GroupSource

pytestmark = pytest.mark.anyio


def trajectories(*outcomes) -> tuple[Trajectory, ...]:
    return tuple(
        Trajectory(Attempt(f"a{number}", TASK), (), Ending(outcome, answer=str(number)))
        for number, outcome in enumerate(outcomes)
    )


def test_rewards_are_dealt_out_anew_among_those_who_have_one():
    mine = trajectories(Success(), UNGRADED[0], Failure(), Success(), UNGRADED[1], Failure(), Failure(), Success())
    dealt = [shuffled_rewards(mine, 0, f"group {number}") for number in range(20)]
    for shuffled in dealt:
        assert [one.attempt for one in shuffled] == [one.attempt for one in mine]
        assert [one.ending.answer for one in shuffled] == [one.ending.answer for one in mine]
        rewards = [reward(one.ending.outcome) for one in shuffled]
        assert (rewards[1], rewards[4]) == (None, None)
        assert sorted(value for value in rewards if value is not None) == [0, 0, 0, 1, 1, 1]
    assert len({tuple(reward(one.ending.outcome) for one in shuffled) for shuffled in dealt}) > 5
    assert shuffled_rewards(mine, 0, "group 7") == dealt[7]


@pytest.mark.anyio
async def test_rewards_of_an_asynchronous_run_are_dealt_out_the_same_way_after_a_restart():
    kept = {
        f"g/{n}": Trajectory(Attempt(f"g/{n}", TASK, "g"), (), Ending(Success() if n else Failure())) for n in range(8)
    }
    attempts = tuple(one.attempt for one in kept.values())
    settled = IterationSettlement(1, 0, ("g",), {"g": "kept"})
    won: list[list[int]] = []
    for seed in range(4):
        store = SimpleNamespace(trajectory=kept.__getitem__)
        groups = StoredGroups(store, GroupSource(members=8), seed, shuffles=True)
        loaded = await groups.load(attempts)
        [again] = await groups.again(settled)
        lost = [place for place, reward in enumerate(loaded.rewards) if not reward]
        assert [place for place, (_, advantage) in enumerate(again.members) if advantage < 0] == lost
        won.append(lost)
    assert any(lost != [0] for lost in won)


def test_an_agent_with_swapped_instructions_is_told_of_another_task_and_judged_by_its_own():
    tasks = [Task(f"t{number}", f"Do {number}.", TASK.website, TASK.rubric) for number in range(5)]
    told = []

    def agent(setup: AttemptSetup):
        told.append(setup.attempt.task)
        return setup

    players = swapped_instructions(Players(agent, Look(), lambda _: NoJudge()), tasks, seed=0)
    for task in tasks:
        players.agent(open_setup(Attempt("a", task)))
    assert all(mine.task_id == task.task_id for mine, task in zip(told, tasks, strict=True))
    assert all(mine.instruction != task.instruction for mine, task in zip(told, tasks, strict=True))
    assert {mine.instruction for mine in told} <= {task.instruction for task in tasks}


class Painter:
    """A browser that shows a red page."""

    @asynccontextmanager
    async def open(self, spec):
        yield self

    async def step(self, action, look):
        out = io.BytesIO()
        Image.new("RGB", (64, 48), "red").save(out, "jpeg")
        shot = Blob(address_of(out.getvalue()), "image/jpeg", len(out.getvalue()))
        seen = Observation(1, "http://site.localhost/", viewport=Viewport(64, 48), screenshot=shot)
        return Capture(seen, {shot.address: out.getvalue(), "other": b"kept"})

    async def blob(self, address):
        return b"the same"


async def test_blindfolded_sessions_show_a_white_page_of_the_same_size_and_everything_else():
    async with BlankBrowser(Painter()).open(SessionSpec()) as session:
        capture = await session.step(None, Look())
        assert await session.blob("any") == b"the same"
    shot = capture.observation.screenshot
    assert set(capture.blobs) == {shot.address, "other"}
    assert shot.address == address_of(capture.blobs[shot.address])
    picture = Image.open(io.BytesIO(capture.blobs[shot.address]))
    assert picture.size == (64, 48)
    assert picture.convert("RGB").getextrema() == ((255, 255),) * 3
