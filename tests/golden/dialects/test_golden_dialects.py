"""Every prompt that a dialect makes, and every action as it writes it, to the letter.

What is compared lies beside this file, one text for each dialect. After a change that is meant, write the texts anew
and read the difference before it is committed:

    WEBGYM_UPDATE_GOLDEN=1 pytest tests/golden/dialects

Text that is sent under a version's name is not changed: a change is a new version of the prompt.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from tests.unit.agent.samples import ACTIONS, HERE, SEEN_WITH_MARKS, TASK, VIEWPORT, ScriptedPolicy, capture

from webgym.agent.dialects.dialect import Dialect, Inexpressible
from webgym.agent.dialects.registry import NAMES, dialect_named
from webgym.agent.prompts.files import VERSIONS
from webgym.agent.settings import AgentSettings
from webgym.agent.vlm import vlm_agent
from webgym.records.action import Action, Click, Drag, Hover, MarkRef, Point, TypeText
from webgym.records.decision import Decision
from webgym.records.observation import (
    ActionFailure,
    Dialog,
    Download,
    FailedReason,
    NoChange,
    Observation,
    PageChange,
    Tab,
)
from webgym.records.prompt import Completion, Picture, Prompt

pytestmark = pytest.mark.anyio
KEPT = PageChange(("focus",), "the value of the field did not change: it is still '<tool_call>5'")
NOWHERE = Point(640, 700)
"""Where no mark is."""
OFF_MARKS = (Click(NOWHERE), Hover(NOWHERE), Hover(HERE), Hover(MarkRef(3)), Drag(HERE, NOWHERE), Drag(NOWHERE, HERE))
HERE_LIES = Path(__file__).parent


def heading(text: str) -> str:
    return f"{'=' * 20} {text} {'=' * 20}"


def drawn(prompt: Prompt, seen: list[Observation]) -> list[str]:
    """A prompt as text: pictures by the look they show."""
    names = {blob.address: f"{kind} {one.sequence}" for one in seen for kind, blob in _blobs(one)}
    lines: list[str] = []
    for message in prompt.messages:
        lines.append(f"--- {message.role}")
        lines += [
            f"[{names[part.address]}, {part.width} x {part.height}]" if isinstance(part, Picture) else part.text
            for part in message.parts
        ]
    return lines


def _blobs(seen: Observation):
    return [(kind, blob) for kind in ("screenshot", "labelled") if (blob := getattr(seen, kind)) is not None]


async def conversation(name: str, version: str) -> list[str]:
    """An attempt in which everything happens that a prompt can tell of."""
    dialect = dialect_named(name)
    said = [
        dialect.say(Decision(TypeText("hats", HERE, submit=True), sentence="Search for hats."), SEEN_WITH_MARKS),
        dialect.say(Decision(Click(HERE), memory='{"cheapest": "Moor hat"}', thought="It is there."), SEEN_WITH_MARKS),
        "I do not know what to do.",
        dialect.say(Decision(Click(HERE, count=1 if name == "nano" else 2)), SEEN_WITH_MARKS),
    ]
    tabs = (Tab(1, title="Shop"), Tab(2, title="Moor hat", active=True))
    looks = [
        capture(1, marks=True),
        capture(2, marks=True, title="Results for hats"),
        capture(3, marks=True, effect=NoChange(), tabs=tabs),
        capture(3, marks=True, effect=NoChange(), tabs=tabs),
        capture(
            4,
            marks=True,
            effect=ActionFailure(FailedReason.OFF_VIEWPORT, "(1, 2)"),
            downloads=(Download("a", "failed"),),
        ),
        capture(5, marks=True, screenshot=None, labelled=None, dialog=Dialog("confirm", "Leave?")),
        capture(6, marks=True, effect=KEPT, settled=False, pending=("GET shop.localhost/api", "2 timers")),
        capture(7, marks=True, effect=NoChange(KEPT.detail), settled=False),
    ]
    settings = AgentSettings(dialect=name, prompt=version, rounds=2)
    agent = vlm_agent(TASK, ScriptedPolicy(*map(Completion, [*said, *said[:2], *said[:2]])), settings)
    lines: list[str] = []
    for number, look in enumerate(looks, 1):
        turn = await agent.decide(look)
        assert turn.prompt is not None
        if number in (1, 4, 6, 8):
            shown = drawn(turn.prompt, [one.observation for one in looks])
            start = shown.index("--- user")
            lines += [heading(f"{version}: step {number}, after the system text"), *shown[start:]]
    return lines


def called(dialect: Dialect, action: Action) -> str:
    try:
        return dialect.call(action, SEEN_WITH_MARKS)
    except Inexpressible:
        return "(no words)"


async def golden(name: str) -> str:
    dialect = dialect_named(name)
    lines = [heading("what it looks at"), repr(dialect.look), dialect.coordinates]
    for version in VERSIONS:
        lines += [heading(f"{version}: system"), dialect.system(version, VIEWPORT)]
    for tool in dialect.tools("complete-2"):
        lines += [heading("tool"), json.dumps(json.loads(tool), indent=1, ensure_ascii=False)]
    for version in VERSIONS:
        lines += await conversation(name, version)
    decision = Decision(Click(HERE), sentence="Click the field.", thought="It is empty.", memory="a: 1\nb: 2")
    lines += [heading("a whole reply"), dialect.say(decision, SEEN_WITH_MARKS), heading("every action")]
    for action in ACTIONS:
        lines += [f"--- {action}", called(dialect, action)]
    lines += [heading("on marks and where there is none")]
    for action in OFF_MARKS:
        lines += [f"--- {action}", called(dialect, action)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", NAMES)
async def test_a_dialect_writes_what_it_always_wrote(name: str):
    file = HERE_LIES / f"{name}.txt"
    written = await golden(name)
    if os.environ.get("WEBGYM_UPDATE_GOLDEN"):
        file.write_text(written, encoding="utf-8")
    assert written == file.read_text(encoding="utf-8")


def test_every_text_here_belongs_to_a_dialect():
    assert {file.stem for file in HERE_LIES.glob("*.txt")} == set(NAMES)


def schema_of(name: str) -> list[dict]:
    dialect = dialect_named(name)
    tools = dialect.tools("complete-2") or [
        line for line in dialect.system("complete-2", VIEWPORT).splitlines() if line.startswith('{"type":"function"')
    ]
    return [json.loads(tool)["function"] for tool in tools]


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("compact", "nano")])
def test_schemas_name_exactly_the_actions_that_are_read(name: str):
    vocabulary = dialect_named(name).vocabulary  # pyright: ignore[reportAttributeAccessIssue]
    schemas = schema_of(name)
    assert tuple(schema["name"] for schema in schemas) == vocabulary.tools
    for schema in schemas:
        key = vocabulary.action_key(schema["name"])
        named = schema["parameters"]["properties"][key]["enum"]
        unneeded = {"screenshot", "cursor_position", "zoom"}
        assert set(named) == set(vocabulary.readers(schema["name"])) - unneeded


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("compact", "nano")])
def test_every_argument_that_is_written_is_in_the_schema(name: str):
    dialect = dialect_named(name)
    properties = {schema["name"]: set(schema["parameters"]["properties"]) for schema in schema_of(name)}
    written: dict[str, set[str]] = {}
    for action in (*ACTIONS, *OFF_MARKS):
        tool, arguments = dialect.vocabulary.write(action, SEEN_WITH_MARKS)  # pyright: ignore[reportAttributeAccessIssue]
        assert set(arguments) <= properties[tool]
        written.setdefault(tool, set()).update(arguments)
    assert properties.keys() == written.keys()


def test_the_verbs_of_the_compact_dialect_are_explained():
    for version in ("vanilla-1", "complete-1", "complete-2"):
        explained = dialect_named("compact").system(version, VIEWPORT)
        for action in ACTIONS:
            verb = dialect_named("compact").call(action, SEEN_WITH_MARKS).split()[0]
            assert verb in explained
