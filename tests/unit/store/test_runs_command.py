"""`webgym runs`, as a person types it."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import msgspec
import pytest
from tests.unit.store.making import META, attempt, ending, step
from typer.testing import CliRunner

from webgym.cli.runs import app, size
from webgym.errors import StoreError
from webgym.records.trajectory import Cancellation, Failure, Infrastructure, Outcome, SiteBlock, Success
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
    await make_run(tmp_path / "first", [Success(), Success(), SiteBlock("x")], name="first", created=1.0)
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


async def test_show_says_how_to_try_again_what_was_lost(tmp_path: Path):
    folder = await make_run(tmp_path / "one", [Success(), Infrastructure("transport")])
    assert f"to resume: webgym rollout --resume {folder}" in run("show", folder)
    whole = await make_run(tmp_path / "two", [Success(), Failure("no")])
    assert "to resume" not in run("show", whole)


async def test_show_tells_the_settings_the_outcomes_and_how_to_go_on(tmp_path: Path):
    folder = await make_run(tmp_path / "one", [Success(), Failure("no"), None])
    shown = run("show", folder)
    for expected in (
        "webgym rollout",
        "success 1",
        "kettle.localhost",
        f"webgym rollout --resume {folder}",
        f"webgym runs show {folder} --settings",
    ):
        assert expected in shown
    assert shown.startswith("submitted 3")
    assert "seed = 7" not in shown
    assert run("show", folder, "--settings").endswith(META.config)
    told = json.loads(run("show", folder, "--json"))
    assert told["summary"]["outcomes"]["success"] == told["run"]["outcomes"]["failure"] == 1
    assert told["meta"]["config"] == META.config


async def test_show_tells_how_to_go_on_with_what_was_cancelled(tmp_path: Path):
    stopped = await make_run(tmp_path / "one", [Success(), Cancellation("stopped")])
    assert f"webgym rollout --resume {stopped}" in run("show", stopped)
    over = await make_run(tmp_path / "two", [Success(), Failure("no")])
    assert "--resume" not in run("show", over)


async def test_compare_pairs_tasks_and_names_those_that_flipped(tmp_path: Path):
    before = await make_run(tmp_path / "a", [Success(), Failure(), Failure(), SiteBlock("x"), Failure()])
    after = await make_run(tmp_path / "b", [Success(), Success(), Success(), Success()])
    shown = run("compare", before, after)
    assert "difference +66.7%" in shown
    assert "2 tasks gained, 0 lost" in shown
    assert "1 not graded in one of the runs, 1 only in the first" in shown
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


async def test_rm_takes_all_that_a_run_wrote(tmp_path: Path):
    rolled = await make_run(tmp_path / "rolled", [Success()])
    (rolled / "servers").mkdir()
    (rolled / "drawn-tasks.json").write_text("[]")
    run("rm", rolled, "--yes")
    assert not rolled.exists()
    trained = await make_run(tmp_path / "trained", [Success()], kind="train")
    await make_run(trained / "evaluations" / "00000", [Failure()], kind="eval")
    for weights in ("policies/v00001/model.safetensors", "checkpoints/1/state", "batches/00001.msgpack"):
        (trained / weights).parent.mkdir(parents=True)
        (trained / weights).write_bytes(b"w" * 1000)
    for name in ("curve.jsonl", "ended.json", "planned.json", "report.html", "drawn-tests.json"):
        (trained / name).write_text("")
    run("rm", trained, "--yes")
    assert not trained.exists()


async def test_rm_of_a_rollout_leaves_what_only_training_calls_its_own(tmp_path: Path):
    folder = await make_run(tmp_path / "one", [Success()])
    (folder / "report.html").write_text("mine")
    run("rm", folder, "--yes")
    assert [file.name for file in folder.iterdir()] == ["report.html"]


async def test_rm_and_gc_refuse_a_run_that_is_being_written(tmp_path: Path):
    async with open_writer(tmp_path, META):
        with pytest.raises(StoreError, match="being written by process"):
            run("rm", tmp_path, "--yes")
        with pytest.raises(StoreError, match="being written by process"):
            run("gc", tmp_path)
    assert (tmp_path / "run.json").exists()


async def test_a_file_system_without_locks_can_be_read_and_is_told_of_to_those_who_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    folder = await make_run(tmp_path / "one", [Success()])

    def refused(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", refused)
    assert "1 success" in run("list", tmp_path)
    for command in (("rm", folder, "--yes"), ("gc", folder)):
        with pytest.raises(StoreError, match=r"cannot be locked.*No locks available"):
            run(*command)


async def test_gc_tells_what_it_gave_back(tmp_path: Path):
    folder = await make_run(tmp_path / "one", [None, Success()])
    async with open_writer(folder) as writer:
        await writer.begin(attempt(0))
    assert "1 unused images" in run("gc", folder)
    assert json.loads(run("gc", folder, "--json"))["images"] == 0


async def test_runs_are_named_by_folder_or_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    await make_run(tmp_path / "runs" / "mine", [Success()])
    monkeypatch.chdir(tmp_path)
    assert "success 1" in run("show", "mine")
    with pytest.raises(StoreError, match="there is no run 'yours'"):
        run("show", "yours")


def test_sizes_read_well():
    assert [size(count) for count in (12, 1200, 25_000_000, 3.2e9)] == ["12 B", "1.2 kB", "25.0 MB", "3.2 GB"]
