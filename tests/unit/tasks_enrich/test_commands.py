"""`webgym tasks enrich` and `decompose`, as they are typed."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from click.testing import Result
from tests.unit.tasks_enrich.scripted import Scripted, Serving
from tests.unit.tasks_enrich.test_enrich import is_enriched, tasks
from tests.unit.tasks_enrich.test_written_parts import WHOLE
from typer.testing import CliRunner

from webgym.cli.failures import ExitCode
from webgym.cli.main import app
from webgym.errors import ConfigError, TaskSetError
from webgym.tasks.sets import open_set, save_set, set_of


@pytest.fixture
def server() -> Iterator[Scripted]:
    """In a thread: the commands have an event loop of their own."""
    scripted, ready, over = Scripted(), threading.Event(), threading.Event()

    async def serve() -> None:
        async with Serving(scripted):
            ready.set()
            while not over.is_set():
                await anyio.sleep(0.02)

    thread = threading.Thread(target=anyio.run, args=(serve,))
    thread.start()
    assert ready.wait(30)
    yield scripted
    over.set()
    thread.join()


def typed(*arguments: object) -> Result:
    done = CliRunner().invoke(app, ["tasks", *map(str, arguments)])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def test_a_set_is_enriched_and_tells_what_it_cost(tmp_path: Path, server: Scripted):
    save_set(set_of("poor", tasks(5)), tmp_path / "poor")
    server.hopeless = "called number 3 and"
    command = ["enrich", tmp_path / "poor", "-o", tmp_path / "rich", "--server", server.url, "--model", "scripted"]
    paid = ["--price-in", 1, "--price-out", 10, "--rejects", tmp_path / "rejects.jsonl"]
    done = typed(*command, *paid)
    assert done.exit_code == 0, done.output
    assert "5 tasks had missing fields" in done.output
    rejects = [json.loads(line) for line in (tmp_path / "rejects.jsonl").read_text().splitlines()]
    assert [(reject["task_id"], reject["fault"]) for reject in rejects] == [("3", "unusable")]
    assert "refusal" in rejects[0]["why"]
    enriched = open_set(tmp_path / "rich")
    assert list(map(is_enriched, enriched.rows())) == [True, True, True, False, True]
    assert "7 new replies" in done.output
    assert enriched.made[-1] == "enriched by scripted: website, domain, rubric"


def test_a_spent_budget_writes_no_set_unless_told_to(tmp_path: Path, server: Scripted):
    save_set(set_of("poor", tasks(30)), tmp_path / "poor")
    command = ["enrich", tmp_path / "poor", "-o", tmp_path / "rich", "--server", server.url, "--model", "scripted"]
    paid = [*command, "--price-in", 1, "--price-out", 10, "--max-tokens", 200, "--budget", 0.02, "--json"]
    done = typed(*paid)
    assert (done.exit_code, (tmp_path / "rich").exists()) == (ExitCode.FAILURES, False)
    assert "Run the same command again to resume" in done.output
    done = typed(*paid, "--partial")
    assert done.exit_code == ExitCode.FAILURES
    told = json.loads(done.stdout.splitlines()[0])
    assert told["dollars"] <= 0.02
    assert 0 < sum(map(is_enriched, open_set(tmp_path / "rich").rows())) < 30
    with pytest.raises(TaskSetError, match="already exists"):
        typed(*command)
    assert typed(*command, "--replace").exit_code == 0
    assert all(map(is_enriched, open_set(tmp_path / "rich").rows()))
    assert sum(server.sold.values()) == 30


def test_one_field_of_a_few_tasks(tmp_path: Path, server: Scripted):
    save_set(set_of("poor", tasks(5)), tmp_path / "poor")
    command = ["enrich", tmp_path / "poor", "-o", tmp_path / "rich", "--server", server.url, "--model", "scripted"]
    assert typed(*command, "--field", "website", "--limit", 2).exit_code == 0
    rows = list(open_set(tmp_path / "rich").rows())
    assert [bool(row.website) for row in rows] == [True, True, False, False, False]
    assert not any(row.rubric or row.domain for row in rows)


def test_what_is_missing_is_told_before_anything_is_paid_for(tmp_path: Path):
    save_set(set_of("poor", tasks(1)), tmp_path / "poor")
    with pytest.raises(ConfigError, match="--server URL --model NAME"):
        typed("enrich", tmp_path / "poor", "-o", tmp_path / "rich")
    model = ["--server", "http://127.0.0.1:9/v1", "--model", "m"]
    with pytest.raises(ConfigError, match="prices"):
        typed("enrich", tmp_path / "poor", "-o", tmp_path / "rich", *model, "--budget", 3)


def test_parts_are_written_and_added(tmp_path: Path, server: Scripted):
    save_set(set_of("whole", [WHOLE]), tmp_path / "whole")
    done = typed("decompose", tmp_path / "whole", "-o", tmp_path / "none")
    assert "3 parts need a model" in done.output
    command = ["decompose", tmp_path / "whole", "--server", server.url, "--model", "scripted"]
    assert typed(*command, "-o", tmp_path / "all").exit_code == 0
    rows = list(open_set(tmp_path / "all").rows())
    assert [row.decomposed_from for row in rows] == [None, "42", "42", "42"]
    assert typed(*command, "-o", tmp_path / "parts", "--parts-only", "--most", 1).exit_code == 0
    assert [row.task_id for row in open_set(tmp_path / "parts").rows()] == ["42-part-1"]


@pytest.mark.parametrize("command", ["enrich", "decompose"])
def test_the_help_shows_examples_and_every_option(command: str):
    said = typed(command, "--help").output
    assert "For example" in said
    for option in ("--server", "--model", "--budget", "--journal", "--rejects", "--rounds"):
        assert option in said
