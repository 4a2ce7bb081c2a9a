"""`webgym tasks enrich` ended with SIGKILL on the way: nothing is lost, doubled, or paid for twice."""

from __future__ import annotations

import collections
import json
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.unit.tasks_enrich.scripted import good_enrichment

from webgym.records.task_row import TaskRow
from webgym.tasks.sets import open_set, save_set, set_of

SERVER = Path(__file__).with_name("scripted.py")
IN_FLIGHT = 100


@contextmanager
def serving(log: Path, faults: float, *, stalls: bool) -> Iterator[str]:
    command = [sys.executable, str(SERVER), str(log), "--faults", str(faults), "--delay", "0.02"]
    command += ["--stalls"] if stalls else []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            yield server.stdout.readline().strip()
        finally:
            server.kill()


@dataclass
class Arena:
    folder: Path
    url: str

    @property
    def log(self) -> Path:
        return self.folder / "sold.jsonl"

    @property
    def journal(self) -> Path:
        return self.folder / "rich.journal"

    def start(self) -> subprocess.Popen[str]:
        command = [
            sys.executable, "-m", "webgym", "tasks", "enrich", str(self.folder / "poor"),
            "--out", str(self.folder / "rich"),
            "--server", self.url, "--model", "scripted", "--concurrency", str(IN_FLIGHT), "--timeout", "20",
            "--price-in", "1", "--price-out", "10", "--json",
        ]  # fmt: skip
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def sold(self) -> list[dict[str, Any]]:
        lines = self.log.read_text().splitlines(keepends=True) if self.log.exists() else []
        return [json.loads(line) for line in lines if line.endswith("\n")]

    def kept(self) -> dict[str, int]:
        """Replies of each task that are in the journal, as it lies on the disk."""
        book = sqlite3.connect(f"file:{self.journal}?mode=ro", uri=True)
        try:
            return dict(book.execute("SELECT owner, count(*) FROM replies GROUP BY owner"))
        finally:
            book.close()

    def kill_at(self, number: int, *, settled: bool) -> tuple[int, dict[str, int]]:
        """SIGKILL once so many replies are sold: at once, or when those that were sent have arrived."""
        process = self.start()
        gate = self.log.with_suffix(".gate")
        try:
            deadline = time.monotonic() + 1000
            while len(self.sold()) < number:
                assert process.poll() is None, process.communicate()
                assert time.monotonic() < deadline
                time.sleep(0.02)
            if settled:
                gate.touch()
                while len(self.sold()) > sum(self.kept().values()):
                    assert time.monotonic() < deadline
                    time.sleep(0.05)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            time.sleep(0.3)  # the server notices that nobody listens any more
        finally:
            gate.unlink(missing_ok=True)
            process.kill()
        return len(self.sold()), self.kept()


def prove(
    folder: Path, number: int, kills: list[tuple[int, bool]], faults: float, *, stalls: bool = True
) -> dict[str, Any]:
    instructions = [f"Find the thing that is called item number {one} and say what it is" for one in range(number)]
    save_set(set_of("poor", [TaskRow(str(n), text) for n, text in enumerate(instructions)]), folder / "poor")
    ids = {text: str(n) for n, text in enumerate(instructions)}
    with serving(folder / "sold.jsonl", faults, stalls=stalls) as url:
        arena = Arena(folder, url)
        held = [arena.kill_at(at, settled=settled) for at, settled in kills]
        assert not (folder / "rich").exists()
        said, errors = (process := arena.start()).communicate()
        assert process.returncode == 0, errors[-3000:]
        report = json.loads(said)
        again = json.loads(_again(arena))
    sold = arena.sold()
    # Nothing that was in the journal when the process was killed is asked for again.
    for position, kept in held:
        later = [one for one in sold[position:] if one["round"] <= kept.get(ids[one["task"]], 0)]
        assert later == []
    # What was sold twice was on its way to a process that was killed.
    twice = {key: count for key, count in collections.Counter(one["key"] for one in sold).items() if count > 1}
    abrupt = sum(not settled for _, settled in kills)
    assert len(twice) <= abrupt * IN_FLIGHT
    assert sum(arena.kept().values()) == len({one["key"] for one in sold})
    # Every task is there once, with what was written for it and for no other.
    rows = list(open_set(folder / "rich").rows())
    assert [row.task_id for row in rows] == [str(n) for n in range(number)]
    for row in rows:
        good = good_enrichment(row.instruction)
        assert (row.website, row.domain, row.subdomain) == (good["website"], good["domain"], good["subdomain"])
        assert [list(group.facts) for group in row.rubric] == [group["facts"] for group in good["rubric"]]
    assert report["rejects"] == {}
    assert report["filled"] == {"website": number, "domain": number, "rubric": number}
    assert report["dollars"] == pytest.approx(sum(arena.kept().values()) * 0.0019)
    assert (again["asked"], again["remembered"]) == (0, sum(arena.kept().values()))
    return {"sold": len(sold), "twice": len(twice), "faults": collections.Counter(one["fault"] for one in sold)}


def _again(arena: Arena) -> str:
    (arena.folder / "rich").rename(arena.folder / "rich-before")
    said, _ = arena.start().communicate()
    assert open_set(arena.folder / "rich").table.equals(open_set(arena.folder / "rich-before").table)
    return said


@pytest.mark.timeout(600)
def test_three_hundred_tasks_killed_twice(tmp_path: Path):
    figures = prove(tmp_path, 300, [(80, True), (200, True)], 0.1, stalls=False)
    assert figures["twice"] == 0


@pytest.mark.full
@pytest.mark.timeout(1400)
def test_ten_thousand_tasks_killed_twice(tmp_path: Path):
    figures = prove(tmp_path, 10_000, [(2500, True), (7000, True)], 0.05)
    assert figures["twice"] == 0
    assert {"truncated", "length", "refusal", "wrong_schema"} <= figures["faults"].keys()


@pytest.mark.full
@pytest.mark.timeout(1400)
def test_at_any_moment_only_what_is_on_its_way_can_be_sold_again(tmp_path: Path):
    print(prove(tmp_path, 2000, [(400, False), (900, False), (1400, False)], 0.05))
