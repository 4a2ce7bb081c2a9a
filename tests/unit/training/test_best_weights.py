"""Which weights stay: the first, the newest, the last that were evaluated, and the best."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from rich.console import Console
from tests.unit.training.looping import Everyone, went_around
from tests.unit.viewer.made_rows import row

from webgym.cli.train import _tell
from webgym.curves.about import RunFacts
from webgym.curves.file import append
from webgym.records.curve import Iteration
from webgym.records.sample import PolicyVersion, TrainingResult
from webgym.run import train_commands as commands
from webgym.run.best_weights import best_of, evaluated_versions
from webgym.run.config import PolicyConfig
from webgym.run.figures import tried
from webgym.run.folders import Folders
from webgym.run.run_length import PlannedLength
from webgym.run.schedule import Schedule
from webgym.run.sources.batch_source import Harvest
from webgym.run.train_config import TrainConfig
from webgym.store.rows import Row

pytestmark = pytest.mark.anyio
SCORES = {0: 1, 2: 6, 4: 3, 6: 2, 8: 4, 9: 0}
"""Tasks of ten that are solved after an iteration."""


def rows(solved: int) -> list[Row]:
    return [row(n, "success" if n < solved else "failure") for n in range(10)]


def over(iteration: int, solved: int | None, version: int | None = None) -> Iteration:
    found = None if solved is None else tried(rows(solved))
    return Iteration(iteration, iteration if version is None else version, 0.0, None, None, found, {}, 0.0, 0.0)


class Writing(Everyone):
    """Leaves a folder of every version, and solves what `SCORES` says."""

    def __init__(self) -> None:
        self.there: dict[int, list[str]] = {}

    async def step(self, batch, version, folder) -> TrainingResult:
        folder.mkdir(parents=True)
        return await super().step(batch, version, folder)

    async def evaluate(self, iteration: int, policy: PolicyVersion) -> list[Row]:
        return rows(SCORES[iteration])


def kept(folders: Folders) -> set[int]:
    return {int(one.name[1:]) for one in (folders.run / "policies").iterdir()}


async def test_the_best_and_the_last_evaluated_weights_outlive_the_newest(tmp_path):
    folders = Folders(tmp_path)
    folders.policy(0).mkdir(parents=True)
    there: dict[int, set[int]] = {}
    curve: list[Iteration] = []

    class Looking(Writing):
        async def take(self, iteration: int, version: int) -> Harvest:
            there[iteration - 1] = kept(folders)
            return await super().take(iteration, version)

    schedule = Schedule(9, 2, 2, PlannedLength(9))
    await went_around(Looking(), tmp_path, schedule, until=5, curve=curve)
    assert there[3] == {0, 2, 3}
    assert kept(folders) == {0, 2, 4, 5}
    # What was evaluated before a restart is in the curve.
    await went_around(Looking(), tmp_path, schedule, curve=curve)
    there[9] = kept(folders)
    assert there[7] == {0, 2, 6, 7}
    assert there[8] == {0, 2, 7, 8}
    assert there[9] == {0, 2, 8, 9}
    assert best_of(curve).iteration == 2


def test_of_weights_that_did_equally_well_the_latest_are_the_best_and_of_none_graded_there_are_none():
    assert best_of([over(0, 3), over(1, None), over(2, 3), over(3, 1)]).iteration == 2
    assert evaluated_versions([over(0, 3), over(1, None), over(2, 3), over(3, 1)]) == {2, 3}
    assert best_of([over(0, None)]) is None
    nothing = msgspec.structs.replace(over(1, 0), evaluation=tried([]))
    assert best_of([nothing]) is None
    assert evaluated_versions([nothing]) == {1}
    assert evaluated_versions([]) == set()


@pytest.mark.parametrize(("best", "where"), [(5, "policies/v00005"), (0, "some/model")])
def test_the_end_of_a_run_says_which_were_best_and_where_they_lie(tmp_path: Path, capsys, monkeypatch, best, where):
    about: list[RunFacts] = []
    monkeypatch.setattr(commands, "report", lambda folders, _, told: about.append(told) or folders.report)
    monkeypatch.setattr(commands, "before_and_after", lambda *_: None)
    folders = Folders(tmp_path / "run")
    folders.policy(5).mkdir(parents=True)
    for iteration in (0, 5, 9):
        append(folders.curve, over(iteration, 6 if iteration == best else 2))
    config = TrainConfig(policy=PolicyConfig(model="some/model"))
    result = commands._result(folders.run, config, interrupted=False)
    assert about[0].facts["best"] == f"version {best}"
    _tell(result, Console(soft_wrap=True), as_json=False)
    told = capsys.readouterr().out
    assert f"best on unseen websites: version {best}, after iteration {best}, 60.0%" in told
    assert where in told
    _tell(result, Console(stderr=True), as_json=True)
    said = json.loads(capsys.readouterr().out)["best"]
    assert (said["iteration"], said["version"], said["success"]["rate"]) == (best, best, 0.6)
    assert said["path"].endswith(where)
