"""Parts whose instruction a model writes, and another question checks."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
from tests.unit.tasks_enrich.scripted import Scripted, Serving
from tests.unit.tasks_enrich.test_enrich import config

from webgym.records.task import FactGroup
from webgym.records.task_row import TaskRow
from webgym.run.task_sets.decompose.run import DecomposePlan, Decomposition, decompose

GROUPS = (
    FactGroup(1, "hotel", ("the hotel is in Rome.", "the hotel has a pool.", "the hotel takes dogs.")),
    FactGroup(7, "bus", ("the bus is named.",)),
    FactGroup(9, "museum", ("the museum is old.", "the museum is free.")),
)
WHOLE = TaskRow(
    "42", "Find it all", "https://a.com/", GROUPS, answer="secret", split="train", extra='{"fields": {"steps": 7}}'
)


class Adding(Scripted):
    """Writes an instruction that asks for too much, the first time."""

    def words(self, body: dict[str, Any]) -> dict[str, Any]:
        said = super().words(body)
        if "instruction" in said and len(body["messages"]) == 2:
            said["instruction"] += " and the museum is free."
        return said


def run(rows: list[TaskRow], journal: Path, server: Scripted, **plan: Any) -> Decomposition:
    async def go() -> Decomposition:
        async with Serving(server):
            return await decompose(rows, DecomposePlan(**plan), config(server), journal)

    return anyio.run(go)


def test_parts_have_their_groups_an_instruction_of_their_own_and_their_parent(tmp_path: Path):
    done = run([WHOLE], tmp_path / "journal", Scripted())
    assert [part.task_id for part in done.parts] == ["42-part-1", "42-part-1-2", "42-part-1-3"]
    for part, places in zip(done.parts, [(0,), (0, 1), (0, 2)], strict=True):
        assert part.rubric == tuple(GROUPS[place] for place in places)
        assert part.decomposed_from == "42"
        assert (part.answer, part.extra, part.split) == (None, "", "train")
        assert part.inferred == ("instruction:scripted",)
        for group in GROUPS:
            assert all((fact in part.instruction) == (group in part.rubric) for fact in group.facts)
    assert done.asked == 6
    again = run([WHOLE], tmp_path / "journal", Scripted())
    assert (again.asked, again.remembered, again.parts) == (0, 6, done.parts)


def test_an_instruction_that_asks_for_more_is_sent_back_with_the_fact(tmp_path: Path):
    server = Adding()
    done = run([WHOLE], tmp_path / "journal", server, most=1)
    assert "museum" not in done.parts[0].instruction
    complaint = server.asks[2]["messages"][3]["content"]
    assert "also asks for 'the museum is free.'" in complaint
    assert done.asked == 4


def test_an_instruction_that_never_fits_is_set_aside(tmp_path: Path):
    class Forgetting(Scripted):
        def checked(self, text: str) -> list[int]:
            return super().checked(text)[1:]

    done = run([WHOLE], tmp_path / "journal", Forgetting(), most=1)
    assert done.parts == []
    assert "does not ask for 'the hotel" in done.rejects[0].why


def test_the_check_is_not_told_which_facts_are_kept(tmp_path: Path):
    server = Scripted()
    run([WHOLE], tmp_path / "journal", server, most=1)
    asked = server.asks[1]["messages"][1]["content"]
    assert all(fact in asked for group in GROUPS for fact in group.facts)
    assert "kept" not in asked
    assert "dropped" not in asked


def test_bad_replies_on_the_way_are_mended(tmp_path: Path):
    server = Scripted()
    server.script = ["busy", "truncated", "wrong_schema", "", "refusal"]
    done = run([WHOLE], tmp_path / "journal", server)
    assert len(done.parts) == 3


def test_without_a_model_the_parts_that_need_one_are_counted():
    done = anyio.run(decompose, [WHOLE], DecomposePlan())
    assert (done.parts, done.left, done.planned) == ([], 3, 3)
