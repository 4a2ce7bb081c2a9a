"""What is recorded reads back, exactly, while it is written and afterwards."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.unit.store.making import META, attempt, ending, plain_step, step

import webgym
from webgym.errors import ConfigError, StoreError
from webgym.records.observation import Blob, Download, Observation, address_of
from webgym.records.prompt import Message, Prompt, Text
from webgym.records.trajectory import (
    Cancellation,
    FailedTry,
    Failure,
    Infrastructure,
    JudgeUnknown,
    SiteBlock,
    Success,
    Truncation,
)
from webgym.stages import Recorder
from webgym.store.encoding import load_step, store_step
from webgym.store.read import find_runs, open_run
from webgym.store.schema import DATABASE_FILE
from webgym.store.write import open_writer

pytestmark = pytest.mark.anyio


async def test_a_trajectory_reads_back_as_it_was_recorded(tmp_path: Path):
    taken = [step(1), step(2), step(3, last=True)]
    async with open_writer(tmp_path / "run", META) as writer:
        assert isinstance(writer, Recorder)
        await writer.begin(attempt())
        for one, blobs in taken:
            await writer.step(attempt(), one, blobs)
        await writer.step(attempt(), plain_step(4), {})
        await writer.end(attempt(), ending(steps=4), {})
    with webgym.load_run(tmp_path / "run") as run:
        trajectory = run.trajectory("a-00001")
        assert trajectory.attempt == attempt()
        assert trajectory.steps == (*(one for one, _ in taken), plain_step(4))
        assert trajectory.ending == ending(steps=4)
        assert list(run.trajectories()) == [trajectory]
        for _, blobs in taken:
            assert all(run.blob(address) == data for address, data in blobs.items())


async def test_malformed_replies_are_counted_of_the_last_try(tmp_path: Path):
    async with open_writer(tmp_path, META) as writer:
        for replies in (3, 2):
            await writer.begin(attempt())
            await writer.step(attempt(), *step(1))
            for number in range(replies):
                await writer.step(attempt(), plain_step(2 + number), {})
        await writer.end(attempt(), ending(steps=3), {})
    with open_run(tmp_path) as run:
        [row] = run.rows()
    assert (row.malformed, row.steps) == (2, 3)


async def test_a_run_is_read_while_it_is_written(tmp_path: Path):
    async with open_writer(tmp_path, META) as writer:
        await writer.begin(attempt(1))
        await writer.begin(attempt(2))
        await writer.step(attempt(2), *step(1))
        await writer.end(attempt(1), ending(steps=0), {})
        with open_run(tmp_path) as run:
            assert run.live
            assert run.meta == META
            assert run.outcomes()["success"] == 1
            first, second = run.rows()
            assert (first.outcome, second.outcome) == ("success", None)
            with pytest.raises(StoreError, match="is not over"):
                run.trajectory("a-00002")
            assert run.ending("a-00002") is None
            await writer.end(attempt(2), ending(Failure("no")), {})
            assert run.trajectory("a-00002").steps == (step(1)[0],)
    with open_run(tmp_path) as run:
        assert not run.live


async def test_rows_say_how_each_attempt_went(tmp_path: Path):
    outcomes = [
        Truncation("steps"),
        SiteBlock("captcha"),
        Infrastructure("timeout", "slow"),
        JudgeUnknown("?"),
        Cancellation("stop"),
    ]
    async with open_writer(tmp_path, META) as writer:
        await writer.begin(attempt(1, facts=4, group="g"))
        await writer.step(attempt(1), *step(1))
        await writer.step(attempt(1), *step(2, last=True))
        tries = (FailedTry("session_lost", "gone", 3, 4.0),)
        told = msgspec.structs.replace(ending(held=1, facts=4), failed_tries=tries)
        await writer.end(attempt(1, facts=4, group="g"), told, {})
        for number, outcome in enumerate(outcomes, 2):
            await writer.begin(attempt(number))
            await writer.end(attempt(number), ending(outcome), {})
    with open_run(tmp_path) as run:
        row, *others = run.rows()
        assert run.outcomes() == dict.fromkeys(
            ("success", "truncated", "blocked", "infrastructure", "judge_unknown", "cancelled"), 1
        ) | {"failure": 0}
    assert row.site == "kettle.localhost"
    assert (row.level, row.difficulty, row.group, row.member) == ("medium", 4, "g", 1)
    assert (row.steps, row.last_action, row.answer) == (2, "answer", "It is 7 €.")
    assert (row.facts_held, row.facts, row.failed_tries) == (1, 4, 1)
    assert (row.prompt_tokens, row.sampled_tokens, row.cost) == (2000, 40, 0.5)
    assert (row.began, row.ended, row.queued, row.reward) == (10.0, 20.0, 1.5, 1.0)
    assert [one.detail for one in others] == ["steps", "captcha", "timeout", "?", "stop"]
    assert [one.reward for one in others] == [0.0, None, None, None, None]


async def test_a_new_try_voids_the_steps_of_the_one_before(tmp_path: Path):
    async with open_writer(tmp_path, META) as writer:
        await writer.begin(attempt())
        await writer.step(attempt(), *step(1))
        await writer.step(attempt(), *step(2))
        await writer.begin(attempt())
        assert writer.steps("a-00001") == ()
        again = step(1, picture_seed=99)
        await writer.step(attempt(), *again)
        assert writer.steps("a-00001") == (again[0],)
        await writer.end(attempt(), ending(), {})
        assert writer.steps("a-00001") == (again[0],)
    with open_run(tmp_path) as run:
        assert run.steps("a-00001") == (again[0],)
        assert run.rows()[0].steps == 1
        assert run.rows()[0].cost == 0.75, "what a failed try cost was spent"


async def test_the_writer_shows_steps_and_pictures_at_once(tmp_path: Path):
    async with open_writer(tmp_path, META) as writer:
        await writer.begin(attempt())
        for number in range(1, 30):
            taken, blobs = step(number)
            await writer.step(attempt(), taken, blobs)
            assert len(writer.steps("a-00001")) == number
            assert all(writer.blob(address) == data for address, data in blobs.items())
        assert writer.blob(address_of(b"never")) is None
        assert writer.steps("nobody") == ()


async def test_an_attempt_that_is_over_neither_begins_nor_ends_again(tmp_path: Path):
    async with open_writer(tmp_path, META) as writer:
        with pytest.raises(StoreError, match="no try of attempt"):
            await writer.step(attempt(), *step(1))
        await writer.begin(attempt())
        await writer.end(attempt(), ending(), {})
        with pytest.raises(StoreError, match="over already"):
            await writer.begin(attempt())
        with pytest.raises(StoreError, match="over already"):
            await writer.end(attempt(), ending(), {})
        with pytest.raises(StoreError, match="no try of attempt"):
            await writer.step(attempt(), *step(1))
    async with open_writer(tmp_path) as writer:
        with pytest.raises(StoreError, match="over already"):
            await writer.begin(attempt())


async def test_an_attempt_can_end_before_a_try_began(tmp_path: Path):
    async with open_writer(tmp_path, META) as writer:
        await writer.end(attempt(), ending(Infrastructure("timeout")), {})
    with open_run(tmp_path) as run:
        assert run.trajectory("a-00001").steps == ()


async def test_resuming_finds_what_is_over_and_runs_the_rest_again(tmp_path: Path):
    async with open_writer(tmp_path, META) as writer:
        for number in (1, 2, 3):
            await writer.begin(attempt(number))
            await writer.step(attempt(number), *step(1, picture_seed=number))
        await writer.end(attempt(1), ending(), {})
        await writer.end(attempt(3), ending(Cancellation("Ctrl-C")), {})
        assert writer.finished() == {"a-00001"}
    async with open_writer(tmp_path, META) as writer:
        assert writer.finished() == {"a-00001"}, "what was cancelled or cut off runs again"
        for number in (2, 3):
            await writer.begin(attempt(number))
            await writer.end(attempt(number), ending(Failure()), {})
        assert writer.finished() == {"a-00001", "a-00002", "a-00003"}
    with open_run(tmp_path) as run:
        assert run.outcomes()["cancelled"] == 0
        assert [row.steps for row in run.rows()] == [1, 0, 0]


async def test_what_was_lost_to_infrastructure_runs_again_and_is_one_trajectory(tmp_path: Path):
    async with open_writer(tmp_path, META) as writer:
        for number, outcome in ((1, Infrastructure("transport")), (2, Infrastructure("no_capacity")), (3, Success())):
            await writer.begin(attempt(number))
            await writer.step(attempt(number), *step(1, picture_seed=number))
            await writer.end(attempt(number), ending(outcome, steps=1), {})
        assert (writer.finished(), writer.lost()) == ({"a-00003"}, {"a-00001", "a-00002"})
    async with open_writer(tmp_path, META) as writer:
        assert (writer.finished(), writer.lost()) == ({"a-00003"}, {"a-00001", "a-00002"})
        for number in (1, 2):
            await writer.begin(attempt(number))
        await writer.end(attempt(1), ending(Success()), {})
        assert writer.finished() == {"a-00001", "a-00003"}
        with pytest.raises(StoreError, match="over already"):
            await writer.begin(attempt(1))
    with open_run(tmp_path) as run:
        assert [(row.attempt_id, row.outcome, row.steps) for row in run.rows()] == [
            ("a-00001", "success", 0),
            ("a-00002", None, 0),
            ("a-00003", "success", 1),
        ]
        assert [one.attempt.attempt_id for one in run.trajectories()] == ["a-00001", "a-00003"]
        assert run.outcomes()["infrastructure"] == 0


async def test_a_run_is_resumed_as_what_it_was(tmp_path: Path):
    with pytest.raises(StoreError, match="there is no run"):
        async with open_writer(tmp_path / "none"):
            pass
    assert not (tmp_path / "none").exists()
    async with open_writer(tmp_path, META):
        pass
    async with open_writer(tmp_path, msgspec.structs.replace(META, created=1.0, command="other")) as writer:
        assert writer.meta == META
    for change in ({"seed": 8}, {"config": "seed = 8"}, {"name": "other"}, {"kind": "eval"}):
        with pytest.raises(StoreError, match=f"different {next(iter(change))}"):
            async with open_writer(tmp_path, msgspec.structs.replace(META, **change)):
                pass


async def test_a_second_writer_is_told_who_the_first_is(tmp_path: Path):
    async with open_writer(tmp_path, META):
        with pytest.raises(StoreError, match=r"being written by process \d+ on "):
            async with open_writer(tmp_path):
                pass
    async with open_writer(tmp_path):
        pass


async def test_the_same_text_and_the_same_picture_are_stored_once(tmp_path: Path):
    async with open_writer(tmp_path, META) as writer:
        for number in range(1, 21):
            await writer.begin(attempt(number))
            for one in range(1, 11):
                await writer.step(attempt(number), *step(one))
            await writer.end(attempt(number), ending(), {})
    with sqlite3.connect(tmp_path / DATABASE_FILE) as connection:
        assert connection.execute("SELECT count(*) FROM images").fetchone() == (10,)
        assert connection.execute("SELECT count(*) FROM texts").fetchone()[0] == 1 + 10 + 1
    connection.close()
    assert find_runs(tmp_path)[0].size_bytes < 1_000_000


async def test_downloads_and_the_last_look_are_kept_too(tmp_path: Path):
    data, shot = b"a,b\n1,2\n", b"\xff\xd8 the end"
    download = Download("a.csv", "complete", Blob(address_of(data), "text/csv", len(data)))
    last = Observation(
        2, "http://x/", screenshot=Blob(address_of(shot), "image/jpeg", len(shot)), downloads=(download,)
    )
    async with open_writer(tmp_path, META) as writer:
        await writer.begin(attempt())
        told = msgspec.structs.replace(ending(), last=last)
        await writer.end(attempt(), told, {address_of(data): data, address_of(shot): shot})
    with open_run(tmp_path) as run:
        assert run.trajectory("a-00001").ending.last == last
        assert (run.blob(address_of(data)), run.blob(address_of(shot))) == (data, shot)


async def test_text_that_cannot_be_stored_fails_its_own_attempt_only(tmp_path: Path):
    async with open_writer(tmp_path, META) as writer:
        await writer.begin(attempt(1))
        bad, _ = step(1)
        choice = msgspec.structs.replace(bad.turn.choice, thought="half a pair: \ud800")
        with pytest.raises(StoreError, match="cannot be stored"):
            await writer.step(
                attempt(1), msgspec.structs.replace(bad, turn=msgspec.structs.replace(bad.turn, choice=choice)), {}
            )
        await writer.end(attempt(1), ending(Infrastructure("store")), {})
        await writer.begin(attempt(2))
        await writer.end(attempt(2), ending(), {})
        assert (writer.finished(), writer.lost()) == ({"a-00002"}, {"a-00001"})


async def test_a_disk_that_fails_is_told_to_everyone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    async def write_until_full() -> None:
        async with open_writer(tmp_path, META) as writer:
            await writer.end(attempt(1), ending(), {})
            monkeypatch.setattr("webgym.store.images.ImageStore.flush", full)
            await writer.begin(attempt(2))
            with pytest.raises(StoreError, match="No space left"):
                await writer.end(attempt(2), ending(), {})
            with pytest.raises(StoreError, match="No space left"):
                await writer.begin(attempt(3))

    with pytest.raises(StoreError, match="No space left"):
        await write_until_full()
    monkeypatch.undo()
    async with open_writer(tmp_path) as writer:
        assert writer.finished() == {"a-00001"}


def test_a_folder_without_a_run_is_named(tmp_path: Path):
    with pytest.raises(StoreError, match=r"there is no run in .*run\.json is missing"):
        webgym.load_run(tmp_path)
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(StoreError, match="damaged"):
        webgym.load_run(tmp_path)


async def test_a_store_of_another_version_is_refused(tmp_path: Path):
    async with open_writer(tmp_path, META):
        pass
    with sqlite3.connect(tmp_path / DATABASE_FILE) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match=r"newer WebGym: its store has version 99, this one reads \d+"):
        open_run(tmp_path)
    with pytest.raises(StoreError, match="version 99"):
        async with open_writer(tmp_path):
            pass
    (tmp_path / DATABASE_FILE).write_bytes(b"not a database at all" * 400)
    with pytest.raises(StoreError, match="cannot be opened"):
        open_run(tmp_path)


async def test_runs_are_found_newest_first_and_strange_folders_left_out(tmp_path: Path):
    for number, name in enumerate(("old", "new", "deep/er")):
        meta = msgspec.structs.replace(META, name=name, created=float(number))
        async with open_writer(tmp_path / name, meta) as writer:
            await writer.begin(attempt())
            await writer.end(attempt(), ending(), {})
    (tmp_path / "strange").mkdir()
    (tmp_path / "strange" / "run.json").write_text("nonsense")
    found = find_runs(tmp_path)
    assert [one.name for one in found] == ["deep/er", "new", "old"]
    assert found[0].attempts == found[0].outcomes["success"] == 1
    assert found[0].size_bytes > 0
    assert not found[0].live
    assert find_runs(tmp_path / "nowhere") == []


async def test_a_data_frame_needs_pandas_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    async with open_writer(tmp_path, META):
        pass
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with open_run(tmp_path) as run, pytest.raises(ConfigError, match="pip install pandas"):
        run.frame()


async def test_a_data_frame_has_a_row_per_attempt(tmp_path: Path):
    pytest.importorskip("pandas")
    async with open_writer(tmp_path, META) as writer:
        await writer.end(attempt(1), ending(), {})
        await writer.end(attempt(2), ending(SiteBlock("no")), {})
    with open_run(tmp_path) as run:
        frame = run.frame()
    assert list(frame.index) == ["a-00001", "a-00002"]
    assert frame.reward.mean() == 1.0, "what has no reward counts neither way"


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=300), max_size=6))
def test_any_text_of_a_prompt_reads_back(texts: list[str]):
    whole, _ = step(1)
    prompt = Prompt(tuple(Message("user", (Text(one),)) for one in texts), tools=tuple(texts))
    given_step = msgspec.structs.replace(whole, turn=msgspec.structs.replace(whole.turn, prompt=prompt))
    stored = store_step(given_step)
    arrays = stored.tokens
    assert arrays is not None
    parts = (arrays.prompt, arrays.sampled, arrays.logprobs, arrays.versions)
    assert load_step(stored.step, stored.prompt, parts, lambda digest: stored.texts[digest].decode()) == given_step


@pytest.mark.parametrize("change", ["UPDATE steps SET step = x'0102'", "UPDATE records SET ending = x'00c1'"])
async def test_an_attempt_that_is_damaged_is_told_as_such(tmp_path: Path, change: str):
    async with open_writer(tmp_path, META) as writer:
        await writer.begin(attempt())
        await writer.step(attempt(), *step(1))
        await writer.end(attempt(), ending(), {})
    with contextlib.closing(sqlite3.connect(tmp_path / DATABASE_FILE)) as database:
        database.execute(change)
        database.commit()
    with open_run(tmp_path) as run, pytest.raises(StoreError, match="is damaged"):
        run.trajectory("a-00001")
