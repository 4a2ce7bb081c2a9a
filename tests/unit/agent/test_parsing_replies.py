"""Whatever a model writes becomes an action or a complaint it can read."""

from __future__ import annotations

import json
import random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.agent.samples import ACTIONS, SEEN, SEEN_WITH_MARKS, actions, at_marks, texts

from webgym.agent.dialects.dialect import Dialect, Inexpressible
from webgym.agent.dialects.registry import NAMES, dialect_named
from webgym.agent.dialects.spaces import ResizedPixels
from webgym.records.action import (
    Action,
    Answer,
    Back,
    Click,
    Drag,
    Hover,
    MarkRef,
    Point,
    Press,
    Scroll,
    TypeText,
    Upload,
    Wait,
)
from webgym.records.decision import Decision, MalformedReply
from webgym.records.observation import Observation, Viewport
from webgym.records.prompt import Completion, ToolCall

every_dialect = pytest.mark.parametrize("dialect", [dialect_named(name) for name in NAMES], ids=NAMES)
ELOQUENT = [name for name in NAMES if name != "nano"]
"""Those with words for every kind of action and every text; nano has tests of its own."""
COORDINATES = [name for name in ELOQUENT if "marks" not in name]
every_eloquent_dialect = pytest.mark.parametrize("dialect", [dialect_named(name) for name in ELOQUENT], ids=ELOQUENT)
QWEN3 = dialect_named("qwen3-vl")
THINKING = dialect_named("qwen3-vl-thinking")
MARKS = dialect_named("qwen3-vl-marks")
COMPACT = dialect_named("compact")
OPENAI = dialect_named("openai-computer")
ANTHROPIC = dialect_named("anthropic-computer")


def seen_by(dialect: Dialect) -> Observation:
    return SEEN_WITH_MARKS if dialect.look.marks else SEEN


def read(dialect: Dialect, text: str) -> Decision | MalformedReply:
    return dialect.parse(Completion(text), seen_by(dialect))


def decided(dialect: Dialect, text: str) -> Decision:
    choice = read(dialect, text)
    assert isinstance(choice, Decision), choice
    return choice


def qwen(**arguments: object) -> str:
    return f"<tool_call>{json.dumps({'name': 'computer_use', 'arguments': arguments})}</tool_call>"


def call(tool: str, arguments: object) -> Completion:
    return Completion("", calls=(ToolCall(tool, arguments if isinstance(arguments, str) else json.dumps(arguments)),))


def complaint(choice: Decision | MalformedReply) -> MalformedReply:
    assert isinstance(choice, MalformedReply), choice
    msgspec.msgpack.encode(choice)
    return choice


# -- any text ---------------------------------------------------------------------------------------------------------


@every_dialect
@given(text=st.text(max_size=300), reasoning=texts)
def test_any_text_gives_a_decision_or_a_complaint_that_can_be_stored(dialect: Dialect, text: str, reasoning: str):
    choice = dialect.parse(Completion(text, reasoning), seen_by(dialect))
    assert isinstance(choice, Decision | MalformedReply)
    msgspec.msgpack.encode(choice)
    msgspec.msgpack.encode(dialect.keep(Completion(text, reasoning)))
    if isinstance(choice, MalformedReply):
        assert choice.message


@every_eloquent_dialect
@given(data=st.data())
def test_a_damaged_reply_gives_a_decision_or_a_complaint(dialect: Dialect, data: st.DataObject):
    action = data.draw(st.sampled_from(ACTIONS))
    reply = dialect.say(Decision(action, sentence="Do it."), SEEN_WITH_MARKS)
    start = data.draw(st.integers(0, len(reply)))
    end = data.draw(st.integers(start, len(reply)))
    patch = data.draw(st.sampled_from(["", "{", '"', "}", "<tool_call>", "[[", "9" * 30, "1e999", "null", "\\ud83d"]))
    choice = read(dialect, reply[:start] + patch + reply[end:])
    assert isinstance(choice, Decision | MalformedReply)
    msgspec.msgpack.encode(choice)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=8,
)
ARGUMENTS = (
    "action type coordinate start_coordinate element_id text keys direction amount options url tab accept time x y "
    "button path scroll_x scroll_y scroll_direction scroll_amount duration seconds press_enter append"
).split()
NAMED = (
    "left_click click double_click drag left_click_drag mouse_move hover type key keypress scroll select_option select "
    "fill go_back navigate new_tab switch_tab close_tab answer_dialog wait answer screenshot zoom move"
).split()


