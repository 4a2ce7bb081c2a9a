"""`webgym tasks`, from files to drawn tasks."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest
from typer.testing import CliRunner

from webgym.cli.main import app
from webgym.errors import ConfigError, LeakFound, TaskSetError
from webgym.records.task import Task
from webgym.tasks import pull as pulling
from webgym.tasks.pull import Release
from webgym.tasks.sets import open_set


def said(*arguments: object) -> str:
    done = CliRunner().invoke(app, ["tasks", *map(str, arguments)], catch_exceptions=True)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code == 0, done.output
    return done.output


def entry(number: int, **more: Any) -> dict[str, Any]:
    return {
        "benchmark_name": "InSTA-v3",
        "task_name": f"Look up item {number * 37} and say what it is made of and by whom, in {number * 11} words",
        "domain": "Shopping",
        "subdomain": "Fashion",
        "website": f"https://www.shop{number}.com/",
        "definite_answer": None,
        "task_id": number,
        "evaluator_reference": [
            {"id": 1, "description": "item", "facts": [f"Fact {n}." for n in range(number % 8 + 1)]}
        ],
        "difficulty": number % 8 + 1,
        "task_id_decomposed_from": None,
        **more,
    }


def write(path: Path, entries: list[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(one)}\n" for one in entries))
    return path


def read(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def published(tmp_path: Path) -> Path:
    return write(tmp_path / "train.jsonl", [entry(number) for number in range(60)])


def test_a_file_becomes_a_set_that_is_cleaned_split_checked_and_drawn_from(tmp_path: Path, published: Path):
    with published.open("a") as file:
        file.write(json.dumps(entry(99, task_name=entry(5)["task_name"].upper(), website="shop5.com")) + "\n{broken\n")
    raw, clean, parted = tmp_path / "raw", tmp_path / "clean", tmp_path / "parted"
    told = said("import", "webgym", published, "--out", raw, "--rejects", tmp_path / "bad.jsonl")
    assert "61 tasks on 60 websites" in told
    assert json.loads((tmp_path / "bad.jsonl").read_text())["line"] == 62
    told = json.loads(said("clean", raw, "--out", clean, "--rejects", tmp_path / "gone.jsonl", "--json"))
    assert (told["kept"], told["repeated_texts"]["all"]) == (60, 1)
    assert json.loads((tmp_path / "gone.jsonl").read_text())["instead"] == "5"
    told = json.loads(said("split", clean, "--test", 10, "--out", parted, "--json"))
    assert told["splits"] == {"train": 50, "test": 10}
    assert "no leaks" in said("check", parted)
    drawn = said("draw", f"{parted}:train", "-n", 5, "--seed", 3).split()
    assert len(set(drawn)) == 5
    assert said("draw", f"{parted}:train", "-n", 5, "--seed", 3).split() == drawn


def test_drawing_goes_on_where_it_stopped(tmp_path: Path, published: Path):
    said("import", "webgym", published, "--out", tmp_path / "raw")
    state = tmp_path / "state.json"
    drawn = [one for _ in range(6) for one in said("draw", tmp_path / "raw", "-n", 10, "--state", state).split()]
    assert sorted(map(int, drawn)) == list(range(60))


def test_drawn_tasks_are_what_a_run_reads(tmp_path: Path, published: Path):
    said("import", "webgym", published, "--out", tmp_path / "raw")
    said("draw", tmp_path / "raw", "-n", 4, "--group", 2, "--hardest-first", "--out", tmp_path / "batch.jsonl")
    tasks = [msgspec.json.decode(line, type=Task) for line in (tmp_path / "batch.jsonl").read_bytes().splitlines()]
    assert [task.difficulty for task in tasks] == sorted((task.difficulty for task in tasks), reverse=True)
    assert all(tasks[place] == tasks[place + 1] for place in range(0, 8, 2))


def test_what_is_exported_as_published_is_what_was_read(tmp_path: Path, published: Path):
    said("import", "webgym", published, "--out", tmp_path / "raw")
    said("export", tmp_path / "raw", "--out", tmp_path / "again.jsonl")
    assert read(tmp_path / "again.jsonl") == read(published)
    said("export", tmp_path / "raw", "--out", tmp_path / "ours.jsonl", "--format", "jsonl")
    said("import", "webgym", tmp_path / "ours.jsonl", "--out", tmp_path / "back")
    assert list(open_set(tmp_path / "back").rows()) == list(open_set(tmp_path / "raw").rows())
    said("export", tmp_path / "raw", "--out", tmp_path / "one.parquet", "--format", "parquet")
    assert len(open_set(tmp_path / "one.parquet")) == 60
    with pytest.raises(ConfigError, match="already exists"):
        said("export", tmp_path / "raw", "--out", tmp_path / "one.parquet")


def test_a_leak_makes_the_check_fail(tmp_path: Path):
    rows = [
        entry(1, webgym={"version": 1, "split": "test"}),
        entry(2, website="m.shop1.com", webgym={"version": 1, "split": "train"}),
    ]
    said("import", "webgym", write(tmp_path / "x.jsonl", rows), "--out", tmp_path / "x")
    with pytest.raises(LeakFound, match="1 by website"):
        said("check", tmp_path / "x")


@pytest.mark.parametrize("split", ["train", "test"])
def test_a_set_without_one_of_the_splits_fails_the_check(split: str, tmp_path: Path):
    other = "test" if split == "train" else "train"
    rows = [entry(number, webgym={"version": 1, "split": other}) for number in range(3)]
    said("import", "webgym", write(tmp_path / "x.jsonl", rows), "--out", tmp_path / "x")
    with pytest.raises(TaskSetError, match=f"x has no split {split}: create one with `webgym tasks split`"):
        said("check", tmp_path / "x")


def test_a_set_that_was_changed_behind_its_card_fails_the_check(tmp_path: Path, published: Path):
    said("import", "webgym", published, "--out", tmp_path / "a")
    said("import", "hermetic", "--sites", 1, "--per-site", 1, "--out", tmp_path / "b")
    (tmp_path / "b" / "tasks.parquet").replace(tmp_path / "a" / "tasks.parquet")
    with pytest.raises(TaskSetError, match="SHA-256 differs"):
        said("check", tmp_path / "a")


class Counter(HTMLParser):
    """Counts elements, and notices what would be loaded."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: dict[str, int] = {}
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] = self.seen.get(tag, 0) + 1
        self.loaded += [value or "" for name, value in attrs if name in {"src", "href"}]


