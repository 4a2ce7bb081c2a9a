"""Oracles' decisions as someone takes them who sees only the screen."""

from __future__ import annotations

import msgspec
from policies.nano.tests.lessons.pages import element, line, observation

from webgym.records.action import Action, Answer, Back, Click, Hover, Navigate, Point, Scroll, Select, TypeText, Wait
from webgym.records.decision import Decision
from webgym.records.observation import Box, Element
from webgym_nano.lessons.answers import Said
from webgym_nano.lessons.decisions import answered, as_seen

SEARCH = element("Search", (100, 8, 120, 30), "input", key="field:q", type="text")
PICTURE = element("", (10, 60, 80, 80), href="/product/7")
TITLE = element("Moor hat", (100, 70, 90, 18), href="/product/7")
SORT = element(
    "Sort", (300, 60, 80, 30), "select", key="choice:sort", value="new", options={"new": "Newest", "low": "Cheapest"}
)
SEEN = observation((SEARCH, PICTURE, TITLE, SORT))


def on(action: Action, target: Element) -> Decision:
    return Decision(action, target.box, f"click {target.text!r}")


def middle(target: Element) -> Point:
    assert target.point is not None
    return target.point


def test_a_click_is_named_after_what_it_is_on():
    told = as_seen(on(Click(middle(TITLE)), TITLE), SEEN)
    assert told is not None
    assert (told.action, told.sentence) == (Click(middle(TITLE)), "Moor hat")
    assert told.box == Box(101, 71, 89, 17)


def test_a_link_is_clicked_on_its_text_not_on_its_picture():
    told = as_seen(on(Click(middle(PICTURE)), PICTURE), SEEN)
    assert told is not None
    assert (told.action, told.sentence) == (Click(middle(TITLE)), "Moor hat")


def test_an_option_is_chosen_by_what_it_is_called():
    told = as_seen(on(Select(middle(SORT), ("low",)), SORT), SEEN)
    assert told is not None
    assert told.action == Select(middle(SORT), ("Cheapest",))


def test_texts_are_typed_as_they_are_if_they_stand_on_one_line():
    action = TypeText("wool hats", middle(SEARCH), submit=True)
    told = as_seen(on(action, SEARCH), SEEN)
    assert told is not None
    assert (told.action, told.sentence) == (action, "Search")
    assert as_seen(on(msgspec.structs.replace(action, text="two\nlines"), SEARCH), SEEN) is None


def test_scrolls_have_one_size_and_say_what_is_sought():
    seeking = Decision(Scroll(dy=77), sentence="scroll to 'Moor hat'")
    assert as_seen(seeking, SEEN, instruction="Buy a “Moor hat”.") == Decision(Scroll(dy=240), sentence="Moor hat")
    part = "Buy the Moor"
    assert as_seen(seeking, SEEN, instruction=part) == Decision(Scroll(dy=240), sentence="Moor")
    # What nobody can know before it is in sight is not named.
    assert as_seen(seeking, SEEN, instruction="Buy the cheapest one.") == Decision(Scroll(dy=240))
    field = Decision(Scroll(dy=77), sentence="scroll to 'Search'")
    assert as_seen(field, SEEN, instruction="Find it.") == Decision(Scroll(dy=240), sentence="Search")
    told = as_seen(Decision(Scroll(dx=30, dy=-300)), SEEN)
    assert told == Decision(Scroll(dy=-240))
    assert as_seen(Decision(Scroll(dx=30)), SEEN) is None


def test_a_part_of_the_page_is_scrolled_where_it_is():
    frame = Box(0, 40, 250, 280)
    far = element("Settings", (10, 400, 200, 30), point=None, scroller=frame)
    told = as_seen(
        Decision(Scroll(dy=210, target=Point(130, 188)), sentence="scroll to 'Settings'"), observation((far,))
    )
    assert told is not None
    assert (told.action, told.sentence) == (Scroll(dy=128, target=Point(130, 188)), "Settings")
    assert told.box is not None
    assert told.box.x >= 0
    assert told.box.y >= 40


def test_what_keeps_the_page_from_moving_is_closed():
    closer = element("Accept all", (350, 270, 80, 30), "button", key="dismiss:cookies")
    seen = observation((TITLE, closer))
    scroll = Decision(Scroll(dy=200), sentence="scroll to 'x'")
    told = as_seen(scroll, seen, unmoved=True)
    assert told is not None
    assert (told.action, told.sentence) == (Click(middle(closer)), "Accept all")
    assert as_seen(scroll, seen) == Decision(Scroll(dy=240))


def test_the_way_home_and_the_way_back():
    assert as_seen(Decision(Navigate("http://shop.localhost/")), SEEN) == Decision(Navigate("http://shop.localhost/"))
    assert as_seen(Decision(Navigate("http://shop.localhost/")), observation(url="http://else.test/x")) == Decision(
        Back()
    )
    assert as_seen(Decision(Wait(2.0)), SEEN) == Decision(Wait(0.5))
    assert as_seen(Decision(Hover(Point(1, 1))), SEEN) is None


def test_an_answer_is_given_where_it_can_be_read_and_looked_for_where_it_cannot():
    assert answered(Said("Done", visible=True), SEEN) == Decision(Answer("Done"))
    there = line("$5", 10, 40)
    assert answered(Said("$5", visible=True, at=there), SEEN) == Decision(Answer("$5"), there.box)
    below = line("$5", 10, 500, shown=False, label="Price")
    assert answered(Said("$5", visible=False, away=below), SEEN) == Decision(Scroll(dy=240), sentence="Price")
    above = line("$5", 10, -90, shown=False)
    assert answered(Said("$5", visible=False, away=above), SEEN) == Decision(Scroll(dy=-240))
    assert answered(Said("$5", visible=False), SEEN) is None


def test_a_search_is_for_what_the_task_quotes():
    task = "Like the comment on “Ida Deacon breaks the record” by Greta Holt"
    few = on(TypeText("ida deacon breaks", middle(SEARCH), submit=True), SEARCH)
    told = as_seen(few, SEEN, instruction=task)
    assert told is not None
    assert told.action == TypeText("Ida Deacon breaks the record", middle(SEARCH), submit=True)
    again = observation((SEARCH,), url="http://shop.localhost/search?q=Ida+Deacon+breaks+the+record")
    told = as_seen(few, again, instruction=task)
    assert told is not None
    assert told.action == few.action


def test_something_half_covered_is_aimed_at_away_from_what_covers_it():
    half = element("Your reply", (20, 230, 400, 60), "textarea", key="field:text", point=Point(220, 245))
    told = as_seen(Decision(TypeText("Hello", Point(220, 245)), half.box), observation((half,)))
    assert told is not None
    assert told.action == TypeText("Hello", Point(220, 241))
    assert told.box is not None
    assert told.box.y + told.box.height < 260