@every_dialect
@given(
    tool=st.sampled_from(["computer_use", "web_interaction", "computer", "browser", "other"]),
    arguments=st.dictionaries(st.sampled_from(ARGUMENTS), json_values | st.sampled_from(NAMED), max_size=5),
    named=st.sampled_from(NAMED),
)
def test_any_arguments_give_a_decision_or_a_complaint(
    dialect: Dialect, tool: str, arguments: dict[str, object], named: str
):
    arguments = {"action": named, "type": named} | arguments
    for completion in (
        call(tool, arguments),
        Completion(f"<tool_call>{json.dumps({'name': tool, 'arguments': arguments})}"),
    ):
        choice = dialect.parse(completion, seen_by(dialect))
        assert isinstance(choice, Decision | MalformedReply)
        msgspec.msgpack.encode(choice)
        msgspec.msgpack.encode(dialect.keep(completion))


@every_dialect
@pytest.mark.parametrize(
    "text",
    [
        "<tool_call>" + "[" * 100_000,
        "<tool_call>" + '{"a":' * 50_000,
        '{"name":' * 20_000,
        "<tool_call>" * 20_000,
        " " * 200_000,
        "<think>" * 20_000,
        "Memory:" * 20_000,
        '"' + "\\" * 100_001,
        "click " + "9" * 100_000,
        '<tool_call>{"name": "computer_use", "arguments": {"action": "wait", "time": ' + "9" * 5000 + "}}",
        '<tool_call>{"name": "computer_use", "arguments": {"action": "answer", "text": "\\ud800"}}',
        '<tool_call>{"name": "computer_use", "arguments": {"action": "wait", "time": NaN}}',
    ],
    ids=lambda text: text[:20],
)
def test_hostile_texts_do_no_harm(dialect: Dialect, text: str):
    choice = read(dialect, text)
    assert isinstance(choice, Decision | MalformedReply)
    msgspec.msgpack.encode(choice)


# -- what is said can be read ------------------------------------------------------------------------------------------


def near(one: Action, other: Action, dialect: Dialect) -> bool:
    """Equal but for the rounding that the dialect's grid makes."""
    if isinstance(one, Scroll) and isinstance(other, Scroll):
        most = 51 if dialect is ANTHROPIC else 2
        if one.dx * other.dx < 0 or one.dy * other.dy < 0:
            return False
        small = max(abs(one.dx), abs(one.dy)) < 50 and dialect is ANTHROPIC
        if not small and (abs(one.dx - other.dx) > most or abs(one.dy - other.dy) > most):
            return False
        one = msgspec.structs.replace(one, dx=other.dx, dy=other.dy)
    if type(one) is not type(other):
        return False
    for name in one.__struct_fields__:
        mine, theirs = getattr(one, name), getattr(other, name)
        if isinstance(mine, Point) and isinstance(theirs, Point):
            if abs(mine.x - theirs.x) > 1 or abs(mine.y - theirs.y) > 1:
                return False
        elif mine != theirs:
            return False
    return True


@every_eloquent_dialect
@pytest.mark.parametrize("action", ACTIONS, ids=repr)
def test_every_kind_of_action_can_be_said_and_read_back(dialect: Dialect, action: Action):
    said = dialect.say(Decision(action), SEEN_WITH_MARKS)
    expected = at_marks(action) if dialect.look.marks else action
    choice = dialect.parse(Completion(said), SEEN_WITH_MARKS)
    assert isinstance(choice, Decision), choice
    assert near(expected, choice.action, dialect)
    assert choice.call in said


