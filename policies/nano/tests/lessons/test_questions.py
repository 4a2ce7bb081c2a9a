"""Questions about a page have the answers that are on it."""

from __future__ import annotations

import re
from collections import Counter

from policies.nano.tests.lessons.pages import element, line, observation

from webgym.agent.dialects.nano import NANO, cell_of
from webgym.records.action import Answer, Click, Point, Select, TypeText
from webgym.records.decision import Decision
from webgym.records.lesson import Question
from webgym.records.observation import Box, Observation
from webgym.records.prompt import Completion
from webgym.rng import Rng
from webgym_nano.lessons.agent_settings import VIEWPORT
from webgym_nano.lessons.questions import LONGEST, MOST, questions_about

PLACE = r"<\d{3}><\d{3}>"
PAGE = observation(
    (
        element("Menu", (10, 8, 30, 30), "button", key="open:nav"),
        element("Search", (100, 8, 200, 30), "input", key="field:q", type="text", value="wool"),
        element("Sort", (300, 60, 80, 30), "select", key="choice:sort", value="new", options={"new": "Newest"}),
        element("Gift wrap", (10, 60, 20, 20), "input", type="checkbox", checked=True),
        element("Buy", (10, 100, 60, 30), "button"),
        element("Buy", (10, 200, 60, 30), "button"),
        element("Out of reach", (10, 150, 60, 30), point=None),
        element("Mostly below", (10, 310, 60, 60)),
    ),
    (
        line("Moor hat", 100, 100),
        line("$12.50", 200, 100, item="Moor hat"),
        line("Weight", 100, 130),
        line("300 g", 200, 130, label="Weight"),
        line("Jan 5, 2026", 100, 160, item="Moor hat"),
        line("23 reviews", 200, 160, item="Moor hat"),
        line("Far below", 100, 900, shown=False, label="Where"),
        line("A sentence that is much too long to be read out as an answer", 10, 240),
        line("Print <057> here", 100, 260),
    ),
)


def asked(seen: Observation, seeds: int = 30) -> list[Question]:
    return [one for seed in range(seeds) for one in questions_about(seen, Rng("test", seed))]


def test_there_are_at_least_eight_and_no_more_than_allowed():
    for seed in range(20):
        found = questions_about(PAGE, Rng("test", seed))
        counts = Counter(one.kind for one in found)
        assert len(found) >= 8
        assert set(counts) == set(MOST)
        assert all(counts[kind] <= most for kind, most in MOST.items())
        assert len({one.ask for one in found}) == len(found)


def test_the_same_seed_asks_the_same():
    assert questions_about(PAGE, Rng("a")) == questions_about(PAGE, Rng("a"))
    assert questions_about(PAGE, Rng("a")) != questions_about(PAGE, Rng("b"))


def test_where_something_is_can_be_carried_out_inside_of_its_box():
    found = [one for one in asked(PAGE) if one.kind == "where"]
    for one in found:
        choice = NANO.parse(Completion(one.reply), PAGE)
        assert isinstance(choice, Decision), one
        assert isinstance(choice.action, Click | TypeText | Select)
        target = choice.action.target
        assert isinstance(target, Point)
        assert one.box is not None
        left, top, right, bottom = one.box
        assert left <= target.x <= right
        assert top <= target.y <= bottom
        assert choice.sentence in one.ask
    names = {one.reply.partition(">")[0] for one in found}
    assert {"Menu", "Search", "Sort", "Moor hat"} <= names
    assert not {"Buy", "Out of reach", "Mostly below", "Far below"} & names


def test_values_are_asked_for_by_what_names_them():
    values = {
        (re.sub(r"^(what is the|tell me the) |\?$", "", one.ask), re.sub(PLACE, "", one.reply)) for one in asked(PAGE)
    }
    assert ("Weight", ">a300 g") in values
    assert ("price of Moor hat", ">a$12.50") in values
    assert ("date of Moor hat", ">aJan 5, 2026") in values
    assert ("reviews of Moor hat", ">a23 reviews") in values
    assert ("what is in Search", ">awool") in values
    assert ("what is in Sort", ">aNewest") in values
    assert ("is Gift wrap on", ">ayes") in values
    assert ("right of Moor hat", ">a$12.50") in values
    assert ("below Moor hat", ">aWeight") in values
    assert not any("Where" in ask for ask, _ in values)


def test_a_value_is_pointed_at_before_it_is_told():
    values = [one for one in asked(PAGE) if one.kind == "value"]
    assert values
    for one in values:
        choice = NANO.parse(Completion(one.reply), PAGE)
        assert isinstance(choice, Decision)
        assert isinstance(choice.action, Answer)
        assert one.reply == NANO.say(Decision(choice.action, _box(one.box)), PAGE)


def _box(corners: tuple[int, int, int, int] | None) -> Box:
    assert corners is not None
    left, top, right, bottom = corners
    return Box(left, top, right - left, bottom - top)


def test_places_in_questions_are_on_what_is_asked_about():
    for one in asked(PAGE):
        if one.kind in ("what", "text"):
            place = re.search(r"<(\d{3})><(\d{3})>$", one.ask)
            assert place is not None
            assert one.box is not None
            left, top, right, bottom = one.box
            first, last = cell_of(Point(left, top), VIEWPORT), cell_of(Point(right - 1, bottom - 1), VIEWPORT)
            assert first[0] <= int(place[1]) <= last[0]
            assert first[1] <= int(place[2]) <= last[1]


def test_no_text_of_a_page_is_a_place_and_long_ones_are_not_read():
    for one in asked(PAGE):
        text = re.sub(r"(what is at |read )<\d{3}><\d{3}>$", "", one.ask) + re.sub(
            r">[ctoa]<\d{3}><\d{3}>", "", one.reply
        )
        assert not re.search(r"<\d{3}>", re.sub(r">s<\d{3}><\d{3}>", "", text)), one
        if one.kind in ("text", "value"):
            assert len(re.sub(rf"^>a{PLACE}", "", one.reply)) <= LONGEST


def test_an_empty_page_has_no_questions():
    assert questions_about(observation(), Rng("test")) == ()
