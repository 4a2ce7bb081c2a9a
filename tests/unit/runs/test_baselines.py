"""What runs are compared with."""

from __future__ import annotations

import io
from pathlib import Path

import msgspec
import pytest
from rich.console import Console
from tests.unit.store.making import META, attempt, ending

from webgym.cli.run_report import print_baselines
from webgym.run.baselines import floors_for
from webgym.store.write import open_writer


def test_the_floors_of_the_test_split_are_known_with_their_commands():
    floors = {floor.agent: floor for floor in floors_for("test")}
    assert floors["oracle"].rate == 1
    assert floors["random clicker"].rate == floors["does nothing"].rate == 0
    for floor in floors.values():
        assert floor.low <= floor.rate <= floor.high
        assert floor.command.startswith("webgym eval agent.use=")


def test_other_splits_have_floors_of_their_own_or_none():
    assert floors_for("train") == []


FLOOR, PUBLISHED = "random clicker", "GPT-5-Thinking"


async def stored(folder: Path, tasks: str, website: str) -> Path:
    meta = msgspec.structs.replace(META, name=folder.name, config=tasks, kind="eval")
    one = attempt(1)
    one = msgspec.structs.replace(one, task=msgspec.structs.replace(one.task, website=website))
    async with open_writer(folder, meta) as writer:
        await writer.begin(one)
        await writer.end(one, ending(), {})
    return folder


def shown(*runs: Path) -> str:
    console = Console(file=io.StringIO(), width=160)
    print_baselines(runs, "test", console)
    return console.file.getvalue()


HERMETIC = ("[tasks]\nuse = 'hermetic'\n", "http://shop-6.localhost:4300/")
NANO = ("[tasks]\nuse = 'nano'\n", "http://shop-6.localhost:4300/")
OPEN_WEB = ("[tasks]\nuse = 'set'\nfile = 'webgym:test'\n", "https://example.org/")


@pytest.mark.anyio
async def test_a_run_on_hermetic_tasks_is_not_set_beside_figures_of_real_websites(tmp_path: Path):
    table = shown(await stored(tmp_path / "mine", *HERMETIC))
    assert "mine" in table
    assert FLOOR in table
    assert PUBLISHED not in table


@pytest.mark.anyio
async def test_a_run_on_real_websites_is_not_set_beside_floors_of_hermetic_tasks(tmp_path: Path):
    table = shown(await stored(tmp_path / "mine", *OPEN_WEB))
    assert PUBLISHED in table
    assert FLOOR not in table


@pytest.mark.anyio
@pytest.mark.parametrize(
    "tasks",
    [
        "use = 'file'\nfile = 'mine.jsonl'",
        "use = 'given'",
        "use = 'examples.own_task:tasks'",
        "use = 'set'\nfile = 'sets/mine:test'",
        "use = 'set'\nfile = 'sets/webgym:test'",
        "use = 'set'\nfile = 'webgym:train'",
        "use = 'set'\nfile = 'webgym'\nsplit = 'train'",
        "use = 'set'\nfile = 'webgym:test'\nlevels = ['easy']",
        "use = 'set'\nfile = 'webgym:test'\nsampler = 'balanced'",
    ],
)
async def test_figures_of_the_published_test_set_are_not_set_beside_other_tasks(tmp_path: Path, tasks: str):
    mine = await stored(tmp_path / "mine", f"[tasks]\n{tasks}\n", "http://127.0.0.1:8000/")
    assert shown(mine) == ""


@pytest.mark.anyio
async def test_the_published_test_set_has_two_names(tmp_path: Path):
    table = shown(await stored(tmp_path / "mine", "[tasks]\nuse = 'set'\nfile = 'webgym'\n", "https://example.org/"))
    assert "the published test set of real websites" in table


@pytest.mark.anyio
async def test_a_run_on_other_hermetic_tasks_stands_alone_or_beside_the_runs_named(tmp_path: Path):
    mine, other = await stored(tmp_path / "mine", *NANO), await stored(tmp_path / "other", *NANO)
    assert shown(mine) == ""
    table = shown(mine, other)
    assert "mine" in table
    assert "other" in table
    assert FLOOR not in table
    assert PUBLISHED not in table


@pytest.mark.anyio
async def test_only_what_fits_every_run_of_the_table_is_shown_beside_them(tmp_path: Path):
    table = shown(await stored(tmp_path / "mine", *HERMETIC), await stored(tmp_path / "other", *OPEN_WEB))
    assert FLOOR not in table
    assert PUBLISHED not in table