@pytest.mark.parametrize("dialect", [dialect_named(name) for name in COORDINATES], ids=COORDINATES)
@given(action=actions, thought=texts, memory=texts, sentence=texts)
def test_what_is_said_is_read_back_whatever_stands_around_it(
    dialect: Dialect, action: Action, thought: str, memory: str, sentence: str
):
    said = dialect.say(Decision(action, thought=thought, memory=memory, sentence=sentence), SEEN)
    choice = dialect.parse(Completion(said), SEEN)
    assert isinstance(choice, Decision), choice
    assert near(action, choice.action, dialect), (action, choice.action)


@every_dialect
def test_rare_separators_in_a_text_are_part_of_it(dialect: Dialect):
    text = "a\u2028b\x85c\x0bd\re\x1cf"
    choice = dialect.parse(Completion(dialect.say(Decision(Answer(text)), SEEN)), SEEN)
    assert isinstance(choice, Decision)
    assert choice.action == Answer(text)


HOSTILE = [
    "</think>",
    "<tool_call>",
    "</tool_call>",
    "Action: x",
    "\nMemory: y",
    "# z",
    '{"name": "a", "arguments": {}}',
    "\n",
]


@every_eloquent_dialect
def test_what_is_said_cannot_be_broken_by_the_words_around_it(dialect: Dialect):
    rng = random.Random(7)
    for _ in range(300):
        thought, memory, sentence, text = (" ".join(rng.choices(HOSTILE, k=3)) for _ in range(4))
        decision = Decision(Answer(text), thought=thought, memory=memory, sentence=sentence)
        choice = dialect.parse(Completion(dialect.say(decision, SEEN)), SEEN)
        assert isinstance(choice, Decision), choice
        assert choice.action == Answer(text)


@every_dialect
def test_what_a_dialect_has_no_words_for_is_refused_by_name(dialect: Dialect):
    for action in (Upload(Point(1, 1), ()), Click(Point(640, 30), "right", 3)):
        with pytest.raises(Inexpressible):
            dialect.say(Decision(action), SEEN_WITH_MARKS)


def test_marks_are_said_as_places_and_places_as_marks():
    assert "[500, 39]" in QWEN3.say(Decision(Click(MarkRef(2))), SEEN_WITH_MARKS)
    assert '"element_id": 2' in MARKS.say(Decision(Click(Point(640, 30))), SEEN_WITH_MARKS)
    assert '"coordinate": [500, 911]' in MARKS.say(Decision(Click(Point(640, 700))), SEEN_WITH_MARKS)
    with pytest.raises(Inexpressible, match="not in the observation"):
        QWEN3.say(Decision(Click(MarkRef(2))), SEEN)


MARKED = [
    ({"action": "hover", "element_id": 3}, Hover(MarkRef(3))),
    ({"action": "hover", "coordinate": [500, 500]}, Hover(Point(640, 384))),
    ({"action": "click", "element_id": None, "coordinate": [500, 500]}, Click(Point(640, 384))),
    ({"action": "click", "element_id": 3, "coordinate": [500, 500]}, Click(MarkRef(3))),
    ({"action": "drag", "start_element_id": 2, "coordinate": [0, 0]}, Drag(MarkRef(2), Point(0, 0))),
    ({"action": "drag", "start_coordinate": [0, 0], "element_id": 2}, Drag(Point(0, 0), MarkRef(2))),
    ({"action": "type", "coordinate": [500, 500], "text": "x"}, TypeText("x", Point(640, 384))),
    ({"action": "scroll", "coordinate": [500, 500], "direction": "down"}, Scroll(0, 576, Point(640, 384))),
]


