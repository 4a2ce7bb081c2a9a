"""Nano's dialect: what can be said is read back to the cell, and no text passes for a place."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.agent.samples import ScriptedPolicy

from webgym.agent.dialects.dialect import Inexpressible
from webgym.agent.dialects.nano import (
    CELLS,
    MOST_NAME,
    NANO,
    VERBS,
    cell_of,
    name_for,
    verb_of,
    write_place,
)
from webgym.agent.settings import AgentSettings
from webgym.agent.vlm import vlm_agent
from webgym.records.action import (
    Action,
    Answer,
    AnswerDialog,
    Back,
    Click,
    Drag,
    Hover,
    Navigate,
    Point,
    Press,
    Scroll,
    Select,
    TypeText,
    Wait,
)
from webgym.records.decision import Decision, MalformedReply
from webgym.records.observation import (
    ActionFailure,
    Blob,
    Box,
    Capture,
    Dialog,
    Effect,
    FailedReason,
    NoChange,
    Observation,
    PageChange,
    Viewport,
    address_of,
)
from webgym.records.prompt import Completion, Picture, Prompt, Text
from webgym.records.task import Task

VIEWPORT = Viewport(448, 320)
SEEN = Observation(1, "http://shop.localhost/search?q=hat", viewport=VIEWPORT)
HERE = Point(225, 30)
TASK = Task("t", "Which wool hat is the cheapest?", "http://shop.localhost/", ())
SETTINGS = AgentSettings(dialect="nano", prompt="nano-1", rounds=0, max_images=1, past_steps=6)
PAGE = (Path(__file__).parents[3] / "docs/agents.md").read_text("utf-8")

SAYABLE: tuple[tuple[Action, str], ...] = (
    (Click(HERE), "c<056><007>"),
    (TypeText("wool hats", HERE), "t<056><007>wool hats"),
    (TypeText("wool hats", HERE, submit=True), "s<056><007>wool hats"),
    (TypeText("", HERE), "t<056><007>"),
    (Select(HERE, ("Price > name",)), "o<056><007>Price > name"),
    (Scroll(dy=240), "d"),
    (Scroll(dy=-240), "u"),
    (Scroll(dy=128, target=HERE), "D<056><007>"),
    (Scroll(dy=-128, target=HERE), "U<056><007>"),
    (Back(), "b"),
    (Navigate("http://shop.localhost/"), "h"),
    (Wait(0.5), "w"),
    (AnswerDialog(accept=False), "x"),
    (AnswerDialog(accept=True, text="Ada"), "yAda"),
    (Press(("Control", "a")), "kControl a"),
    (Answer("12.50 €"), "a12.50 €"),
)


def same_cell(one: Action, other: Action) -> bool:
    for name in one.__struct_fields__:
        mine, theirs = getattr(one, name), getattr(other, name)
        if isinstance(mine, Point) and cell_of(mine, VIEWPORT) != cell_of(theirs, VIEWPORT):
            return False
        if not isinstance(mine, Point) and mine != theirs:
            return False
    return type(one) is type(other)


@pytest.mark.parametrize(("action", "written"), SAYABLE, ids=[written for _, written in SAYABLE])
def test_what_nano_can_do_is_written_so_and_read_back(action: Action, written: str):
    said = NANO.say(Decision(action, sentence="Search"), SEEN)
    assert said == f"Search>{written}"
    choice = NANO.parse(Completion(said), SEEN)
    assert isinstance(choice, Decision)
    assert same_cell(action, choice.action)
    assert (choice.sentence, choice.call) == ("Search", said)
    assert verb_of(said) == VERBS[written[0]][0]


def test_every_verb_is_among_these_and_documented():
    assert {written[0] for _, written in SAYABLE} == set(VERBS)
    table = PAGE.split("| Verb | Does |", 1)[1].split("\n\n", 1)[0]
    told = [cell.split("|")[1] for cell in table.splitlines()[2:]]
    assert [letter for cell in told for letter in re.findall(r"`(\w)", cell)] == list(VERBS)


@pytest.mark.parametrize(
    "action",
    [
        Hover(HERE),
        Drag(HERE, HERE),
        Click(HERE, count=2),
        Click(Point(448, 5)),
        TypeText("more", HERE, "append"),
        TypeText("nowhere"),
        TypeText("two\nlines", HERE),
        TypeText("<057>", HERE),
        Answer("<|im_end|>"),
        Scroll(dy=100),
        Scroll(dx=240),
        Scroll(dy=240, target=HERE),
        Navigate("http://elsewhere.localhost/"),
        Wait(3.0),
        Press(()),
    ],
    ids=repr,
)
def test_what_nano_cannot_do_is_refused(action: Action):
    with pytest.raises(Inexpressible):
        NANO.say(Decision(action), SEEN)


@pytest.mark.parametrize(
    ("reply", "problem", "says"),
    [
        ("", "empty", "NAME>c<056><007>"),
        (" \n\n", "empty", "no action"),
        ("Search", "no_call", "no verb"),
        ("Search>", "no_call", "no verb"),
        ("a>c<001><002>\nb>c<001><002>", "several_calls", "2 lines"),
        ("Search>q<001><002>", "unknown_action", "'q'"),
        ("Search<001><002>", "unknown_action", "'<'"),
        ("Search>c", "bad_argument", "needs a place"),
        ("Search>c<001>", "bad_argument", "needs a place"),
        ("Search>t wool", "bad_argument", "needs a place"),
        ("Search>c<001><002>more", "bad_argument", "'more'"),
        ("Search>o<001><002>", "bad_argument", "option"),
        (">d<001>", "bad_argument", "too much"),
        (">b5", "bad_argument", "too much"),
        (">k", "bad_argument", "needs a text"),
    ],
)
def test_a_complaint_says_what_is_wrong(reply: str, problem: str, says: str):
    choice = NANO.parse(Completion(reply), SEEN)
    assert isinstance(choice, MalformedReply)
    assert choice.problem == problem
    assert says in choice.message


def test_there_is_no_home_where_there_is_no_website():
    choice = NANO.parse(Completion(">h"), Observation(1, "about:blank", viewport=VIEWPORT))
    assert isinstance(choice, MalformedReply)
    assert "nowhere to go" in choice.message


@given(st.integers(1, 2000), st.integers(1, 2000), st.floats(0, 0.999), st.floats(0, 0.999))
def test_a_place_is_read_in_the_cell_in_which_it_was_written(width: int, height: int, across: float, down: float):
    viewport = Viewport(width, height)
    point = Point(int(across * width), int(down * height))
    seen = msgspec.structs.replace(SEEN, viewport=viewport)
    choice = NANO.parse(Completion(f">c{write_place(point, viewport)}"), seen)
    assert isinstance(choice, Decision)
    assert isinstance(choice.action, Click)
    read = choice.action.target
    assert isinstance(read, Point)
    assert 0 <= read.x < width
    assert 0 <= read.y < height
    most = max(width, height) / CELLS + 1
    assert abs(read.x - point.x) <= most
    assert abs(read.y - point.y) <= most
    assert max(cell_of(read, viewport)) < CELLS


def test_at_its_own_size_cells_are_squares_of_four_pixels():
    assert [cell_of(Point(x, y), VIEWPORT) for x, y in ((0, 0), (3, 3), (4, 4), (447, 319))] == [
        (0, 0),
        (0, 0),
        (1, 1),
        (111, 79),
    ]
    # Rows that the picture has not are the last one that it has.
    choice = NANO.parse(Completion(">c<111><111>"), SEEN)
    assert isinstance(choice, Decision)
    assert choice.action == Click(Point(446, 318))


def test_an_answer_may_begin_with_the_place_it_was_read_at():
    pointed = Decision(Answer("12.50"), Box(220, 20, 10, 20))
    assert NANO.say(pointed, SEEN) == ">a<056><007>12.50"
    for reply in (">a<056><007>12.50", ">a12.50"):
        choice = NANO.parse(Completion(reply), SEEN)
        assert isinstance(choice, Decision)
        assert choice.action == Answer("12.50")


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_name_or_a_text_never_passes_for_a_place(name: str, text: str):
    forged = re.compile(r"<\d{3}>")
    for hostile in (name, f"{name}<057>", f"{name}<057", f"<0<057>57>{name}"):
        assert len(name_for(hostile)) <= MOST_NAME
        line = NANO.remember(Decision(Click(HERE), sentence=hostile), SEEN)
        assert forged.findall(line) == ["<056>", "<007>"]
    assert len(forged.findall(NANO.keep(Completion(f"{name}<057><058>{text}")))) in (0, 2)
    kept = NANO.keep(Completion(f"Search>s<001><002>{text}<057><058>"))
    assert forged.findall(kept) == ["<001>", "<002>"]


# -- prompts ----------------------------------------------------------------------------------------------------------


def look(sequence: int, effect: Effect | None = None, **more: object) -> Capture:
    data = f"picture {sequence}".encode()
    seen = Observation(
        sequence,
        "http://shop.localhost/",
        "Shop <057>",
        VIEWPORT,
        screenshot=Blob(address_of(data), "image/jpeg", len(data)),
        effect=effect,
    )
    return Capture(msgspec.structs.replace(seen, **more), {address_of(data): data})


async def prompts(*looks: Capture, replies: tuple[str, ...], task: Task = TASK) -> list[Prompt]:
    policy = ScriptedPolicy(*replies)
    agent = vlm_agent(task, policy, SETTINGS)
    for one in looks:
        await agent.decide(one)
    return policy.prompts


@pytest.mark.anyio
async def test_a_prompt_is_the_picture_the_task_and_a_line_for_each_step_before():
    asked = await prompts(
        look(1),
        look(2, PageChange(("url",))),
        look(3, NoChange()),
        look(4, ActionFailure(FailedReason.OFF_VIEWPORT)),
        look(4, ActionFailure(FailedReason.OFF_VIEWPORT)),
        replies=("Search>s<056><007>wool hats and many other things", "Hat>c<001><002>", ">d", "what?", ">aNone"),
    )
    assert all([type(part) for part in one.messages[0].parts] == [Picture, Text] for one in asked)
    assert [len(one.messages) for one in asked] == [1] * 5
    assert asked[0].messages[0].text == "Which wool hat is the cheapest?"
    assert asked[4].messages[0].text == (
        "Which wool hat is the cheapest?\n\nSearch>s<056><007>wool hats and many o\nHat>c<001><002>!\n>d!\n?"
    )


@pytest.mark.anyio
async def test_the_last_six_steps_are_told():
    replies = tuple(f"link {number}>c<001><002>" for number in range(9))
    asked = await prompts(*(look(number) for number in range(1, 10)), replies=replies)
    lines = asked[-1].messages[0].text.splitlines()
    assert lines[2:] == [f"link {number}>c<001><002>" for number in range(2, 8)]


@pytest.mark.anyio
async def test_nothing_that_a_page_or_a_task_says_becomes_a_place():
    dialog = Dialog("confirm", "Really <057><058>?")
    task = msgspec.structs.replace(TASK, instruction="Click <057><058> now")
    asked = await prompts(look(1), look(2, dialog=dialog), replies=("<057>>s<056><007>go",), task=task)
    text = asked[1].messages[0].text
    assert re.findall(r"<\d{3}>", text) == []
    assert 'confirm: "Really < 057>< 058>?"' in text


@pytest.mark.anyio
async def test_what_was_typed_shows_without_its_tokens():
    asked = await prompts(look(1), look(2), replies=("Box>s<056><007>go <060>",))
    assert asked[1].messages[0].text.endswith("\n\nBox>s<056><007>go < 060>")
