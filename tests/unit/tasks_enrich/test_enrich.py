"""Enrichment against a server that misbehaves in every way that we know of."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
import psutil
import pytest
from tests.unit.tasks_enrich.scripted import Scripted, Serving, good_enrichment

from webgym.errors import TaskSetError
from webgym.llm.config import ModelConfig, Prices, Retries, Timeouts
from webgym.records.task import FactGroup
from webgym.records.task_row import TaskRow
from webgym.run.task_sets.enrich.run import EnrichmentProgress, EnrichPlan, enrich
from webgym.run.task_sets.writing.journal import open_journal
from webgym.tasks.extra import keep
from webgym.tasks.sealing import CANARY, sealed

RUBRIC = (FactGroup(1, "hours", ("The answer says when it opens.",)),)


def tasks(number: int) -> list[TaskRow]:
    return [
        TaskRow(str(one), f"Find the thing that is called number {one} and say what it is") for one in range(number)
    ]


def config(server: Scripted, **more: Any) -> ModelConfig:
    settings: dict[str, Any] = {
        "servers": (server.url,),
        "model": "scripted",
        "tokens": False,
        "concurrency": 32,
        "timeouts": Timeouts(total=1.0, first_byte=1.0, deadline=30.0),
        "retries": Retries(tries=8, pause=0.02, longest_pause=0.2),
        "prices": Prices(prompt=1.0, sampled=10.0),
    }
    return ModelConfig(**settings | more)


def run(
    rows: list[TaskRow], journal: Path, server: Scripted, plan: EnrichPlan | None = None, **more: Any
) -> EnrichmentProgress:
    async def go() -> EnrichmentProgress:
        async with Serving(server):
            return await enrich(rows, config(server, **more), journal, plan or EnrichPlan())

    return anyio.run(go)


def is_enriched(row: TaskRow) -> bool:
    good = good_enrichment(row.instruction)
    written = [{"description": group.description, "facts": list(group.facts)} for group in row.rubric]
    return (row.website, row.domain, row.subdomain, written) == tuple(good.values())


def test_each_task_gets_what_it_lacks_and_keeps_what_it_has(tmp_path: Path):
    rows = [
        *tasks(2),
        TaskRow("half", "Find the shop", "https://own.com/", rubric=RUBRIC),
        TaskRow("full", "Find the bus", "https://own.com/", RUBRIC, domain="A", subdomain="B"),
    ]
    server = Scripted()
    done = run(rows, tmp_path / "journal", server)
    assert all(map(is_enriched, done.rows[:2]))
    assert done.rows[0].inferred == ("website:scripted", "domain:scripted", "rubric:scripted")
    half = done.rows[2]
    assert (half.website, half.rubric, half.domain) == ("https://own.com/", RUBRIC, "Lifestyle & Leisure")
    assert half.inferred == ("domain:scripted",)
    assert done.rows[3] == rows[3]
    assert (done.wanted, done.asked, done.filled) == (3, 3, {"website": 2, "domain": 3, "rubric": 2})
    schema = server.asks[0]["response_format"]["json_schema"]
    assert schema["strict"]
    assert set(schema["schema"]["required"]) == {"website", "domain", "subdomain", "rubric"}
    assert schema["schema"]["additionalProperties"] is False


@pytest.mark.parametrize("fault", ["busy", "broken", "stall", "drop", "garbage"])
def test_failures_of_the_server_are_tried_again_and_paid_once(tmp_path: Path, fault: str):
    server = Scripted()
    server.script = [fault] * 2
    done = run(tasks(4), tmp_path / "journal", server)
    assert all(map(is_enriched, done.rows))
    assert not done.rejects
    assert done.asked == sum(server.sold.values()) == 4
    assert done.dollars == pytest.approx(4 * (900 * 1 + 100 * 10) / 1e6)


def test_nobody_asks_before_the_time_that_retry_after_names(tmp_path: Path):
    server = Scripted()
    server.script = ["busy"]
    run(tasks(30), tmp_path / "journal", server, concurrency=1)
    first, second = server.arrivals[:2]
    assert second - first >= 0.3


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("truncated", "not JSON"),
        ("length", "cut off"),
        ("refusal", "refusal"),
        ("wrong_schema", "not JSON of the form"),
        ("invented", "4711"),
        ("overlap", "overlap"),
    ],
)
def test_a_bad_reply_is_sent_back_with_the_reason(tmp_path: Path, fault: str, told: str):
    server = Scripted()
    server.script = [fault]
    done = run(tasks(1), tmp_path / "journal", server)
    assert is_enriched(done.rows[0])
    roles = [message["role"] for message in server.asks[1]["messages"]]
    assert roles == ["system", "user", "assistant", "user"]
    assert told in server.asks[1]["messages"][3]["content"]
    assert done.asked == 2


def test_json_in_a_fence_after_thoughts_is_read(tmp_path: Path):
    server = Scripted()
    server.script = ["prose"]
    assert is_enriched(run(tasks(1), tmp_path / "journal", server).rows[0])
    assert len(server.asks) == 1


def test_a_task_that_stays_bad_is_set_aside_with_the_reason_and_costs_no_more(tmp_path: Path):
    server = Scripted()
    server.script = ["refusal", "wrong_schema", "invented"]
    rows = tasks(1)
    done = run(rows, tmp_path / "journal", server)
    assert done.rows == rows
    (reject,) = done.rejects
    assert (reject.task_id, reject.fault) == ("0", "unusable")
    assert "4711" in reject.why
    assert "4711" in reject.reply
    again = run(rows, tmp_path / "journal", Scripted())
    assert (again.asked, again.remembered, again.rejects) == (0, 3, done.rejects)


def test_replies_that_were_cut_off_are_asked_for_again_with_more_room_and_the_others_are_kept(tmp_path: Path):
    rows = tasks(4)
    done = run(rows[:2], tmp_path / "journal", Scripted(), max_tokens=40)
    assert all(map(is_enriched, done.rows))
    server = Scripted()
    server.script = ["length"] * 6
    cut = run(rows, tmp_path / "journal", server, max_tokens=40)
    assert [reject.fault for reject in cut.rejects] == ["unusable"] * 2
    same = run(rows, tmp_path / "journal", Scripted(), max_tokens=40)
    assert (same.asked, same.rejects) == (0, cut.rejects)
    more = run(rows, tmp_path / "journal", Scripted(), max_tokens=4096)
    assert (more.asked, more.remembered, more.rejects) == (2, 2, [])
    assert all(map(is_enriched, more.rows))


@pytest.mark.parametrize("change", [{"temperature": 0.7}, {"top_p": 0.9}, {"extra_body": {"seed": 1}}, {"plan": "off"}])
def test_whoever_samples_otherwise_or_asks_for_another_form_gets_new_replies(tmp_path: Path, change: dict[str, Any]):
    server = Scripted()
    server.script = ["wrong_schema"] * 3
    rows = tasks(1)
    assert run(rows, tmp_path / "journal", server).rejects
    settings = {"plan": EnrichPlan(structured="off")} if "plan" in change else change
    done = run(rows, tmp_path / "journal", Scripted(), **settings)
    assert (done.asked, done.rejects) == (1, [])
    assert is_enriched(done.rows[0])


def test_a_server_that_takes_no_request_ends_the_run_early(tmp_path: Path):
    server = Scripted()
    server.script = ["bad_request"] * 1000
    done = run(tasks(200), tmp_path / "journal", server, concurrency=4)
    assert "no such field" in done.stopped
    assert len(server.asks) < 40
    assert {reject.fault for reject in done.rejects} == {"refused"}


def test_a_server_that_is_gone_ends_the_run_early(tmp_path: Path):
    server = Scripted()
    server.script = ["broken"] * 100_000
    done = run(tasks(400), tmp_path / "journal", server, retries=Retries(tries=2, pause=0.001, longest_pause=0.002))
    assert done.stopped
    assert {reject.fault for reject in done.rejects} == {"unanswered"}
    again = run(tasks(4), tmp_path / "journal", Scripted())
    assert all(map(is_enriched, again.rows))


def test_the_budget_ends_the_run_is_never_overspent_and_counts_earlier_runs(tmp_path: Path):
    rows = tasks(60)
    each = (900 * 1 + 100 * 10) / 1e6
    limits = {"max_tokens": 200, "budget": 20 * each}
    first = run(rows, tmp_path / "journal", Scripted(), **limits)
    assert "budget" in first.stopped
    assert 10 <= first.asked <= 20
    assert first.dollars <= 20 * each
    assert sum(map(is_enriched, first.rows)) == first.asked
    second = run(rows, tmp_path / "journal", Scripted(), **limits)
    assert second.stopped
    assert second.dollars <= 20 * each
    third = run(rows, tmp_path / "journal", Scripted())
    assert not third.stopped
    assert all(map(is_enriched, third.rows))
    assert third.remembered == second.asked + second.remembered
    assert third.dollars == pytest.approx(60 * each)


def test_equal_questions_are_asked_once(tmp_path: Path):
    rows = [TaskRow(str(one), "Find the only thing and say what it is") for one in range(20)]
    server = Scripted(delay=0.05)
    done = run(rows, tmp_path / "journal", server)
    assert (done.asked, done.remembered) == (1, 19)
    assert all(map(is_enriched, done.rows))


def test_hundreds_of_requests_are_in_flight(tmp_path: Path):
    server = Scripted(delay=3.0)
    done = run(tasks(300), tmp_path / "journal", server, concurrency=250, timeouts=Timeouts(total=20.0))
    assert all(map(is_enriched, done.rows))
    assert server.peak > 150  # of 250: a busy machine begins some when others are answered


def test_encrypted_tasks_are_not_sent_unless_asked_for_and_never_get_a_rubric(tmp_path: Path):
    secret = "Which bridge is it that nobody has crossed twice"
    row = TaskRow("b", sealed(secret, "key"), sealed="browsecomp", extra=keep({CANARY: "key"}))
    server = Scripted()
    done = run([row], tmp_path / "journal", server)
    assert (done.wanted, done.rows, server.asks) == (0, [row], [])
    server = Scripted()
    done = run([row], tmp_path / "journal", server, EnrichPlan(sealed=True))
    assert secret in server.asks[0]["messages"][1]["content"]
    written = done.rows[0]
    assert (written.instruction, written.sealed, written.rubric) == (row.instruction, "browsecomp", ())
    assert written.website == good_enrichment(secret)["website"]
    assert all(secret.encode() not in file.read_bytes() for file in tmp_path.iterdir())


def test_a_domain_of_another_taxonomy_is_replaced_only_if_asked_for(tmp_path: Path):
    row = TaskRow("m", "Find a flight", "https://a.com/", RUBRIC, domain="Travel", subdomain="Airlines")
    assert run([row], tmp_path / "journal", Scripted()).wanted == 0
    done = run([row], tmp_path / "journal", Scripted(), EnrichPlan(refile=True))
    assert (done.rows[0].domain, done.rows[0].subdomain) == ("Lifestyle & Leisure", "Shopping")
    assert run(done.rows, tmp_path / "journal", Scripted(), EnrichPlan(refile=True)).wanted == 0


def test_two_runs_cannot_share_a_journal_and_other_files_are_none(tmp_path: Path):
    with open_journal(tmp_path / "journal"):
        with pytest.raises(TaskSetError, match="another run"), open_journal(tmp_path / "journal"):
            pass
    (tmp_path / "other").write_text("hello " * 1000)
    with pytest.raises(TaskSetError, match="not a journal") as refused, open_journal(tmp_path / "other"):
        pass
    assert refused.value.__traceback__ is not None, "it may still refer to what was opened"
    assert not [one for one in psutil.Process().open_files() if one.path.startswith(str(tmp_path))]


def test_the_journal_is_the_ledger(tmp_path: Path):
    run(tasks(5), tmp_path / "journal", Scripted())
    with open_journal(tmp_path / "journal") as journal:
        (spent,) = journal.by_kind().values()
    assert (spent.calls, spent.prompt_tokens, spent.sampled_tokens) == (5, 4500, 500)
    assert json.loads(json.dumps(spent.dollars)) == pytest.approx(5 * 0.0019)