@pytest.mark.parametrize(("arguments", "action"), MARKED)
def test_what_has_no_mark_can_be_named_by_its_place(arguments: dict[str, object], action: Action):
    text = json.dumps({"name": "web_interaction", "arguments": arguments})
    choice = MARKS.parse(Completion(f"Action: Do it.\n<tool_call>\n{text}\n</tool_call>"), SEEN_WITH_MARKS)
    assert isinstance(choice, Decision), choice
    assert choice.action == action


def test_a_place_that_is_none_is_not_taken_for_a_mark():
    text = json.dumps({"name": "web_interaction", "arguments": {"action": "click", "coordinate": [500]}})
    choice = MARKS.parse(Completion(f"<tool_call>\n{text}\n</tool_call>"), SEEN_WITH_MARKS)
    assert isinstance(choice, MalformedReply)
    assert "x from 0 to 1000" in choice.message


# -- coordinates ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "point"),
    [
        ([0, 0], Point(0, 0)),
        ([1000, 1000], Point(1279, 767)),
        ([999, 999], Point(1279, 767)),
        ([500, 500], Point(640, 384)),
        ([1, 1], Point(1, 1)),
        ([100.5, 39.0], Point(129, 30)),
        ([-5, 5000], Point(0, 767)),
        ([400, 100, 600, 300], Point(640, 154)),
        ([1e308, 1e308], Point(1279, 767)),
    ],
)
def test_thousandths_become_the_nearest_pixel_inside_of_the_viewport(written: list[float], point: Point):
    assert decided(QWEN3, qwen(action="left_click", coordinate=written)).action == Click(point)


@pytest.mark.parametrize(
    "coordinate", [None, [], [5], [1, 2, 3], "5, 5", [None, 3], ["1", "2"], [True, False], {"x": 1, "y": 2}, 5]
)
@pytest.mark.parametrize("action", ["left_click", "mouse_move", "select_option", "left_click_drag"])
def test_a_place_that_is_missing_or_unreadable_is_never_guessed(coordinate: object, action: str):
    arguments = {"action": action, "options": ["a"], "start_coordinate": [1, 1], "coordinate": coordinate}
    malformed = complaint(read(QWEN3, qwen(**arguments)))
    assert malformed.problem == "bad_argument"
    assert '"coordinate": [x, y]' in malformed.message
    assert "1000" in malformed.message


def test_a_drag_needs_both_ends():
    malformed = complaint(read(QWEN3, qwen(action="left_click_drag", coordinate=[5, 5])))
    assert '"start_coordinate": [x, y]' in malformed.message


def test_places_of_resized_pictures_are_in_pixels_of_the_resized_picture():
    dialect = dialect_named("qwen2.5-vl")
    # 1280 x 768 becomes 1288 x 756: the nearest multiples of 28.
    assert decided(dialect, qwen(action="left_click", coordinate=[1288, 756])).action == Click(Point(1279, 767))
    assert decided(dialect, qwen(action="left_click", coordinate=[644, 378])).action == Click(Point(640, 384))
    assert "1288 pixels wide and 756 pixels high" in dialect.system("vanilla-1", SEEN.viewport)


@pytest.mark.parametrize(
    ("viewport", "grid"),
    [
        (Viewport(1920, 1080), (1932, 1092)),
        (Viewport(1280, 768), (1288, 756)),
        (Viewport(448, 256), (448, 252)),
        (Viewport(20, 20), (56, 56)),
        (Viewport(5000, 4000), (4004, 3192)),
        (Viewport(42, 70), (56, 56)),
    ],
)
def test_pictures_are_resized_as_the_models_processor_does(viewport: Viewport, grid: tuple[int, int]):
    assert ResizedPixels()(viewport) == grid


def test_an_element_that_is_not_there_is_named_in_the_complaint():
    def reply(number: object) -> str:
        return f'<tool_call>{{"name": "web_interaction", "arguments": {{"action": "click", "element_id": {number}}}}}'

    assert decided(MARKS, reply(4)).action == Click(MarkRef(4))
    assert decided(MARKS, reply(4)).box == SEEN_WITH_MARKS.marks[3].box  # pyright: ignore[reportOptionalSubscript]
    assert "1 to 4" in complaint(read(MARKS, reply(9))).message
    for number in ("1.5", "null", '"2"', "true", "1e30"):
        assert complaint(read(MARKS, reply(number))).problem == "bad_argument"


