"""Evaluations that are put off: training makes none, keeps the weights they are about, and owes them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.unit.training.test_sync_loop import Everyone

from webgym.curves.file import append, read
from webgym.records.curve import Iteration
from webgym.records.sample import PolicyVersion, TrainingResult
from webgym.run.training.figures import tried
from webgym.run.training.folders import Folders
from webgym.run.training.loop import Loop, Plan, Stages
from webgym.run.training.owed import enter, owed
from webgym.run.training.run import make_owed
from webgym.run.training.run_length import Planned
from webgym.store.rows import Row

pytestmark = pytest.mark.anyio


class Learning(Everyone):
    """Leaves weights behind, as a trainer does, and cannot evaluate."""

    async def step(self, batch, version, folder: Path) -> TrainingResult:
        folder.mkdir(parents=True)
        return await super().step(batch, version, folder)

    async def evaluate(self, iteration, policy):
        raise AssertionError("evaluations were put off")


def made(iteration: int, *, evaluated: bool = False) -> Iteration:
    return Iteration(
        iteration=iteration,
        version=iteration,
        ended=1000.0 + 10 * iteration,
        train=None,
        learned=None,
        evaluation=tried([]) if evaluated else None,
        seconds={"collect": 8.0},
        steps_per_second=0.0,
        tokens_per_second=0.0,
    )


async def test_training_makes_none_and_keeps_the_weights_they_are_about(tmp_path):
    who, told = Learning(), list[Iteration]()
    stages = Stages(who, who, who, who.evaluate, SimpleNamespace(rows=list), Folders(tmp_path))
    plan = Plan(9, 3, 2, Planned(9), later=True)
    await Loop(stages, plan, PolicyVersion(0, "model"), told.append).run((), 9)
    assert [one.iteration for one in told] == list(range(1, 10))
    assert not any(one.evaluation for one in told)
    assert sorted(one.name for one in (tmp_path / "policies").iterdir()) == ["v00003", "v00006", "v00008", "v00009"]


@pytest.mark.parametrize("every", [0, 4])
def test_the_first_the_last_and_those_in_between_are_owed_as_far_as_their_weights_are_there(tmp_path, every):
    folders, model = Folders(tmp_path), tmp_path / "model"
    for version in (4, 5, 9):
        folders.policy(version).mkdir(parents=True)
    plan = Plan(9, every, 2, Planned(9))
    found = owed([made(iteration) for iteration in range(1, 10)], plan, folders, model)
    assert [(one, policy.version) for one, policy in found] == [(0, 0), *([(4, 4)] if every else []), (9, 9)]
    assert found[0][1].path == str(model)
    assert found[-1][1].path == str(folders.policy(9))


def test_what_was_evaluated_is_not_owed(tmp_path):
    folders = Folders(tmp_path)
    folders.policy(2).mkdir(parents=True)
    curve = [made(0, evaluated=True), made(1), made(2, evaluated=True)]
    assert owed(curve, Plan(2, 0, 2, Planned(2)), folders, tmp_path) == []


def test_a_run_past_its_end_owes_the_evaluation_of_its_newest_weights_alone(tmp_path):
    folders = Folders(tmp_path)
    for version in (5, 11, 12):
        folders.policy(version).mkdir(parents=True)
    curve = [made(0, evaluated=True), *(made(iteration) for iteration in range(1, 13))]
    found = owed(curve, Plan(5, 5, 2, Planned(5)), folders, tmp_path)
    assert [iteration for iteration, _ in found] == [5, 12]


def test_what_is_found_later_goes_into_the_entry_it_is_about_and_takes_no_time_of_training(tmp_path):
    told: list[Iteration] = []
    folders, audience = Folders(tmp_path), SimpleNamespace(say=lambda _: None)
    run = SimpleNamespace(
        folders=folders,
        iterations=[made(1), made(2)],
        trackers=[SimpleNamespace(write=told.append)],
        audience=audience,
    )
    for one in run.iterations:
        append(folders.curve, one)
    enter(run, 2, PolicyVersion(2, ""), tried([]))
    enter(run, 0, PolicyVersion(0, ""), tried([]))
    curve = read(folders.curve)
    assert curve == run.iterations
    assert [(one.iteration, one.evaluation is not None) for one in curve] == [(0, True), (1, False), (2, True)]
    assert curve[2].seconds == {"collect": 8.0}
    assert curve[0].ended == 1002.0  # when the first iteration began, not today
    assert [one.iteration for one in told] == [2, 0]


async def test_after_evaluations_that_were_owed_training_samples_from_its_own_weights(tmp_path):
    published: list[int] = []
    evaluated: list[tuple[int, list[int]]] = []
    folders = Folders(tmp_path)
    for version in (1, 2):
        folders.policy(version).mkdir(parents=True)

    async def publish(policy: PolicyVersion) -> None:
        published.append(policy.version)

    async def evaluate(iteration: int, policy: PolicyVersion) -> list[Row]:
        evaluated.append((iteration, published[-1:]))
        return []

    run = SimpleNamespace(
        sampler=SimpleNamespace(weights=SimpleNamespace(publish=publish)),
        iterations=[made(1), made(2)],
        folders=folders,
        model=tmp_path / "model",
        policy=PolicyVersion(2, str(folders.policy(2))),
        trackers=(),
        audience=SimpleNamespace(say=lambda _: None, ended=lambda _: None),
    )
    await make_owed(run, Plan(4, 1, 2, Planned(4)), evaluate)
    assert evaluated == [(0, [0]), (1, [1]), (2, [2])]
    run.iterations = [made(0, evaluated=True), made(1), made(2, evaluated=True)]
    await make_owed(run, Plan(4, 1, 2, Planned(4)), evaluate)
    assert published[-2:] == [1, 2]
