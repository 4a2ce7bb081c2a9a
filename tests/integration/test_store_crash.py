"""A run survives `kill -9` of its writer, wherever it strikes."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.integration.store_child import SIZE, STEPS, picture_seed
from tests.unit.store.making import attempt, step

from webgym.errors import BlobGone, StoreError
from webgym.store.garbage_collection import collect
from webgym.store.read import Run, open_run
from webgym.store.write import open_writer

ROOT = Path(__file__).parents[2]
ATTEMPTS = 60
EVENTS = ATTEMPTS * (STEPS + 1)


@contextmanager
def child(*arguments: object) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "tests.integration.store_child", *map(str, arguments)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def kill_after(events: int, *arguments: object) -> tuple[set[str], bool]:
    """Let a child do so much, kill it, and tell which attempts it said were over, and whether it was done."""
    over, done = set[str](), False
    with child(*arguments) as process:
        assert process.stdout
        for count, line in enumerate(process.stdout, 1):
            if line.startswith("over "):
                over.add(line.split()[1])
            done = line == "done\n"
            if count == events and not done:
                process.kill()
        assert process.wait() == (0 if done else -9)
    return over, done


def check_attempt(run: Run, number: int, *, whole: bool) -> None:
    """Every step is as it was written; every picture too, or said to be dropped where there is a budget."""
    expected = [step(one, picture_seed=picture_seed(number, one), size=SIZE) for one in range(1, STEPS + 1)]
    assert run.trajectory(attempt(number).attempt_id).steps == tuple(one for one, _ in expected)
    pictures = {address: data for _, blobs in expected for address, data in blobs.items()}
    for address, data in pictures.items():
        found = read(run, address)
        assert found == data or (found is None and not whole)


def read(run: Run, address: str) -> bytes | None:
    try:
        return run.blob(address)
    except BlobGone:
        return None


@pytest.mark.parametrize("budget", [10**9, 300_000], ids=["with room", "over its budget"])
@pytest.mark.anyio
async def test_whatever_was_over_stays_over_and_the_rest_is_run_again(tmp_path: Path, budget: int):
    chance = random.Random(budget)
    folder, over, done, kills = tmp_path / "run", set[str](), False, 0
    while not done:
        told, done = kill_after(chance.randint(1, EVENTS // 4), "write", folder, ATTEMPTS, budget)
        assert not told & over, "an attempt that was over ran again"
        over |= told
        kills += not done
        async with open_writer(folder) as writer:
            finished = writer.finished()
        assert over <= finished, "an attempt that was over is lost"
        with open_run(folder) as run:
            for row in run.rows():
                assert (row.outcome is not None) == (row.attempt_id in finished)
                if row.outcome:
                    check_attempt(run, int(row.attempt_id[2:]), whole=budget == 10**9)
        over |= finished
    assert kills > 2
    assert len(over) == ATTEMPTS
    with open_run(folder) as run:
        assert run.outcomes()["success"] == run.attempts == ATTEMPTS


def test_a_collection_that_is_killed_loses_nothing(tmp_path: Path):
    folder = tmp_path / "run"
    kill_after(EVENTS // 2, "write", folder, ATTEMPTS, 10**9)
    for _ in range(4):
        kill_after(1, "gc", folder)
    collect(folder)
    with open_run(folder) as run:
        ended = [row for row in run.rows() if row.outcome]
        assert ended
        for row in ended:
            check_attempt(run, int(row.attempt_id[2:]), whole=True)


@pytest.mark.anyio
async def test_another_process_is_kept_out_until_the_first_is_gone(tmp_path: Path):
    folder = tmp_path / "run"
    with child("write", folder, 10**6, 10**9) as first:
        assert first.stdout
        assert first.stdout.readline() == "step\n"
        with pytest.raises(StoreError, match=rf"being written by process {first.pid} on "):
            async with open_writer(folder):
                pass
        with open_run(folder) as run:
            assert run.live
        first.kill()
        first.wait()
        with open_run(folder) as run:
            assert not run.live
        async with open_writer(folder):
            pass
