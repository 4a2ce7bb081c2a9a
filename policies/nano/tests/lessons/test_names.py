"""What elements are called, and where a click on them may go."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from policies.nano.tests.lessons.pages import element, line

from webgym.agent.dialects.nano import MOST_NAME
from webgym.records.action import Point
from webgym.records.observation import Box, Element, TextLine
from webgym_nano.lessons.agent_settings import VIEWPORT
from webgym_nano.lessons.names import aim_box, element_at, element_of, name_among, name_of

BOX = (10.0, 10.0, 40.0, 20.0)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        (element("Add to basket", BOX), "Add to basket"),
        (element("Your Spoke & Chain order 21-1824 has shipped", BOX), "Your Spoke & Chain order 21-"),
        (element("", BOX, "button", key="open:nav"), "open nav"),
        (element("", BOX, href="/compose"), "compose"),
        (element("3", BOX, href="/list?page=3"), "3"),
        (element("Follow", BOX, "button", key="do:follow:moss51"), "Follow moss51"),
        (element("More", BOX, "button", key="step:count:more"), "More"),
        (element("Sort", BOX, "select", key="choice:sort"), "Sort"),
        (element("", BOX, "select", key="choice:sort"), "sort"),
        (element("", BOX), ""),
        (element("<057>", BOX), "057"),
    ],
)
def test_an_element_is_called_what_it_shows_or_what_it_is_for(given: Element, name: str):
    assert name_of(given) == name


def test_a_card_goes_by_the_line_that_the_task_is_about():
    card = element("ada · Workshop Apr 17 Creaking noise EVT-110", (0, 100, 400, 60))
    lines = (line("ada · Workshop Apr 17", 10, 105), line("Creaking noise", 10, 125), line("EVT-110", 200, 125))
    assert name_among(card, lines, "Open “Creaking noise” please") == "Creaking noise"
    assert name_among(card, lines, "Close EVT-110.") == "EVT-110"
    assert name_among(card, lines[1:2], "Anything") == name_of(card)


def test_an_icon_does_not_go_by_a_user_name_that_nobody_can_see():
    menu, link = element("mesh84", BOX, "button", key="open:account"), element("mesh84", BOX, href="/member/mesh84")
    assert name_among(menu, (), "Change my signature") == "open account"
    assert name_among(link, (), "Change my signature") == "profile"
    assert name_among(link, (), "Follow mesh84") == "mesh84"
    assert name_among(link, (line("mesh84", 12, 12),), "Anything") == "mesh84"
    sentence = TextLine("by mesh84 on Tuesday, after a long while", Box(0, 10, 400, 20), shown=True)
    assert name_among(link, (sentence,), "Anything") == "mesh84"
    assert name_among(element("search", BOX, "input", key="field:q"), (), "Anything") == "search"
    assert name_among(element("Menu", BOX, "button", key="open:nav"), (), "Anything") == "Menu"


@given(st.text(max_size=80), st.text(max_size=40), st.text(max_size=40), st.sampled_from(["a", "button", "select"]))
def test_a_name_is_short_and_without_brackets(text: str, key: str, href: str, tag: str):
    name = name_of(element(text, BOX, tag, key=key, href=href))
    assert len(name) <= MOST_NAME
    assert "\n" not in name
    assert not {"<", ">"} & set(name)


def test_the_smallest_element_around_a_point_is_meant():
    card, button = element("Card", (0, 0, 200, 200)), element("Buy", (50, 50, 40, 20))
    away = element("Away", (55, 55, 5, 5), point=None)
    assert element_at([card, button, away], Point(60, 60)) is button
    assert element_at([card, button], Point(150, 150)) is card
    assert element_at([card, button], Point(300, 300)) is None
    assert element_of([card, button], card.box, Point(100, 100)) is card


def test_a_box_to_aim_at_has_the_point_in_its_middle_and_stays_in_sight():
    assert aim_box(Box(10, 10, 40, 20), Point(29, 19), VIEWPORT) == (10, 10, 49, 29)
    left, top, right, bottom = aim_box(Box(400, 300, 100, 100), Point(423, 309), VIEWPORT)
    assert (left, top) >= (400, 300)
    assert right <= 448
    assert bottom <= 320
    assert abs((left + right) / 2 - 423) <= 1
