"""`webgym runs`, as a person types it."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from tests.unit.store.making import META, attempt, ending, step
from typer.testing import CliRunner

from webgym.cli.runs import app, size
from webgym.errors import StoreError
from webgym.records.trajectory import Blocked, Failure, Outcome, Success
from webgym.store.write import open_writer

pytestmark = pytest.mark.anyio


async def make_run(folder: Path, outcomes: list[Outcome | None], **changes: object) -> Path:
    async with open_writer(folder, msgspec.structs.replace(META, **changes)) as writer:
        for number, outcome in enumerate(outcomes):
            await writer.begin(attempt(number))
            await writer.step(attempt(number), *step(1, picture_seed=number))
            if outcome:
                await writer.end(attempt(number), ending(outcome, steps=1), {})
    return folder


def run(*arguments: object, answer: str | None = None) -> str:
    done = CliRunner().invoke(app, [str(one) for one in arguments], input=answer)
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.output


async def test_list_shows_runs_with_their_outcomes(tmp_path: Path):
    await make_run(tmp_path / "first", [Success(), Success(), Blocked("x")], name="first", created=1.0)
    await make_run(tmp_path / "second", [Failure()], name="second", created=2.0, kind="eval")
    listed = run("list", tmp_path)
    assert listed.index("second") < listed.index("first")
    assert "2 success, 1 blocked" in listed
    told = [json.loads(line) for line in run("list", tmp_path, "--json").splitlines()]
    assert [(one["name"], one["kind"], one["attempts"], one["live"]) for one in told] == [
        ("second", "eval", 1, False),
        ("first", "rollout", 3, False),
    ]
    assert "no runs in" in run("list", tmp_path / "nowhere")


async def test_show_tells_the_settings_the_outcomes_and_how_to_go_on(tmp_path: Path):
    folder = await make_run(tmp_path / "one", [Success(), Failure("no"), None])
    shown = run("show", folder)
    for expected in (
        "webgym rollout",
        "seed = 7",
        "success 1",
        "kettle.localhost",
        f"webgym rollout --resume {folder}",
    ):
        assert expected in shown
    told = json.loads(run("show", folder, "--json"))
    assert told["summary"]["outcomes"]["success"] == told["run"]["outcomes"]["failure"] == 1
    assert told["meta"]["config"] == META.config


async def test_compare_pairs_tasks_and_names_those_that_flipped(tmp_path: Path):
    before = await make_run(tmp_path / "a", [Success(), Failure(), Failure(), Blocked("x"), Failure()])
    after = await make_run(tmp_path / "b", [Success(), Success(), Success(), Success()])
    shown = run("compare", before, after)
    assert "difference +66.7%" in shown
    assert "2 tasks gained, 0 lost" in shown
    assert "1 never graded in one of them, 1 only in the first" in shown
    told = json.loads(run("compare", after, before, "--json"))
    assert [flip["task_id"] for flip in told["lost"]] == ["shop-0001", "shop-0002"]
    assert told["lost"][0]["attempts_a"] == ["a-00001"]
    assert told["difference"]["n"] == told["tasks"] == 3


async def test_rm_asks_and_leaves_alone_what_is_not_the_runs(tmp_path: Path):
    folder = await make_run(tmp_path / "one", [Success()])
    (folder / "notes.txt").write_text("mine")
    run("rm", folder, answer="n\n")
    assert (folder / "run.json").exists()
    assert "deleted" in run("rm", folder, answer="y\n")
    assert [file.name for file in folder.iterdir()] == ["notes.txt"]
    other = await make_run(tmp_path / "two", [Success()])
    (other / "labels.jsonl").write_text("{}\n")
    assert json.loads(run("rm", other, "--yes", "--json"))["removed"] == str(other)
    assert not other.exists()


async def test_rm_and_gc_refuse_a_run_that_is_being_written(tmp_path: Path):
    async with open_writer(tmp_path, META):
        with pytest.raises(StoreError, match="being written by process"):
            run("rm", tmp_path, "--yes")
        with pytest.raises(StoreError, match="being written by process"):
            run("gc", tmp_path)
    assert (tmp_path / "run.json").exists()


async def test_gc_tells_what_it_gave_back(tmp_path: Path):
    folder = await make_run(tmp_path / "one", [None, Success()])
    async with open_writer(folder) as writer:
        await writer.begin(attempt(0))
    assert "1 unused pictures" in run("gc", folder)
    assert json.loads(run("gc", folder, "--json"))["images"] == 0


async def test_runs_are_named_by_folder_or_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    await make_run(tmp_path / "runs" / "mine", [Success()])
    monkeypatch.chdir(tmp_path)
    assert "success 1" in run("show", "mine")
    with pytest.raises(StoreError, match="there is no run 'yours'"):
        run("show", "yours")


def test_sizes_read_well():
    assert [size(count) for count in (12, 1200, 25_000_000, 3.2e9)] == ["12 B", "1.2 kB", "25.0 MB", "3.2 GB"]
