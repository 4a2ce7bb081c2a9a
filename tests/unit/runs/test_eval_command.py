"""`webgym eval`, as a program reads it."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest
from tests.unit.runs.test_summary import row
from tests.unit.store.making import META, attempt, ending, step
from typer.testing import CliRunner

from webgym.cli import evaluate
from webgym.cli.main import app
from webgym.records.trajectory import Failure, Infrastructure, Outcome, Success
from webgym.run.summary import summarise
from webgym.store.write import open_writer

pytestmark = pytest.mark.anyio


GOOD = summarise([row(1, "success")])


async def stored(folder: Path, *outcomes: Outcome) -> Path:
    async with open_writer(folder, msgspec.structs.replace(META, name=folder.name, config="", kind="eval")) as writer:
        for number, outcome in enumerate(outcomes):
            await writer.begin(attempt(number))
            await writer.step(attempt(number), *step(1, picture_seed=number))
            await writer.end(attempt(number), ending(outcome, steps=1), {})
    return folder


async def test_with_json_a_comparison_is_for_people_and_standard_output_for_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    before = await stored(tmp_path / "before", Failure("no"), Failure("no"), Success())
    after = await stored(tmp_path / "after", Success(), Success(), Success())
    monkeypatch.setattr(
        evaluate, "carry_out", lambda *_: SimpleNamespace(complete=True, interrupted=False, summary=GOOD)
    )
    command = ["eval", "--resume", str(after), "--against", str(before)]
    told = CliRunner().invoke(app, [*command, "--json"])
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["run"] == "after"
    assert "2 tasks gained, 0 lost" in told.stderr
    shown = CliRunner().invoke(app, command)
    assert "2 tasks gained, 0 lost" in shown.stdout


async def test_runs_without_a_task_in_common_are_not_said_to_be_alike(tmp_path: Path):
    both = [await stored(tmp_path / name, outcome) for name, outcome in (("a", Success()), ("b", Infrastructure("x")))]
    shown = CliRunner().invoke(app, ["runs", "compare", *map(str, both)])
    assert "no task was graded in both" in shown.stdout
    assert "%" not in shown.stdout
