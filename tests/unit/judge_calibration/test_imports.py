"""Labelled sets of others: read in their own layouts, made into runs with labels. On fixtures in those layouts only."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import anyio
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from webgym.errors import ConfigError
from webgym.judge.calibration.imports.foreign import browsergym_action, computer_action, said_to_user
from webgym.judge.calibration.imports.formats import FORMATS, Format, read
from webgym.judge.calibration.labelled import LabelledAttempt, known, write_labelled
from webgym.records.action import Answer, Back, Click, Navigate, Point, Press, Scroll, TypeText
from webgym.records.decision import Decision
from webgym.store.read import open_run
from webgym_bench.judge.sizes import tiny


def make_online_mind2web(folder: Path) -> None:
    labels = [
        {"task_id": "t1", "confirmed_task": "Find a lamp.", "Browser_Use_human_label": "1", "Agent-E_human_label": "0"},
        {"task_id": "t2", "confirmed_task": "Book it.", "Browser_Use_human_label": "2", "Agent-E_human_label": "1"},
        {"task_id": "t3", "confirmed_task": "Lost.", "Browser_Use_human_label": "1", "Agent-E_human_label": "1"},
    ]
    (folder / "human_label.json").write_text(json.dumps(labels))
    first = folder / "browser-use" / "t1"
    (first / "trajectory").mkdir(parents=True)
    for number in (0, 1, 10):
        (first / "trajectory" / f"{number}_full_screenshot.png").write_bytes(tiny(number))
    words = ["<button> Search -> CLICK", "<input> name -> TYPE: blue lamp"]
    result = {"task": "Find a lamp.", "task_id": "t1", "action_history": words, "thoughts": ["look", None]}
    (first / "result.json").write_text(json.dumps({**result, "final_result_response": "It is blue."}))
    second = folder / "browser-use" / "t2"
    (second / "trajectory").mkdir(parents=True)
    steps: list[dict[str, Any]] = []
    for number, action in enumerate(("page -> NAVIGATE -> https://shop.example/", "TASK_COMPLETE -> ANSWER: Blocked.")):
        (second / "trajectory" / f"{number:04}.png").write_bytes(tiny(20 + number))
        name = f"{number:04}.png"
        steps.append(
            {"step": number, "screenshot": name, "action": action, "thought": None, "url": "https://shop.example/"}
        )
    result = {"schema_version": "online-mind2web-v2", "task": "Book it.", "task_id": "t2", "action_history": steps}
    (second / "result.json").write_text(json.dumps({**result, "agent_final_answer": "Blocked."}))
    broken = folder / "agent_e" / "t1"
    (broken / "trajectory").mkdir(parents=True)
    (broken / "trajectory" / "0.png").write_bytes(b"no picture")
    (broken / "result.json").write_text(json.dumps({"task": "Find a lamp.", "action_history": []}))


def _agent_reward_bench(folder: Path) -> None:
    rows = [
        ("webarena", "GenericAgent-x", "webarena.7", "Successful"),
        ("webarena", "GenericAgent-x", "webarena.7", "Unsuccessful"),
        ("webarena", "GenericAgent-x", "webarena.7", "Successful"),
        ("workarena", "GenericAgent-x", "workarena.1", "Unsuccessful"),
        ("workarena", "GenericAgent-x", "workarena.2", "Unsure"),
    ]
    with (folder / "annotations.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("benchmark", "model_name", "task_id", "trajectory_success"))
        writer.writerows(rows)
    for benchmark, task in (("webarena", "webarena.7"), ("workarena", "workarena.1")):
        place = folder / "cleaned" / benchmark / "GenericAgent-x" / f"GenericAgent-x_on_{benchmark}"
        place.mkdir(parents=True)
        shots = folder / "screenshots" / benchmark / "GenericAgent-x" / task
        shots.mkdir(parents=True)
        steps: list[dict[str, Any]] = []
        for number, action in enumerate(('click("a12")', 'fill("a13", "lamp")', 'send_msg_to_user("It costs 5.")')):
            name = f"screenshot_step_{number}.png"
            (shots / name).write_bytes(tiny(100 + number))
            path = f"trajectories/screenshots/{benchmark}/GenericAgent-x/{task}/{name}"
            steps.append(
                {"num": number, "action": action, "reasoning": "so", "url": "http://s/", "screenshot_path": path}
            )
        body = {"benchmark": benchmark, "goal": f"Do {task}.\n", "valid": True, "steps": steps, "axtree": "left out"}
        (place / f"{task}.json").write_text(json.dumps(body))


def _cua_verifier_bench(folder: Path) -> None:
    for name in ("trajectories", "annotations"):
        (folder / name).mkdir()
    log = "\n".join(
        json.dumps(one)
        for one in (
            {
                "timestamp": "t",
                "action": "left_click",
                "arguments": {"coordinate": [10, 20], "thoughts": "hm"},
                "url": "http://s/1",
            },
            {"timestamp": "t", "action": "visit_url", "arguments": {"url": "http://s/2"}, "url": "http://s/2"},
            {"timestamp": "t", "action": "terminate", "arguments": {"status": "success"}, "url": "http://s/2"},
        )
    )
    shots = [{"bytes": tiny(200 + number), "path": f"screenshot{number}.png"} for number in range(3)]

    def row(task: str, final: int | None, answer: str = "42") -> dict[str, Any]:
        return {
            "task_id": task,
            "instruction": f"Do {task}.",
            "init_url": "http://s/",
            "final_answer": answer,
            "web_surfer_log": log,
            "screenshots": shots,
            "final_human_outcome_label": final,
        }

    rows = [row("a", 1), row("b", 0, "<no_answer>"), row("c", None), row("d", None)]
    kinds = pa.list_(pa.struct([("bytes", pa.binary()), ("path", pa.string())]))
    schema = pa.schema(
        [(name, kinds if name == "screenshots" else pa.int32() if "label" in name else pa.string()) for name in rows[0]]
    )
    pq.write_table(pa.Table.from_pylist(rows, schema), folder / "trajectories" / "internal-00000-of-00001.parquet")
    said = [("a", "Judge1", "Incorrect"), ("c", "Judge1", "Correct"), ("c", "Judge2", "Correct")]
    votes = [
        {"task_id": task, "annotator": who, "human_judgement_outcome": word, "outcome_comment": "since"}
        for task, who, word in said
    ]
    pq.write_table(pa.Table.from_pylist(votes), folder / "annotations" / "internal-00000-of-00001.parquet")


_MAKE = {
    "online-mind2web": make_online_mind2web,
    "agent-reward-bench": _agent_reward_bench,
    "cua-verifier-bench": _cua_verifier_bench,
}


def _read(form: Format, folder: Path) -> tuple[dict[str, LabelledAttempt], list[str]]:
    left_out: list[str] = []
    return {one.trajectory.attempt.attempt_id: one for one in read(form, folder, left_out.append)}, left_out


def _actions(one: LabelledAttempt) -> list[object]:
    return [step.turn.choice.action for step in one.trajectory.steps if isinstance(step.turn.choice, Decision)]


def test_online_mind2web_in_both_of_its_forms(tmp_path: Path):
    make_online_mind2web(tmp_path)
    found, left_out = _read("online-mind2web", tmp_path)
    assert set(found) == {"Browser_Use/t1", "Browser_Use/t2"}
    assert [line.partition(":")[0] for line in left_out] == ["Agent-E/t1"]
    first, second = found["Browser_Use/t1"], found["Browser_Use/t2"]
    assert [step.observation.screenshot.size for step in first.trajectory.steps if step.observation.screenshot] == [
        len(tiny(number)) for number in (0, 1, 10)
    ], "by number, not by name"
    assert _actions(first)[1:] == [TypeText("blue lamp"), Answer("It is blue.")]
    assert [label.verdict for one in (first, second) for label in one.labels] == ["success", "blocked"]
    assert _actions(second) == [Navigate("https://shop.example/"), Answer("Blocked.")]


def test_agent_reward_bench_with_several_annotators(tmp_path: Path):
    _agent_reward_bench(tmp_path)
    found, left_out = _read("agent-reward-bench", tmp_path)
    assert set(found) == {"GenericAgent-x/webarena.7", "GenericAgent-x/workarena.1"}
    assert left_out == ["workarena/GenericAgent-x/workarena.2: annotated, but there is no trajectory"]
    one = found["GenericAgent-x/webarena.7"]
    assert [label.verdict for label in one.labels] == ["success", "failure", "success"]
    assert len({label.who for label in one.labels}) == 3
    assert _actions(one)[1:] == [TypeText("lamp"), Answer("It costs 5.")]
    assert one.trajectory.ending.answer == "It costs 5."
    assert one.trajectory.attempt.task.instruction == "Do webarena.7."


def test_cua_verifier_bench_adjudicated_or_by_vote(tmp_path: Path):
    _cua_verifier_bench(tmp_path)
    found, left_out = _read("cua-verifier-bench", tmp_path)
    assert left_out == ["internal/d: it has no label"]
    words = {name: [(label.who, label.verdict) for label in one.labels] for name, one in found.items()}
    assert words["internal/a"] == [("cua-verifier-bench:adjudicated", "success")], "the adjudicated label overrules"
    assert words["internal/c"] == [("cua-verifier-bench:Judge1", "success"), ("cua-verifier-bench:Judge2", "success")]
    assert found["internal/b"].trajectory.ending.answer is None
    assert _actions(found["internal/a"]) == [Click(Point(10, 20)), Navigate("http://s/2"), Answer("42")]


@pytest.mark.parametrize("form", FORMATS)
def test_what_is_imported_becomes_a_run_with_truth(form: Format, tmp_path: Path):
    source, run = tmp_path / "source", tmp_path / "run"
    source.mkdir()
    _MAKE[form](source)
    items = list(_read(form, source)[0].values())
    assert anyio.run(write_labelled, run, form, items) == len(items)
    assert anyio.run(write_labelled, run, form, items) == len(items), "a second import adds nothing"
    with open_run(run) as stored:
        truths = {one.attempt_id: one.truth for one in known(stored)}
        assert len(truths) == len(items)
        assert {truth.source for truth in truths.values()} == {"people"}
        for trajectory in stored.trajectories():
            for step in trajectory.steps:
                assert step.observation.screenshot is not None
                assert stored.blob(step.observation.screenshot.address)


@pytest.mark.parametrize("form", FORMATS)
def test_a_folder_of_another_kind_is_told(form: Format, tmp_path: Path):
    with pytest.raises(ConfigError):
        list(read(form, tmp_path, print))


def test_a_path_in_a_file_cannot_lead_out_of_its_folder(tmp_path: Path):
    (tmp_path / "secret.png").write_bytes(tiny(1))
    folder = tmp_path / "arb"
    folder.mkdir()
    _agent_reward_bench(folder)
    path = next(folder.rglob("webarena.7.json"))
    body = json.loads(path.read_text())
    for step in body["steps"]:
        step["screenshot_path"] = "screenshots/../../secret.png"
    path.write_text(json.dumps(body))
    found, left_out = _read("agent-reward-bench", folder)
    assert "GenericAgent-x/webarena.7" not in found
    assert any("points outside" in line for line in left_out)


def test_actions_in_the_words_of_others():
    assert browsergym_action("goto('https://a.example')") == Navigate("https://a.example")
    assert browsergym_action("scroll(0, 300)") == Scroll(dy=300)
    assert browsergym_action("go_back()") == Back()
    assert browsergym_action("press('a1', 'Control+a')") == Press(("Control", "a"))
    for odd in ("", "click('a1')", "fill(", "goto(__import__('os'))", "noop()", "fill(" * 5000):
        assert browsergym_action(odd) is None
    assert said_to_user('send_msg_to_user("a \\"quoted\\" word")') == 'a "quoted" word'
    assert said_to_user("report_infeasible('no')") == "no"
    assert said_to_user("click('a')") is None
    assert computer_action("left_click", {"coordinate": [1.0, 2.0]}) == Click(Point(1, 2))
    assert computer_action("scroll", {"pixels": -400}) == Scroll(dy=400)
    assert computer_action("key", {"keys": ["Enter"]}) == Press(("Enter",))
    for name, arguments in (("left_click", {}), ("key", {}), ("scroll", {"pixels": "x"}), ("web_search", {"q": "a"})):
        assert computer_action(name, arguments) is None
