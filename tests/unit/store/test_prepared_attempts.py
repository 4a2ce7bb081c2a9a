"""An attempt is stored as its latest try was prepared."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.unit.store.making import META, attempt, ending

from webgym.store.read import open_run
from webgym.store.write import open_writer


@pytest.mark.anyio
async def test_each_try_may_have_an_instruction_of_its_own(tmp_path: Path):
    planned = attempt(1)
    prepared = [
        msgspec.structs.replace(planned, task=msgspec.structs.replace(planned.task, instruction=told))
        for told in ("Find the red door.", "Find the blue door.")
    ]
    async with open_writer(tmp_path / "run", META) as writer:
        for one in prepared:
            await writer.begin(one)
        await writer.end(prepared[1], ending(), {})
    with open_run(tmp_path / "run") as run:
        [row] = run.rows()
        assert (row.instruction, row.failed_tries) == ("Find the blue door.", 0)
        assert run.trajectory(planned.attempt_id).attempt == prepared[1]


@pytest.mark.anyio
async def test_a_site_is_what_its_environment_says(tmp_path: Path):
    planned = attempt(1)
    at_home = msgspec.structs.replace(planned, task=msgspec.structs.replace(planned.task, site="mlflow"))
    async with open_writer(tmp_path / "run", META) as writer:
        await writer.begin(at_home)
        await writer.end(at_home, ending(), {})
    with open_run(tmp_path / "run") as run:
        assert [row.site for row in run.rows()] == ["mlflow"]