# -- the parts of a reply ---------------------------------------------------------------------------------------------


def test_thought_sentence_call_and_memory_are_kept_apart():
    call_ = '{"name": "computer_use", "arguments": {"action": "wait"}}'
    reply = (
        '<think>It loads.\nPatience.</think>\nMemory: {"price": 3}\nmore of it\nProgress: {"find": "doing"}\n'
        f"Intention: wait\nAction: Wait for the page.\n<tool_call>\n{call_}\n</tool_call>"
    )
    assert decided(THINKING, reply) == Decision(
        Wait(1.0),
        sentence="Wait for the page.",
        thought='It loads.\nPatience.\nProgress: {"find": "doing"}\nIntention: wait',
        call=call_,
        memory='{"price": 3}\nmore of it',
    )


@pytest.mark.parametrize("nothing", ["{}", "none", "None.", "", "N/A"])
def test_a_memory_with_nothing_in_it_is_none(nothing: str):
    assert decided(QWEN3, f"Memory: {nothing}\nAction: Wait.\n{qwen(action='wait')}").memory == ""


def test_without_labels_the_last_line_is_the_sentence():
    decision = decided(QWEN3, f"The page is empty.\n\nI wait for it.\n{qwen(action='wait')}")
    assert (decision.sentence, decision.thought) == ("I wait for it.", "The page is empty.")


def test_labels_in_bold_are_labels():
    assert decided(QWEN3, f"**Action:** Wait.\n{qwen(action='wait')}").sentence == "Wait."


@pytest.mark.parametrize("opening", ["<think>", ""])
def test_a_call_inside_of_a_thought_is_no_call(opening: str):
    reply = f"{opening}I could {qwen(action='go_back')} or wait.</think>\n{qwen(action='wait')}"
    decision = decided(THINKING, reply)
    assert decision.action == Wait(1.0)
    assert "go_back" in decision.thought
    assert THINKING.keep(Completion(reply)) == qwen(action="wait")


def test_a_thought_that_never_ends_holds_no_action():
    malformed = complaint(read(THINKING, f"<think>I could {qwen(action='go_back')}"))
    assert malformed.problem == "empty"
    assert "go_back" in malformed.thought
    assert THINKING.keep(Completion("<think>and so on")) == ""


def test_thoughts_that_the_server_gives_apart_are_thoughts():
    choice = THINKING.parse(Completion(qwen(action="wait"), reasoning="Patience."), SEEN)
    assert choice.thought == "Patience."


def test_special_tokens_of_a_reply_do_not_come_back_in_later_prompts():
    kept = QWEN3.keep(Completion(f"<|im_end|><|image_pad|> <image>\n{qwen(action='wait')}"))
    assert "<|" not in kept
    assert "<image>" not in kept
    assert "<tool_call>" in kept


# -- calls ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "problem", "says"),
    [
        ("", "empty", "left_click"),
        ("  \n", "empty", "<tool_call>"),
        ("I think I should click.", "no_call", '"name": "computer_use"'),
        (qwen(action="wait") * 2, "several_calls", "exactly one"),
        ('<tool_call>{"name": "computer_use", "arguments": {"action": "wait"}', "bad_json", "at character"),
        ("<tool_call>wait</tool_call>", "bad_json", "wait"),
        ("<tool_call>[1]</tool_call>", "bad_json", "JSON object"),
        ('<tool_call>{"name": "computer_use", "arguments": [1]}</tool_call>', "bad_argument", '{"name": ...'),
        ('<tool_call>{"action": "wait"}</tool_call>', "bad_argument", '{"name": ...'),
        ('<tool_call>{"name": "click", "arguments": {}}</tool_call>', "unknown_action", "computer_use"),
        (qwen(action="tap"), "unknown_action", "left_click, double_click"),
        (qwen(), "unknown_action", '"action" is missing'),
        (qwen(action="type", coordinate=[1, 1]), "bad_argument", '"text"'),
        (qwen(action="key", keys=[]), "bad_argument", '"keys"'),
        (qwen(action="scroll"), "bad_argument", "up, down, left, right"),
        (qwen(action="scroll", direction="down", amount=-3), "bad_argument", '"amount"'),
        (qwen(action="switch_tab", tab=1.5), "bad_argument", "whole number"),
        (qwen(action="answer_dialog", accept="yes"), "bad_argument", "true or false"),
        (qwen(action="answer"), "bad_argument", '"text"'),
    ],
)
def test_a_complaint_says_what_is_wrong_and_what_would_be_right(reply: str, problem: str, says: str):
    malformed = complaint(read(QWEN3, reply))
    assert malformed.problem == problem
    assert says in malformed.message


