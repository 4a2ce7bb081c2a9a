"""Training runs set against each other: what rose, over tasks and over seeds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from tests.unit.store.making import META, attempt, ending, step
from typer.testing import CliRunner

from webgym.cli.study.show import show as command
from webgym.errors import ConfigError
from webgym.pipeline.study.compare import study
from webgym.pipeline.train.folders import Folders
from webgym.records.trajectory import Cancelled, Failure, Infrastructure, Outcome, Success
from webgym.store.write import open_writer

pytestmark = pytest.mark.anyio

WON, LOST, BROKEN = Success(), Failure("no"), Infrastructure("timeout")


async def trained(folder: Path, before: list[Outcome], after: list[Outcome], iteration: int = 8) -> Path:
    """A run with these evaluations; tasks of even numbers have one fact, the others two."""
    async with open_writer(folder, META):
        pass
    for number, outcomes in ((0, before), (4, before), (iteration, after)):
        async with open_writer(Folders(folder).evaluation(number), META) as writer:
            for place, outcome in enumerate(outcomes):
                one = attempt(place, facts=1 + place % 2)
                await writer.begin(one)
                length = 2 if outcome is WON else 3
                for at in range(length):
                    await writer.step(one, *step(at + 1, picture_seed=at))
                await writer.end(one, ending(outcome, steps=length), {})
    return folder


async def test_what_rose_is_paired_by_task_and_averaged_over_seeds(tmp_path: Path):
    better = [
        await trained(tmp_path / "a", [LOST] * 8 + [WON] * 2, [WON] * 6 + [LOST] * 4),
        await trained(tmp_path / "b", [LOST] * 8 + [WON] * 2, [WON] * 8 + [LOST, BROKEN]),
    ]
    same = [await trained(tmp_path / "c", [LOST] * 8 + [WON] * 2, [LOST] * 8 + [WON] * 2)]
    found = study({"better": better, "same": same})
    arm, control = found.arms
    assert [(seed.before, seed.after, seed.tasks, seed.iteration) for seed in arm.seeds] == [
        (0.2, 0.6, 10, 8),
        (pytest.approx(1 / 9), pytest.approx(8 / 9), 9, 8),
    ]
    assert arm.rise.n == 10
    # Tasks 0 to 5 rose in both seeds, 6 and 7 in one, 8 and 9 fell; what broke is nobody's failure.
    assert arm.rise.estimate == pytest.approx((6 * 1 + 2 * 0.5 - 2) / 10)
    assert arm.rise_over_seeds.estimate == pytest.approx((0.4 + 7 / 9) / 2)
    assert arm.rise_over_seeds.low < 0.4 < 7 / 9 < arm.rise_over_seeds.high
    assert {kind: rise.n for kind, rise in arm.by_facts.items()} == {"1": 5, "2": 5}
    assert (arm.after.successes.steps, arm.after.failures.steps) == (2, 3)
    assert control.rise.estimate == 0
    assert control.rise.low < 0 < control.rise.high
    against = found.against_first[0]
    assert (against.name, against.than) == ("same", "better")
    assert against.difference.estimate == pytest.approx((-6 * 1 - 2 * 0.5 + 2) / 10)


async def test_an_evaluation_that_is_not_over_does_not_count(tmp_path: Path):
    run = await trained(tmp_path / "a", [LOST] * 5, [WON, *[LOST] * 4])
    async with open_writer(Folders(run).evaluation(12), META) as writer:
        for place in range(2):  # the quick ones, of five
            one = attempt(place, facts=1 + place % 2)
            await writer.begin(one)
            await writer.step(one, *step(1, picture_seed=1))
            await writer.end(one, ending(WON, steps=1), {})
    (seed,) = study({"one": [run]}).arms[0].seeds
    assert (seed.iteration, seed.after) == (8, 0.2)


async def test_an_evaluation_that_was_stopped_does_not_count(tmp_path: Path):
    run = await trained(tmp_path / "a", [LOST] * 5, [WON, *[LOST] * 4])
    async with open_writer(Folders(run).evaluation(12), META) as writer:
        for place in range(5):
            one = attempt(place, facts=1 + place % 2)
            await writer.begin(one)
            await writer.step(one, *step(1, picture_seed=1))
            await writer.end(one, ending(WON if place < 2 else Cancelled("stopped from outside"), steps=1), {})
    (seed,) = study({"one": [run]}).arms[0].seeds
    assert (seed.iteration, seed.after) == (8, 0.2)


async def test_a_run_that_was_not_evaluated_twice_is_named(tmp_path: Path):
    folder = tmp_path / "young"
    async with open_writer(Folders(folder).evaluation(0), META):
        pass
    with pytest.raises(ConfigError, match=r"young has no evaluation before and after learning.*\[0\]"):
        study({"one": [folder]})


async def test_the_command_tells_arms_as_tables_and_as_json(tmp_path: Path):
    run = await trained(tmp_path / "a", [LOST] * 4, [WON] * 3 + [LOST])
    app = typer.Typer()
    app.command()(command)
    shown = CliRunner().invoke(app, [f"1/k={run}"], env={"COLUMNS": "160"})
    assert shown.exit_code == 0, shown.output
    assert "+75.0" in shown.output
    assert "one seed" in shown.output
    named = CliRunner().invoke(app, [f"[half]={run}", f"[/k]={run}"], env={"COLUMNS": "160"})
    assert named.exit_code == 0, named.exception
    assert named.output.count("[half]") >= 3
    assert "[/k]" in named.output
    assert "not told" in shown.output  # these runs have no curves
    told = json.loads(CliRunner().invoke(app, [f"1/k={run}", f"again={run}", "--json"]).output)
    assert [arm["name"] for arm in told["arms"]] == ["1/k", "again"]
    assert told["against_first"][0]["difference"]["estimate"] == 0
    assert told["level"] is None
    assert any("no time to a level" in note for note in told["notes"])


@pytest.mark.parametrize("wrong", ["runs/a", "=runs/a", "a=", "a=,"])
def test_an_arm_that_is_not_written_as_one_is_told(wrong: str):
    app = typer.Typer()
    app.command()(command)
    with pytest.raises(ConfigError, match="NAME=RUN"):
        CliRunner().invoke(app, [wrong], catch_exceptions=False)


async def test_an_arm_that_is_named_twice_is_told(tmp_path: Path):
    run = await trained(tmp_path / "a", [LOST], [WON])
    app = typer.Typer()
    app.command()(command)
    with pytest.raises(ConfigError, match="named twice"):
        CliRunner().invoke(app, [f"x={run}", f"x={run}"], catch_exceptions=False)
