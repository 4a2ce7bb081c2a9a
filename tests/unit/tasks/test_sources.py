"""Each source is read in its own format."""

from __future__ import annotations

import csv
import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest

from webgym.errors import ConfigError, TaskSetError
from webgym.records.task import FactGroup
from webgym.records.task_row import TaskRow
from webgym.tasks.columns import table_of
from webgym.tasks.extra import extra_of
from webgym.tasks.importing import ImportTally, import_rows
from webgym.tasks.lines import write_lines
from webgym.tasks.problem import Problem
from webgym.tasks.published import write_published
from webgym.tasks.sealing import opened, sealed
from webgym.tasks.sets import TaskSet
from webgym.tasks.sources.mapped import mapped, parse_mapping
from webgym.tasks.sources.names import website_named
from webgym.tasks.sources.registry import SOURCES
from webgym.tasks.sources.source import Source
from webgym.tasks.split.make import SplitPlan, make_split
from webgym.tasks.task_from_row import task_of


def lines(path: Path, *entries: Any) -> Path:
    path.write_text("".join(f"{json.dumps(entry)}\n" for entry in entries))
    return path


def document(path: Path, entries: Any) -> Path:
    path.write_text(json.dumps(entries))
    return path


def imported(source: Source | str, *paths: Path) -> tuple[list[TaskRow], ImportTally]:
    tally = ImportTally()
    return list(import_rows(SOURCES[source] if isinstance(source, str) else source, paths, tally)), tally


def test_every_source_of_the_published_set_can_be_imported():
    names = "InSTA-v3 PAE-WebVoyager AgentSynth-Web BrowseComp TravelPlanner Mind2Web-Live Online-Mind2Web DeepShop"
    wanted = {*names.split(), "Mind2Web-2", "GAIA-Web", "WebVoyager", "Mind2Web"}
    assert wanted <= {source.benchmark for source in SOURCES.values()}


def test_webvoyager_takes_its_answers_from_the_file_beside_it(tmp_path: Path):
    path = lines(
        tmp_path / "WebVoyager_data.jsonl",
        {"web_name": "Some Shop", "id": "Some Shop--0", "ques": "Find a red hat.", "web": "https://shop.example.com/"},
        {"web_name": "Some Shop", "id": "Some Shop--1", "ques": "Find a blue hat.", "web": "https://shop.example.com/"},
    )
    answers = {"Some Shop": {"notice": " prices change", "answers": [{"id": 1, "type": "golden", "ans": "Hat no. 5"}]}}
    document(tmp_path / "reference_answer.json", answers)
    rows, tally = imported("webvoyager", path)
    assert [row.answer for row in rows] == [None, "Hat no. 5"]
    assert rows[1].task_id == "webvoyager-Some Shop--1"
    assert extra_of(rows[1]).fields == {
        "web_name": "Some Shop",
        "answer_type": "golden",
        "answer_notice": "prices change",
    }
    assert (rows[1].benchmark, rows[1].provenance.licence, rows[1].provenance.line) == ("WebVoyager", "Apache-2.0", 2)
    assert (tally.read, tally.kept, tally.inferred) == (2, 2, {"the source": 2})


def test_of_webvoyagers_answers_only_the_golden_ones_are_references(tmp_path: Path):
    """The others are examples: held against them, an attempt that found another recipe would have failed."""
    asked = [{"id": f"Cook--{n}", "ques": f"Find recipe {n}.", "web": "https://cook.example.com/"} for n in range(3)]
    path = lines(tmp_path / "WebVoyager_data.jsonl", *asked)
    told = [
        {"id": 0, "type": "golden", "ans": "1.5 cups"},
        {"id": 1, "type": "possible", "ans": "Debbie's Lasagna"},
        {"id": 2, "ans": "of no type"},
    ]
    document(tmp_path / "reference_answer.json", {"Cook": {"notice": "", "answers": told}})
    rows, _ = imported("webvoyager", path)
    assert [task_of(row, dt.date(2025, 1, 1)).reference for row in rows] == ["1.5 cups", "", ""]
    assert [row.answer for row in rows] == ["1.5 cups", None, None]
    kept = [extra_of(row).fields for row in rows]
    assert [one.get("possible_answer") for one in kept] == [None, "Debbie's Lasagna", "of no type"]
    assert [one["answer_type"] for one in kept] == ["golden", "possible", ""]