def test_a_call_survives_tags_and_line_breaks_in_its_texts():
    text = "a </tool_call> <tool_call>\nb"
    body = json.dumps({"name": "computer_use", "arguments": {"action": "answer", "text": text}}).replace("\\n", "\n")
    assert decided(QWEN3, f"<tool_call>{body}</tool_call>").action == Answer(text)


@pytest.mark.parametrize("end", ["", "</tool_call>", "\n</tool_call>\n", "}</tool_call>"])
def test_the_end_of_a_call_is_where_its_json_ends(end: str):
    assert decided(QWEN3, qwen(action="wait").removesuffix("</tool_call>") + end).action == Wait(1.0)


def test_arguments_written_as_text_are_read():
    body = json.dumps({"name": "computer_use", "arguments": json.dumps({"action": "go_back"})})
    assert decided(QWEN3, f"<tool_call>{body}</tool_call>").action == Back()


def test_calls_that_the_server_parsed_are_read_in_every_dialect_of_calls():
    choice = QWEN3.parse(call("computer_use", {"action": "wait", "time": 3}), SEEN)
    assert isinstance(choice, Decision)
    assert choice.action == Wait(3.0)
    assert '"time": 3' in QWEN3.keep(call("computer_use", {"action": "wait", "time": 3}))


@pytest.mark.parametrize(
    ("arguments", "action"),
    [
        ({"type": "click", "x": 10, "y": 20}, Click(Point(10, 20))),
        ({"type": "click", "x": 10, "y": 20, "button": "wheel"}, Click(Point(10, 20), "middle")),
        ({"type": "click", "button": "back"}, Back()),
        ({"type": "click", "x": 1, "y": 2, "keys": ["CTRL"]}, Click(Point(1, 2), modifiers=("Control",))),
        ({"type": "double_click", "x": 9999, "y": -4}, Click(Point(1279, 0), count=2)),
        ({"type": "drag", "path": [[1, 2], [3, 4], {"x": 5, "y": 6}]}, Drag(Point(1, 2), Point(5, 6))),
        ({"type": "keypress", "keys": ["CTRL", "A"]}, Press(("CTRL", "a"))),
        ({"type": "move", "x": 3, "y": 4}, Hover(Point(3, 4))),
        ({"type": "scroll", "x": 5, "y": 6, "scroll_x": 0, "scroll_y": -120}, Scroll(0, -120, Point(5, 6))),
        ({"type": "type", "text": "hi"}, TypeText("hi", mode="append")),
        ({"type": "wait"}, Wait(1.0)),
    ],
)
def test_openai_computer_calls_are_read(arguments: dict[str, object], action: Action):
    choice = OPENAI.parse(call("computer", arguments), SEEN)
    assert isinstance(choice, Decision), choice
    assert choice.action == action
    written = json.dumps({"name": "computer", "arguments": arguments})
    for text in (written, f"Action: go\n```json\n{written}\n```"):
        assert decided(OPENAI, text).action == action


