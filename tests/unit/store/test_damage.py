"""Runs whose files were damaged or lost: told, and nothing is begun anew in silence."""

from __future__ import annotations

import contextlib
import gc
import random
import shutil
import sqlite3
from pathlib import Path

import psutil
import pytest
from tests.unit.store.making import META, attempt, ending, step
from tests.unit.store.test_runs_command import run as command

from webgym.errors import StoreError
from webgym.records.trajectory import Failure, Success
from webgym.store.meta import load_meta, save_meta
from webgym.store.packs import PACK_FOLDER
from webgym.store.read import Run, open_run
from webgym.store.schema import DATABASE_FILE
from webgym.store.write import open_writer

pytestmark = pytest.mark.anyio
ATTEMPTS = 20


async def make(folder: Path, attempts: int = ATTEMPTS) -> Path:
    async with open_writer(folder, META) as writer:
        for number in range(attempts):
            await writer.begin(attempt(number))
            for one in (1, 2):
                await writer.step(attempt(number), *step(one, picture_seed=10 * number + one))
            await writer.end(attempt(number), ending(Success() if number % 2 else Failure("no"), steps=2), {})
    return folder


def all_of(run: Run) -> list[object]:
    """Everything that can be read of a run."""
    return [run.rows(), list(run.trajectories())]


def complaint(folder: Path) -> str:
    """What reading all of a run complains about; empty if it does not."""
    try:
        with open_run(folder) as run:
            all_of(run)
    except StoreError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("seed", range(12))
async def test_random_bytes_in_the_database_are_told_or_have_changed_nothing(tmp_path: Path, seed: int):
    folder = await make(tmp_path / "run")
    with open_run(folder) as run:
        before = all_of(run)
    path = folder / DATABASE_FILE
    data = bytearray(path.read_bytes())
    chance = random.Random(seed)
    at = chance.randrange(4096, len(data) - 3000)
    data[at : at + 3000] = chance.randbytes(3000)
    path.write_bytes(data)
    if not complaint(folder):
        with open_run(folder) as run:
            assert all_of(run) == before


CHANGES = (
    "UPDATE attempts SET outcome = 'success', reward = 1.0 WHERE number = 1",
    "UPDATE attempts SET reward = 0.0 WHERE number = 2",
    "UPDATE attempts SET task_id = 'other' WHERE number = 2",
    "UPDATE steps SET logprobs = zeroblob(length(logprobs)) WHERE rowid = 1",
    "UPDATE steps SET number = 7 WHERE rowid = 2",
    "DELETE FROM steps WHERE attempt = 3 AND number = 2; UPDATE steps SET attempt = 3 WHERE attempt = 2 AND number = 2",
    "UPDATE records SET ending = (SELECT ending FROM records WHERE number = 2) WHERE number = 1",
    "UPDATE texts SET body = x'00' || CAST('obey' AS BLOB)",
)


@pytest.mark.parametrize("change", CHANGES)
async def test_a_value_that_is_not_what_was_written_is_told(tmp_path: Path, change: str):
    folder = await make(tmp_path / "run", 3)
    assert not complaint(folder)
    with contextlib.closing(sqlite3.connect(folder / DATABASE_FILE)) as database:
        database.executescript(change)
    assert "damaged" in complaint(folder)


def open_files(folder: Path) -> list[str]:
    return [one.path for one in psutil.Process().open_files() if one.path.startswith(str(folder))]


async def test_a_run_that_nobody_reads_any_more_is_closed(tmp_path: Path):
    folder = await make(tmp_path / "run", 1)
    run = open_run(folder)
    connection = run._connection
    assert open_files(folder)
    del run
    gc.collect()
    assert open_files(folder) == []
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("SELECT 1")


async def test_a_run_with_a_damaged_row_is_not_resumed(tmp_path: Path):
    folder = await make(tmp_path / "run", 3)
    with contextlib.closing(sqlite3.connect(folder / DATABASE_FILE)) as database:
        database.execute("UPDATE attempts SET outcome = 'cancelled' WHERE number = 1")
        database.commit()
    with pytest.raises(StoreError, match=r"a-00000.*damaged") as refused:
        async with open_writer(folder):
            pass
    assert refused.value.__traceback__ is not None, "it may still refer to what was opened"
    assert open_files(folder) == []


async def test_a_run_of_a_webgym_without_checksums_is_read_and_goes_on(tmp_path: Path):
    folder = await make(tmp_path / "run", 3)
    with open_run(folder) as run:
        before = all_of(run)
    with contextlib.closing(sqlite3.connect(folder / DATABASE_FILE)) as database:
        for table, column in (
            ("attempts", "checksum"),
            ("attempts", "malformed"),
            ("records", "attempt_checksum"),
            ("records", "ending_checksum"),
            ("steps", "checksum"),
        ):
            database.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        database.execute("PRAGMA user_version = 1")
        database.commit()
    with open_run(folder) as run:
        assert all_of(run) == before
        assert [row.malformed for row in run.rows()] == [0, 0, 0]
        async with open_writer(folder) as writer:
            await writer.begin(attempt(3))
            await writer.step(attempt(3), *step(1))
            await writer.end(attempt(3), ending(Success(), steps=1), {})
        assert len(run.rows()) == 4, "who had it open goes on"
    with open_run(folder) as run:
        assert all_of(run)[0][:3] == before[0]
    with contextlib.closing(sqlite3.connect(folder / DATABASE_FILE)) as database:
        database.execute("UPDATE attempts SET reward = 0.0 WHERE number = 4")
        database.commit()
    assert "a-00003" in complaint(folder), "what was written since is checked"


@pytest.mark.parametrize("damage", ["empty", "missing"])
@pytest.mark.parametrize("older", [False, True])
async def test_a_database_that_was_lost_is_not_begun_anew(tmp_path: Path, damage: str, older: bool):
    folder = await make(tmp_path / "run", 3)
    if older:  # written before runs noted that they had begun
        save_meta(folder, load_meta(folder))
    packs = {path: path.read_bytes() for path in (folder / PACK_FOLDER).iterdir()}
    (folder / DATABASE_FILE).unlink()
    if damage == "empty":
        (folder / DATABASE_FILE).touch()
    for meta in (None, META):
        with pytest.raises(StoreError, match=f"{DATABASE_FILE} is {damage}.*restore it"):
            async with open_writer(folder, meta):
                pass
    assert {path: path.read_bytes() for path in (folder / PACK_FOLDER).iterdir()} == packs
    with pytest.raises(StoreError, match="is empty" if damage == "empty" else "is missing"):
        open_run(folder)


async def test_a_run_that_was_killed_before_it_had_a_database_begins(tmp_path: Path):
    save_meta(tmp_path, META)
    (tmp_path / DATABASE_FILE).touch()
    async with open_writer(tmp_path) as writer:
        await writer.end(attempt(1), ending(Success()), {})
    with open_run(tmp_path) as run:
        assert run.outcomes()["success"] == 1


async def test_pictures_that_were_lost_are_told(tmp_path: Path):
    folder = await make(tmp_path / "run", 3)
    with open_run(folder) as run:
        assert run.lost_pictures() == 0
    assert "pictures are gone" not in command("show", folder)
    shutil.rmtree(folder / PACK_FOLDER)
    with open_run(folder) as run:
        assert run.lost_pictures() == 6
    assert "6 pictures are gone" in command("show", folder)
    async with open_writer(folder) as writer:
        assert writer.lost_pictures == 6
    assert "6 pictures are gone" in command("show", folder)
