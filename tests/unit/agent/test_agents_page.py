"""What docs/agents.md says is so."""

from __future__ import annotations

import ast
import re
import textwrap
import typing
from pathlib import Path

import msgspec
import pytest
from tests.unit.agent.samples import HERE, SEEN, TASK, ScriptedPolicy, capture

from webgym.agent.dialects.compact_lines import _VERBS
from webgym.agent.dialects.dialect import Dialect, Inexpressible
from webgym.agent.dialects.registry import NAMES, dialect_named
from webgym.agent.prompts.files import VERSIONS
from webgym.agent.settings import AgentSettings
from webgym.agent.vlm import VlmAgent
from webgym.records.action import Back, Click
from webgym.records.decision import Decision, MalformedReply
from webgym.records.observation import Viewport
from webgym.records.prompt import Completion
from webgym.records.session import SessionSpec
from webgym.testing.fakes import FakeBrowser

pytestmark = pytest.mark.anyio
PAGE = (Path(__file__).parents[3] / "docs/agents.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def rows(column: str) -> list[list[str]]:
    lines = PAGE.split(f"\n| {column} |", 1)[1].split("\n\n", 1)[0].splitlines()[2:]
    return [[cell.strip().strip("`") for cell in line.split("|")[1:-1]] for line in lines]


def test_every_dialect_is_documented_with_its_places():
    assert tuple(row[0] for row in rows("Dialect")) == NAMES
    words = {"thousandths": "thousandths", "marks": "numbers of elements", "pixels": "pixels", "resized": "resizes"}
    words["cells"] = "cells"
    for name, places, _ in rows("Dialect"):
        assert words[dialect_named(name).coordinates] in places
    assert re.findall(r"[\w.-]+", rows("Mode")[1][3]) == [n for n in NAMES if dialect_named(n).look.marks]


def test_every_prompt_version_is_documented():
    assert tuple(row[0] for row in rows("Version")) == VERSIONS


def test_every_problem_of_a_reply_is_documented():
    problems = typing.get_args(typing.get_type_hints(MalformedReply)["problem"])
    assert tuple(row[0] for row in rows("`problem`")) == problems


def test_every_setting_is_documented_with_its_default():
    documented = {row[0]: ast.literal_eval(row[1]) for row in rows("Field")}
    assert documented == AgentSettings().model_dump()


def test_every_verb_of_the_compact_dialect_is_documented():
    verbs = PAGE.split("Its verbs:", 1)[1].split(". A line", 1)[0]
    assert tuple(re.findall(r"`(\w+)`", verbs)) == tuple(_VERBS)


async def test_the_first_example_runs(capsys: pytest.CaptureFixture[str]):
    said = dialect_named("qwen3-vl").say(Decision(Click(HERE), sentence="Click it."), SEEN)
    names = {"task": TASK, "policy": ScriptedPolicy(said), "browser": FakeBrowser(), "SessionSpec": SessionSpec}
    body = textwrap.indent(BLOCKS[0], "    ")
    exec(f"async def example():\n{body}", names)
    await typing.cast("typing.Any", names["example"])()
    assert "sentence='Click it.'" in capsys.readouterr().out


def test_a_dialect_for_other_limits_of_pixels_can_be_made():
    made: dict[str, typing.Any] = {}
    exec(BLOCKS[1], made)
    assert isinstance(made["DIALECT"], Dialect)
    assert "1316 pixels wide and 728 pixels high" in made["DIALECT"].system("vanilla-1", Viewport(1920, 1080))


async def test_the_dialect_of_ones_own_works():
    made: dict[str, typing.Any] = {}
    exec(BLOCKS[2], made)
    dialect = made["POINTING"]
    assert isinstance(dialect, Dialect)
    agent = VlmAgent(TASK, ScriptedPolicy("nowhere", "640 30"), dialect)
    choice = (await agent.decide(capture())).choice
    assert isinstance(choice, MalformedReply)
    turn = await agent.decide(capture())
    assert turn.choice == Decision(Click(HERE), call="640 30")
    assert turn.prompt is not None
    assert "such as: 640 384" in turn.prompt.messages[-1].text
    assert dialect.parse(Completion(dialect.say(Decision(Click(HERE)), SEEN)), SEEN).action == Click(HERE)
    with pytest.raises(Inexpressible):
        dialect.call(Back(), SEEN)
    msgspec.msgpack.encode(turn)