def test_gaia_has_its_answer_in_the_entry(tmp_path: Path):
    entry = {
        "Level": 1,
        "web_name": "Google Search",
        "id": "gaia--0",
        "ques": "How many?",
        "web": "https://www.google.com/",
    }
    rows, _ = imported("gaia-web", lines(tmp_path / "GAIA_web.jsonl", {**entry, "Final answer": "3"}))
    assert (rows[0].answer, extra_of(rows[0]).fields["Level"]) == ("3", 1)


def test_mind2web_names_sites_and_the_table_knows_them(tmp_path: Path):
    entries = [
        {"website": "united", "task": "Check a flight.", "actions": [["CLICK", "[a]", "x"]] * 3, "trace_url": "t"},
        {"website": "nps.gov", "task": "Find a park.", "actions": []},
        {"website": "no such site", "task": "Find it.", "actions": []},
    ]
    rows, tally = imported("mind2web", document(tmp_path / "raw.json", entries))
    assert [row.website for row in rows] == ["https://www.united.com/", "https://nps.gov/", ""]
    assert rows[0].inferred == ("website:names",)
    assert extra_of(rows[0]).fields == {"reference_length": 3}
    assert tally.inferred == {"names": 2, "nobody": 1}


def test_mind2web_live_finds_the_website_in_its_key_nodes(tmp_path: Path):
    def node(answer: str, url: str | None = None) -> dict[str, Any]:
        return {"match_function_name": "url_included_match", "content": {"reference_answer": answer, "url": url}}

    entries = [
        {"index": 0, "task": "Find a store.", "evaluation": [node("gamestop.", "https://www.gamestop.com/x")]},
        {"index": 1, "task": "Read the rules.", "evaluation": [node("rules.", "https://play.rules.example.org/a?b=1")]},
        {"index": 2, "task": "Look up a map.", "evaluation": [node("map.uniqlo.")]},
        {"index": 3, "task": "Who knows where?", "evaluation": [node("nowhere-at-all.")]},
        {"index": 4, "task": "Broken.", "evaluation": "none"},
    ]
    rows, tally = imported("mind2web-live", document(tmp_path / "live.json", entries))
    assert [row.website for row in rows] == [
        "https://www.gamestop.com/",
        "https://play.rules.example.org/",
        "https://www.uniqlo.com/",
        "",
    ]
    assert [str(one) for one in tally.problems] == ["live.json:5: evaluation is not a list"]


def test_online_mind2web_keeps_level_and_length(tmp_path: Path):
    entry = {"task_id": "b7", "confirmed_task": "Find a store.", "website": "https://www.example.com/", "level": "hard"}
    rows, _ = imported("online-mind2web", document(tmp_path / "om.json", [{**entry, "reference_length": 8}]))
    assert rows[0].task_id == "online-mind2web-b7"
    assert extra_of(rows[0]).fields == {"level": "hard", "reference_length": 8}


def test_mind2web_2_has_no_website(tmp_path: Path):
    path = tmp_path / "m2.csv"
    path.write_text("task_id,task\nx1,Compare ten phones.\n")
    rows, tally = imported("mind2web-2", path)
    assert (rows[0].instruction, rows[0].website, tally.inferred) == ("Compare ten phones.", "", {"nobody": 1})


def test_agentsynth_keeps_the_task_and_not_what_was_recorded(tmp_path: Path):
    entry = {"website": "example.org", "task": "Read it.", "action_sequence": ["a", "b"], "thoughts_sequence": ["t"]}
    both = {**entry, "website": "one.example.org and two.example.net"}
    path = lines(tmp_path / "task_sequences.jsonl", {**entry, "webpage_text": "x" * 9999}, both)
    rows, tally = imported("agentsynth-web", path)
    assert rows[0].website == "https://example.org"
    assert extra_of(rows[0]).fields == {"reference_length": 2}
    assert rows[1].website == "https://one.example.org"
    assert tally.inferred == {"the source": 1, "the first of several": 1}


def test_travelplanner_has_neither_website_nor_rubric(tmp_path: Path):
    path = lines(tmp_path / "tp.jsonl", {"idx": 1, "query": "Plan 3 days in Rome.", "plan": [{"days": 1}]})
    rows, tally = imported("travelplanner", path)
    assert (rows[0].task_id, rows[0].rubric, rows[0].extra) == ("travelplanner-1", (), "")
    assert tally.inferred == {"nobody": 1}


