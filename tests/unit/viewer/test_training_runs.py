"""Training runs in the viewer: evaluations, groups, rewards and advantages, read from what is stored."""

from __future__ import annotations

import math
import shutil

import msgspec
import pytest
from starlette.datastructures import QueryParams
from tests.unit.viewer.made_training import GROUPS, SITE, write_evaluation, write_training

from webgym.run.folders import Folders
from webgym.run.shuffle import shuffled
from webgym.run.sources.settled_groups import IterationSettlement, SettledGroups
from webgym.run.stored_trainings import StoredTrainings
from webgym.viewer.api import LibraryApi
from webgym.viewer.library import Library

pytestmark = pytest.mark.anyio
FIRST, SECOND, THIRD, FOURTH, LAST = GROUPS


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="module")
async def made(anyio_backend, tmp_path_factory):
    return (await write_training(tmp_path_factory.mktemp("runs") / "trained")).parent


@pytest.fixture
def trained(made, tmp_path):
    """A copy of the training run, to be changed."""
    return shutil.copytree(made, tmp_path / "runs") / "trained"


def api(root) -> LibraryApi:
    return LibraryApi(Library(root, trainings=StoredTrainings()))


def told(answer, **params):
    return msgspec.to_builtins(answer(QueryParams(params)))


async def test_success_on_unseen_websites_is_that_of_the_evaluations_which_are_runs_to_open(made):
    (line,) = told(api(made).runs)
    assert line["key"] == "trained"
    evaluations = line["training"]["evaluations"]
    assert [(one["iteration"], one["success"]["successes"], one["success"]["attempts"]) for one in evaluations] == [
        (0, 2, 6),
        (2, 4, 6),
    ]
    assert line["training"]["curriculum"]
    opened = told(api(made).run, run=evaluations[1]["key"])
    assert opened["line"]["name"] == "trained, evaluation 2"
    assert opened["line"]["summary"]["attempts"] == 6
    assert (opened["within"]["key"], opened["within"]["name"]) == ("trained", "trained")


async def test_before_and_after_are_compared_task_by_task(made):
    gain = told(api(made).run, run="trained")["gain"]
    assert gain["tasks"] == 6
    assert gain["difference"]["estimate"] == pytest.approx(2 / 6)
    assert gain["difference"]["low"] < 0 < gain["difference"]["high"]


async def test_an_evaluation_belongs_to_its_training_run_however_the_viewer_was_started(made):
    (line,) = told(api(made / "trained").runs)
    assert line["key"] == "trained"
    assert [one["key"] for one in line["training"]["evaluations"]] == ["evaluations/00000", "evaluations/00002"]


async def test_an_evaluation_that_goes_on_can_be_opened_but_says_no_success_yet(trained):
    await write_evaluation(trained, "trained", 3, 1)
    (line,) = told(api(trained.parent).runs)
    assert line["training"]["evaluations"][-1] == {
        "key": "trained/evaluations/00003",
        "iteration": 3,
        "success": None,
    }
    assert told(api(trained.parent).run, run="trained")["gain"]["tasks"] == 6


async def test_a_group_tells_rewards_advantages_and_how_many_solved_it(made):
    found = told(api(made).groups, run="trained")
    groups = {one["name"]: one for one in found["groups"]}
    assert list(groups) == [LAST, THIRD, FOURTH, FIRST, SECOND]
    first = groups[FIRST]
    assert (first["solved"], first["graded"], first["fate"]) == (7, 8, "kept")
    assert (first["iteration"], first["version"], first["site"]) == (1, 0, SITE)
    assert [one["reward"] for one in first["members"]] == [1.0] * 7 + [0.0]
    deviation = math.sqrt(7 / 8 * 1 / 8)
    assert [one["advantage"] for one in first["members"]] == pytest.approx(
        [(1 / 8) / deviation] * 7 + [-(7 / 8) / deviation], abs=1e-4
    )
    assert {name: one["fate"] for name, one in groups.items()} == {
        FIRST: "kept",
        SECOND: "all_fail",
        THIRD: "all_pass",
        FOURTH: "too_few",
        LAST: "open",
    }
    assert (groups[FOURTH]["solved"], groups[FOURTH]["graded"]) == (1, 1)
    assert all(one["advantage"] is None for one in groups[LAST]["members"])


async def test_groups_are_filtered_by_fate_iteration_and_words(made):
    def names(**params):
        return [one["name"] for one in told(api(made).groups, run="trained", **params)["groups"]]

    assert names(fate="kept") == [FIRST]
    assert names(iteration="2") == [THIRD, FOURTH]
    assert names(text="item 2") == [SECOND]
    assert told(api(made).groups, run="trained", iteration="2")["fates"] == [
        {"value": "all_pass", "count": 1},
        {"value": "too_few", "count": 1},
    ]


async def test_an_attempt_knows_its_group_and_a_group_leads_to_its_attempts(made):
    shown = told(api(made).attempt, run="trained", attempt=f"{FIRST}/7")
    assert shown["group"]["name"] == FIRST
    rows = told(api(made).rows, run="trained", group=FIRST)
    assert [row["attempt_id"] for row in rows["rows"]] == [f"{FIRST}/{member}" for member in range(8)]


async def test_a_mixed_group_of_an_iteration_without_an_update_is_not_called_learned_from(trained):
    curve = Folders(trained).curve
    curve.write_bytes(b"".join(curve.read_bytes().splitlines(keepends=True)[:1]))
    groups = {one["name"]: one["fate"] for one in told(api(trained.parent).groups, run="trained")["groups"]}
    assert (groups[FIRST], groups[SECOND]) == ("open", "all_fail")


async def test_asynchronous_groups_have_the_fate_that_was_settled(tmp_path):
    folder = await write_training(tmp_path / "trained", mode="async")
    SettledGroups(Folders(folder)).write(IterationSettlement(4, 3, (FIRST,), {FIRST: "kept", SECOND: "all_fail"}))
    SettledGroups(Folders(folder)).write(IterationSettlement(5, 4, (), {THIRD: "stale"}))
    groups = {one["name"]: one for one in told(api(tmp_path).groups, run="trained")["groups"]}
    assert [(groups[name]["fate"], groups[name]["iteration"], groups[name]["version"]) for name in GROUPS] == [
        ("kept", 4, 3),
        ("all_fail", 4, 3),
        ("stale", 5, 4),
        ("too_few", None, None),
        ("open", None, None),
    ]


async def test_advantages_of_the_control_are_of_the_rewards_it_learned_from(tmp_path):
    await write_training(tmp_path / "trained", control="shuffled-rewards")
    found = told(api(tmp_path).groups, run="trained", fate="kept")["groups"][0]
    given = shuffled([1.0] * 7 + [0.0], 0, FIRST)
    assert [one["advantage"] < 0 for one in found["members"]] == [reward == 0.0 for reward in given]
    assert [one["reward"] for one in found["members"]] == [1.0] * 7 + [0.0]
    assert told(api(tmp_path).runs)[0]["training"]["shuffled"]


async def test_a_training_run_without_readable_settings_or_curve_can_still_be_viewed(trained):
    Folders(trained).curve.write_text("not a curve\n")
    (line,) = told(api(trained.parent).runs)
    assert line["training"]["evaluations"] == []
    found = told(api(trained.parent).run, run="trained")
    assert (found["gain"], found["groups"]) == (None, 0)
    assert found["line"]["summary"]["attempts"] == 40


async def test_runs_without_groups_have_none(made):
    found = told(api(made).run, run="trained/evaluations/00000")
    assert found["groups"] == 0
