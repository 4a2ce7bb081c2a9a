"""What docs/lessons.md says is so."""

from __future__ import annotations

import re
import typing
from pathlib import Path

import msgspec

from webgym.records.lesson import Lesson, QuestionKind
from webgym_nano.lessons.agent_settings import MOST_FACTS, VIEWPORT
from webgym_nano.lessons.collect import SPLIT, CollectConfig
from webgym_nano.lessons.suite import UNSEEN, SuiteConfig

PAGE = (Path(__file__).parents[4] / "docs/lessons.md").read_text("utf-8")


def first_cells(column: str) -> list[str]:
    table = PAGE.split(f"\n| {column} |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    return [name for row in table for name in re.findall(r"`(\w+)`", row.split("|")[1])]


def test_every_field_and_every_kind_of_question_is_documented():
    fields = {field.name for field in msgspec.structs.fields(Lesson)}
    assert set(first_cells("Field")) == fields - {"version"}
    assert tuple(first_cells("Kind of question")) == typing.get_args(QuestionKind)


def test_the_numbers_are_those_of_the_program():
    config, suite = CollectConfig(), SuiteConfig()
    assert f"{VIEWPORT.width} by {VIEWPORT.height}" in PAGE
    assert f"of the split `{SPLIT}` only, from tasks of at most {MOST_FACTS} facts" in PAGE
    assert f"at most {config.steps} steps" in PAGE
    assert f"In {config.strays:.0%}".replace("%", " %") in PAGE
    assert f"leads {100 * config.policy_attempts:.0f} % of the\nattempts, {100 * config.policy_steps:.0f} %" in PAGE
    assert f"at most {suite.steps} steps, its answer included" in PAGE
    assert ", ".join(f"`{split}`" for split in UNSEEN[:2]) + f" and `{UNSEEN[2]}`" in PAGE