def test_insta_keeps_criteria_and_steps(tmp_path: Path):
    entry = {"website": "example.com", "instruction": "Find it.", "criteria": ["a"], "steps": ["b"]}
    none = {**entry, "instruction": "N/A"}
    rows, tally = imported("insta-v3", lines(tmp_path / "insta.jsonl", entry, none, entry))
    assert [(one.kind, one.line) for one in tally.problems] == [("skipped", 2)]
    assert extra_of(rows[0]).fields == {"criteria": ["a"], "steps": ["b"]}
    assert rows[1].task_id == f"{rows[0].task_id}-2"


def test_deepshops_requirements_are_its_rubric(tmp_path: Path):
    entry = {"id": 4, "ques": "A red mug under $9.", "web_name": "Amazon", "web": "https://www.amazon.com/"}
    needs = {"attribute": ["red", "ceramic"], "filter": "price under $9", "sort": "None"}
    rows, _ = imported("deepshop", lines(tmp_path / "deepshop.jsonl", {**entry, **needs}))
    assert [(group.description, len(group.facts)) for group in rows[0].rubric] == [("attribute", 2), ("filter", 1)]
    assert rows[0].level == "easy"


def test_browsecomp_stays_encrypted_wherever_it_is_written(tmp_path: Path):
    canary, path = "canary 42", tmp_path / "browsecomp.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["problem", "answer", "problem_topic", "canary"])
        writer.writerow([sealed("Who was the grüne Mann?", canary), sealed("Nobody.", canary), "Art", canary])
        writer.writerow(["in the clear", "Nobody.", "Art", canary])
    rows, tally = imported("browsecomp", path)
    assert len(rows) == 1
    assert tally.problems[0].line == 3
    write_lines(tmp_path / "out.jsonl", rows)
    written = (tmp_path / "out.jsonl").read_text()
    assert "grüne" not in written
    assert "Nobody" not in written
    clear = opened(rows[0])
    assert (clear.instruction, clear.answer, clear.sealed) == ("Who was the grüne Mann?", "Nobody.", "")


def test_the_published_set_keeps_its_ids_and_benchmarks(tmp_path: Path):
    entry = {
        "benchmark_name": "InSTA-v3",
        "task_name": "Find it.",
        "website": "https://example.com/",
        "task_id": 9,
        "evaluator_reference": [{"id": 1, "description": "", "facts": ["It is found."]}],
    }
    rows, tally = imported("webgym", lines(tmp_path / "train.jsonl", entry, {**entry, "evaluator_reference": []}))
    assert (rows[0].task_id, rows[0].benchmark, rows[0].provenance.source_id) == ("9", "InSTA-v3", "9")
    assert str(tally.problems[0]) == "train.jsonl:2: the rubric (evaluator_reference) is empty"


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".csv", ".parquet"])
def test_any_other_file_comes_in_by_a_mapping(tmp_path: Path, suffix: str):
    entry = {"question": "How tall is it?", "url": "example.com", "gold": "5 m", "n": "7", "colour": "red"}
    path = tmp_path / f"mine{suffix}"
    match suffix:
        case ".jsonl":
            lines(path, entry)
        case ".json":
            document(path, {"data": [entry]})
        case ".csv":
            path.write_text(f"{','.join(entry)}\n{','.join(entry.values())}\n")
        case _:
            pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
            parquet.write_table(pyarrow.Table.from_pylist([entry]), path)
    mapping = parse_mapping(["instruction=question", "website=url", "answer=gold", "task_id=n"])
    rows, _ = imported(mapped("mine", mapping, benchmark="Mine", licence="MIT"), path)
    assert (rows[0].task_id, rows[0].website, rows[0].answer) == ("mine-7", "https://example.com", "5 m")
    assert extra_of(rows[0]).fields == {"colour": "red"}
    assert rows[0].provenance.licence == "MIT"


