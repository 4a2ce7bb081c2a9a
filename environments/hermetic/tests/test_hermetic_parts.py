"""Parts of hermetic tasks: their facts are exactly their groups', and their oracles pass."""

from __future__ import annotations

import datetime as dt
import json
import os
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from webgym.records.task_row import TaskRow
from webgym.run.task_sets.decompose.run import DecomposePlan, Decomposition, decompose
from webgym.tasks.decompose.rule import can_be_cut, parts_of
from webgym.tasks.sets import open_set
from webgym_hermetic.rows import hermetic_rows

ROOT = Path(__file__).parents[3]
COMMAND = [sys.executable, "-m", "webgym"]


@pytest.fixture(scope="module")
def rows() -> list[TaskRow]:
    return list(hermetic_rows(3, 20))


def cut(rows: list[TaskRow], **more) -> Decomposition:
    return anyio.run(decompose, rows, DecomposePlan(**more))


def test_every_part_has_exactly_the_facts_of_its_groups(rows: list[TaskRow]):
    done = cut(rows)
    assert not done.rejects
    assert not done.left
    parents = {row.task_id: row for row in rows}
    assert len(done.parts) + done.alike == done.planned > 200
    for part in done.parts:
        parent = parents[part.decomposed_from or ""]
        places = [int(number) - 1 for number in part.task_id.removeprefix(f"{parent.task_id}-part-").split("-")]
        assert tuple(places) in parts_of(parent.rubric)
        assert [group.facts for group in part.rubric] == [parent.rubric[place].facts for place in places]
        assert len(json.loads(part.exact)) == len(places)
        assert json.loads(part.exact) == [json.loads(parent.exact)[place] for place in places]
        assert (part.website, part.split, part.template) == (parent.website, parent.split, parent.template)
        assert all(group.description in part.instruction for group in part.rubric[1:])


def test_tasks_that_cannot_be_cut_and_parts_have_none(rows: list[TaskRow]):
    done = cut(rows)
    of = {part.decomposed_from for part in done.parts}
    assert of <= {row.task_id for row in rows if can_be_cut(row.rubric)}
    again = cut([*rows, *done.parts])
    assert (again.planned, again.parts) == (0, [])


def test_all_ids_and_instructions_of_a_website_differ(rows: list[TaskRow]):
    everything = [*rows, *cut(rows, most=64).parts]
    assert len({row.task_id for row in everything}) == len(everything)
    assert len({(row.website, row.instruction) for row in everything}) == len(everything)


def test_tasks_to_test_on_stay_whole_unless_asked_for():
    rows = [row for row in hermetic_rows(7, 10) if row.split == "test"]
    assert rows
    assert cut(rows).parts == []
    assert cut(rows, test=True).parts


def test_the_command_adds_the_parts_and_needs_no_model(tmp_path: Path):
    made = [*COMMAND, "tasks", "import", "hermetic", "--sites", "1", "--per-site", "12", "--out", str(tmp_path / "h")]
    subprocess.run(made, check=True, capture_output=True)
    command = [*COMMAND, "tasks", "decompose", str(tmp_path / "h"), "--out", str(tmp_path / "p"), "--json"]
    said = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    tasks = open_set(tmp_path / "p")
    assert said["written"]
    assert said["left"] == 0
    assert len(tasks) == 72 + said["parts"]
    assert tasks.card().decomposed == said["parts"] > 20


def solved(folder: Path, count: int) -> None:
    rows = list(hermetic_rows(4, 30))
    parts = cut(rows).parts
    chosen = parts[:: max(1, len(parts) // count)][:count]
    file = folder / "parts.jsonl"
    from webgym.tasks.exporting import export_set
    from webgym.tasks.sets import set_of

    export_set(set_of("parts", chosen), "tasks", file, dt.date(2026, 1, 1))
    said = subprocess.run(
        [
            *COMMAND, "eval", "agent.use=oracle", "tasks.use=file", f"tasks.file='{file}'", "tasks.count=0",
            "browser.sessions=6", f"store.root='{folder}'", "name='run'", "monitor.serve=false", "--json",
        ],
        check=False, cwd=ROOT, capture_output=True, text=True, env=os.environ | {"COLUMNS": "160"},
    )  # fmt: skip
    assert said.returncode == 0, said.stderr[-3000:]
    report = json.loads(said.stdout)
    assert report["outcomes"] == {**report["outcomes"], "success": len(chosen)}, report["outcomes"]
    assert sum(report["outcomes"].values()) == len(chosen)


@pytest.mark.chromium
@pytest.mark.timeout(300)
def test_oracles_of_a_few_parts_pass_in_a_browser(tmp_path: Path):
    solved(tmp_path, 6)


@pytest.mark.full
@pytest.mark.chromium
@pytest.mark.timeout(1400)
def test_oracles_of_two_hundred_parts_pass_in_a_browser(tmp_path: Path):
    solved(tmp_path, 200)