def test_stats_are_told_and_drawn(tmp_path: Path, published: Path):
    lines = read(published)
    write(published, [*lines, entry(70, domain="<script>alert(1)</script>")])
    said("import", "webgym", published, "--out", tmp_path / "raw")
    told = said("stats", tmp_path / "raw", "--page", tmp_path / "stats.html")
    assert re.search(r"easy\s+24\s", told)
    page = (tmp_path / "stats.html").read_text()
    counter = Counter()
    counter.feed(page)
    assert counter.seen["svg"] >= 8
    assert counter.loaded == []
    assert "script" not in counter.seen
    figures = json.loads(said("stats", tmp_path / "raw", "--json"))
    assert figures["card"]["rows"] == 61
    assert figures["concentration"]["shares"][-1] == 1


def test_tasks_are_shown_in_full(tmp_path: Path, published: Path):
    said("import", "webgym", published, "--out", tmp_path / "raw")
    told = said("show", tmp_path / "raw", "7")
    assert "https://www.shop7.com/" in told
    assert told.count("     - Fact") == 8
    assert len(said("show", tmp_path / "raw", "--level", "hard", "--count", 3, "--json").splitlines()) == 3
    with pytest.raises(ConfigError, match="no task with this id"):
        said("show", tmp_path / "raw", "700")


def test_the_published_set_is_pulled_checked_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("WEBGYM_HOME", str(tmp_path / "home"))
    monkeypatch.setitem(pulling.RELEASES, "webgym", Release("webgym", "x/y", "webgym", {"train": 20, "test": 5}))
    copy = tmp_path / "copy"
    write(copy / "train.jsonl", [entry(number) for number in range(20)])
    write(copy / "test.jsonl", [entry(number) for number in range(30, 35)])
    assert "5 test: webgym:test" in said("pull", "webgym", "--from", copy)
    assert [row.task_id for row in open_set("webgym:test").rows()] == ["30", "31", "32", "33", "34"]
    write(copy / "train.jsonl", [entry(number) for number in range(19)])
    with pytest.raises(TaskSetError, match="holds 19 tasks, not 20 as published"):
        said("pull", "webgym", "--from", copy, "--replace")
    write(copy / "train.jsonl", [*(entry(number) for number in range(19)), entry(19, website="https://m.shop30.com/")])
    with pytest.raises(LeakFound, match="19 leaks 30"):
        said("pull", "webgym", "--from", copy, "--replace")
    assert "1 training tasks dropped" in said("pull", "webgym", "--from", copy, "--replace", "--drop-leaks")
    assert len(open_set("webgym:train")) == 19


def test_the_published_set_is_the_one_that_was_published():
    assert pulling.RELEASES["webgym"] == Release(
        "webgym", "microsoft/webgym_tasks", "webgym", {"train": 292_092, "test": 1_167}
    )


@pytest.mark.parametrize("command", "pull import sources clean split check draw export health stats show".split())
def test_every_command_explains_itself(command: str):
    assert len(said(command, "--help").splitlines()) > 4


def test_health_is_told_and_released(tmp_path: Path):
    from webgym.tasks.health.database import HealthDatabase, Result

    database = HealthDatabase(tmp_path / "health.db")
    database.record(Result("r", str(n), "t", "a.com", "blocked", 1.0 + n) for n in range(4))
    database.close()
    assert "site a.com, 100% of 4 attempts blocked" in said("health", tmp_path / "health.db")
    assert (
        "quarantined"
        not in said("health", tmp_path / "health.db", "--release", "a.com", "--release", "t").split("a.com")[0]
    )
