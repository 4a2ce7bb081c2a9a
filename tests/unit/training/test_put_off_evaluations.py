"""Evaluations that are put off: training makes none, keeps the weights they are about, and owes them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.unit.training.looping import Everyone, went_around

from webgym.curves.file import append, read
from webgym.records.curve import Iteration
from webgym.records.sample import PolicyVersion, TrainingResult
from webgym.run.curve_log import CurveLog
from webgym.run.evaluations.evaluations import EvaluationsInTurn
from webgym.run.figures import tried
from webgym.run.folders import Folders
from webgym.run.progress import NoProgress
from webgym.run.run_length import PlannedLength
from webgym.run.schedule import Schedule, owed
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
    told = await went_around(Learning(), tmp_path, Schedule(9, 3, 2, PlannedLength(9), later=True))
    assert [one.iteration for one in told] == list(range(1, 10))
    assert not any(one.evaluation for one in told)
    assert sorted(one.name for one in (tmp_path / "policies").iterdir()) == ["v00003", "v00006", "v00008", "v00009"]


@pytest.mark.parametrize("every", [0, 4])
def test_the_first_the_last_and_those_in_between_are_owed_as_far_as_their_weights_are_there(tmp_path, every):
    folders, model = Folders(tmp_path), tmp_path / "model"
    for version in (4, 5, 9):
        folders.policy(version).mkdir(parents=True)
    plan = Schedule(9, every, 2, PlannedLength(9))
    found = owed([made(iteration) for iteration in range(1, 10)], plan, folders, model)
    assert [(one, policy.version) for one, policy in found] == [(0, 0), *([(4, 4)] if every else []), (9, 9)]
    assert found[0][1].path == str(model)
    assert found[-1][1].path == str(folders.policy(9))


def test_what_was_evaluated_is_not_owed(tmp_path):
    folders = Folders(tmp_path)
    folders.policy(2).mkdir(parents=True)
    curve = [made(0, evaluated=True), made(1), made(2, evaluated=True)]
    assert owed(curve, Schedule(2, 0, 2, PlannedLength(2)), folders, tmp_path) == []


def test_a_run_past_its_end_owes_the_evaluation_of_its_newest_weights_alone(tmp_path):
    folders = Folders(tmp_path)
    for version in (5, 11, 12):
        folders.policy(version).mkdir(parents=True)
    curve = [made(0, evaluated=True), *(made(iteration) for iteration in range(1, 13))]
    found = owed(curve, Schedule(5, 5, 2, PlannedLength(5)), folders, tmp_path)
    assert [iteration for iteration, _ in found] == [5, 12]


def test_what_is_found_later_goes_into_the_entry_it_is_about_and_takes_no_time_of_training(tmp_path):
    told: list[Iteration] = []
    path = Folders(tmp_path).curve
    curve = CurveLog(path, [made(1), made(2)], [SimpleNamespace(write=told.append)], NoProgress())
    for one in curve.iterations:
        append(path, one)
    curve.enter(2, PolicyVersion(2, ""), tried([]), 60.0)
    curve.enter(0, PolicyVersion(0, ""), tried([]), 60.0)
    found = read(path)
    assert found == curve.iterations
    assert [(one.iteration, one.evaluation is not None) for one in found] == [(0, True), (1, False), (2, True)]
    assert found[2].seconds == {"collect": 8.0}
    assert found[0].ended == 1002.0  # when the first iteration began, not today
    assert [one.iteration for one in told] == [2, 0]


def test_what_training_waits_for_takes_time_of_its_iteration(tmp_path):
    curve = CurveLog(Folders(tmp_path).curve, [], [], NoProgress())
    curve.enter(0, PolicyVersion(0, ""), tried([]), 30.0)
    curve.note(made(1), evaluation_follows=True)
    curve.enter(1, PolicyVersion(1, ""), tried([]), 40.0)
    assert [one.seconds for one in read(curve.path)] == [{"evaluate": 30.0}, {"collect": 8.0, "evaluate": 40.0}]


async def test_evaluations_that_are_owed_borrow_the_sampler_and_give_it_back(tmp_path):
    published: list[int] = []
    evaluated: list[tuple[int, list[int]]] = []

    async def publish(policy: PolicyVersion) -> None:
        published.append(policy.version)

    async def evaluate(iteration: int, policy: PolicyVersion) -> list[Row]:
        del policy
        evaluated.append((iteration, published[-1:]))
        return []

    evaluations = EvaluationsInTurn(evaluate, lambda *_: None, SimpleNamespace(publish=publish))
    versions = [PolicyVersion(version, str(tmp_path / f"v{version}")) for version in range(3)]
    for iteration, policy in enumerate(versions):
        await evaluations.due(iteration, policy, versions[2], must=True)
    assert evaluated == [(0, [0]), (1, [1]), (2, [2])]
    assert published == [0, 2, 1, 2]