@pytest.mark.parametrize(
    ("arguments", "action"),
    [
        ({"action": "left_click", "coordinate": [10, 20]}, Click(Point(10, 20))),
        (
            {"action": "left_click", "coordinate": [1, 2], "text": "ctrl+shift"},
            Click(Point(1, 2), modifiers=("Control", "Shift")),
        ),
        ({"action": "triple_click", "coordinate": [1, 2]}, Click(Point(1, 2), count=3)),
        ({"action": "key", "text": "ctrl+a"}, Press(("ctrl", "a"))),
        ({"action": "key", "text": "plus"}, Press(("+",))),
        ({"action": "scroll", "scroll_direction": "up", "scroll_amount": 3}, Scroll(0, -300)),
        (
            {"action": "left_click_drag", "start_coordinate": [1, 2], "coordinate": [3, 4]},
            Drag(Point(1, 2), Point(3, 4)),
        ),
        ({"action": "wait", "duration": 2}, Wait(2.0)),
    ],
)
def test_anthropic_computer_calls_are_read(arguments: dict[str, object], action: Action):
    choice = ANTHROPIC.parse(call("computer", arguments), SEEN)
    assert isinstance(choice, Decision), choice
    assert choice.action == action


@pytest.mark.parametrize("dialect", [OPENAI, ANTHROPIC], ids=["openai", "anthropic"])
def test_computer_use_models_are_told_what_is_wrong(dialect: Dialect):
    key = "type" if dialect is OPENAI else "action"
    cases = {
        "not needed": call("computer", {key: "screenshot"}),
        "needs": call("computer", {key: "scroll"}),
        "the actions of computer": call("computer", {key: "tap"}),
        "computer or browser": call("keyboard", {}),
        "not valid JSON": call("computer", "{oops"),
        "call one of your tools": Completion("I would click."),
        "several tool calls": Completion("", calls=call("browser", {}).calls * 2),
    }
    for says, completion in cases.items():
        assert says in complaint(dialect.parse(completion, SEEN)).message


# -- compact ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("click 500 500", Click(Point(640, 384))),
        ("click 1200 -3", Click(Point(1279, 0))),
        ('type 500 500 "hats" enter', TypeText("hats", Point(640, 384), submit=True)),
        ('add "a\\nb"', TypeText("a\nb", mode="append")),
        ("scroll down", Scroll(dy=576)),
        ("scroll 500 500 up 250", Scroll(dy=-192, target=Point(640, 384))),
        ('answer "12.50 \\"each\\""', Answer('12.50 "each"')),
        ('# seen: 3\n\n press   Control  "a"', Press(("Control", "a"))),
    ],
)
def test_compact_lines_are_read(line: str, action: Action):
    assert decided(COMPACT, line).action == action


@pytest.mark.parametrize(
    ("line", "problem", "says"),
    [
        ("", "empty", "click 500 300"),
        ("# only a note", "empty", "no action"),
        ("click 1 2\nclick 3 4", "several_calls", "2 lines"),
        ("tap 1 2", "unknown_action", "click, double"),
        ("click", "bad_argument", "click X Y"),
        ("click 5", "bad_argument", "click X Y"),
        ("click 5 five", "bad_argument", "click X Y"),
        ("click 5 5 5", "bad_argument", "5 is too much"),
        ("answer twelve", "bad_argument", 'answer "text"'),
        ('answer "twelve', "bad_json", "between"),
        ('answer "\\x"', "bad_json", "JSON"),
        ("scroll 500", "bad_argument", "down"),
        ("tab 1.5", "bad_argument", "tab 2"),
    ],
)
def test_compact_lines_that_cannot_be_read_are_complained_about(line: str, problem: str, says: str):
    malformed = complaint(read(COMPACT, line))
    assert malformed.problem == problem
    assert says in malformed.message


def test_a_compact_note_is_the_memory():
    assert decided(COMPACT, "# hats cost 3\nback").memory == "hats cost 3"
    assert COMPACT.say(Decision(Back(), memory="hats\ncost 3"), SEEN) == "# hats cost 3\nback"