def test_what_is_empty_in_a_table_is_missing(tmp_path: Path):
    groups = [{"id": 1, "description": "hats", "facts": ["It is red.", "It is wool."]}]
    path = tmp_path / "published.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["task_id", "task_name", "website", "evaluator_reference", "task_id_decomposed_from"])
        for number in range(4):
            writer.writerow([number, f"Find hat {number}.", f"s{number}.com", json.dumps(groups), ""])
    rows, tally = imported("webgym", path)
    assert tally.problems == []
    assert [row.decomposed_from for row in rows] == [None] * 4
    assert rows[0].rubric == (FactGroup(1, "hats", ("It is red.", "It is wool.")),)
    # As a family of their own, all would be set aside with the first one that is tested on.
    assert make_split(TaskSet("x", table_of(rows)), SplitPlan(1)).aside == ()


@pytest.mark.parametrize("nothing", [None, float("nan"), []])
def test_an_answer_that_is_none_is_no_reference(tmp_path: Path, nothing: object):
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "a.parquet"
    entry = {"task_name": "Find it.", "evaluator_reference": "It is found.", "definite_answer": nothing}
    parquet.write_table(pyarrow.Table.from_pylist([entry]), path)
    rows, _ = imported("webgym", path)
    others, _ = imported(mapped("mine", parse_mapping(["instruction=task_name", "answer=definite_answer"])), path)
    assert [row.answer for row in (*rows, *others)] == [None, None]


def test_facts_can_be_told_apart_whatever_ids_their_groups_came_with(tmp_path: Path):
    groups = [{"description": "a", "facts": ["A."]}, {"id": 1, "description": "b", "facts": ["B."]}]
    entry = {"task_name": "Find it.", "website": "example.com", "evaluator_reference": groups}
    rows, _ = imported("webgym", lines(tmp_path / "train.jsonl", entry))
    assert [group.id for group in rows[0].rubric] == [1, 2]
    assert write_published(rows[0], ours=False) == entry


def test_no_two_tasks_of_a_source_get_the_same_id(tmp_path: Path):
    entries = [{"ques": f"Find {n}.", "id": name} for n, name in enumerate(["a", "a", "a-2", "a", "a-2"])]
    rows, _ = imported("pae-webvoyager", lines(tmp_path / "a.jsonl", *entries))
    ids = [row.task_id.removeprefix("pae-webvoyager-") for row in rows]
    assert ids[:2] == ["a", "a-2"]
    assert len(set(ids)) == 5


def test_a_mapping_that_names_no_field_of_ours_is_refused():
    with pytest.raises(ConfigError, match="OURS is one of instruction"):
        parse_mapping(["question=instruction"])
    with pytest.raises(ConfigError, match="which field holds the instruction"):
        parse_mapping(["website=url"])


@pytest.mark.parametrize(
    ("name", "data", "why"),
    [
        ("a.json", b"[{", "broken JSON"),
        ("a.json", b'[{"ques": "\xff"}]', "not in UTF-8"),
        ("a.json", b'"x"', "neither a list"),
        ("a.csv", b"ques,web\nx,example.com,more\n", "more fields than the header"),
        ("a.csv", b"ques,web\n\xff,example.com\n", "not in UTF-8"),
        ("a.parquet", b"PAR1", "broken Parquet"),
        ("a.jsonl", b'{"ques": 5}', "the instruction is not a string"),
        ("a.jsonl", b'{"web": "example.com"}', "there is no field ques"),
    ],
)
def test_a_broken_file_is_reported(tmp_path: Path, name: str, data: bytes, why: str):
    path = tmp_path / name
    path.write_bytes(data)
    rows, tally = imported("pae-webvoyager", path)
    assert rows == []
    assert len(tally.problems) == 1
    assert isinstance(tally.problems[0], Problem)
    assert why in str(tally.problems[0])


def test_a_file_that_is_not_there_or_of_no_known_kind_is_refused(tmp_path: Path):
    with pytest.raises(TaskSetError, match="there is no file"):
        imported("webvoyager", tmp_path / "none.jsonl")
    (tmp_path / "a.xlsx").write_bytes(b"")
    with pytest.raises(TaskSetError, match="unsupported file type"):
        imported("webvoyager", tmp_path / "a.xlsx")


@pytest.mark.parametrize(
    ("name", "website"),
    [("Google Flights", "https://www.google.com/travel/flights/"), ("last.fm", "https://last.fm/"), ("foo.bar", "")],
)
def test_websites_are_found_by_name(name: str, website: str):
    if name == "foo.bar":
        name = "foo.nosuchsuffix"
    assert website_named(name) == website
