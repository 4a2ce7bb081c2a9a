"""What an oracle does with the kit's controls, whatever it finds in them."""

from __future__ import annotations

import pytest

from webgym.records.observation import Box, Element
from webgym_hermetic import controls
from webgym_hermetic.catalogue import site
from webgym_hermetic.view import Tap, View, Write

BOX = Box(0, 0, 10, 10)


def view(url: str = "http://x.localhost/", *elements: Element) -> View:
    return View(site=site("shop", 0), world=None, state=None, visits=(), url=url, elements=elements)


def stepper(value: str) -> View:
    keys = ("field:guests", "step:guests:more", "step:guests:less")
    return view("http://x.localhost/", *(Element(key=key, tag="input", text="", box=BOX, value=value) for key in keys))


@pytest.mark.parametrize(("value", "way"), [("1", "more"), ("", "more"), ("5", "less")])
def test_a_number_is_stepped_towards_what_is_wanted(value: str, way: str):
    intent = controls.count(stepper(value), "guests", 3)
    assert isinstance(intent, Tap)
    assert intent.element.key == f"step:guests:{way}"


@pytest.mark.parametrize("value", ["test", "-1", "2.5", "\u00b2"])
def test_what_is_no_number_is_written_over(value: str):
    intent = controls.count(stepper(value), "guests", 3)
    assert isinstance(intent, Write)
    assert intent.text == "3"


def test_a_number_that_is_right_is_left_alone():
    assert controls.count(stepper("3"), "guests", 3) is None


@pytest.mark.parametrize(("query", "page"), [("", 1), ("?page=4", 4), ("?page=test", 1), ("?page=" + "9" * 5000, 1)])
def test_the_page_of_a_list_is_read_from_the_address_if_it_can_be(query: str, page: int):
    assert view(f"http://x.localhost/list{query}").page == page
