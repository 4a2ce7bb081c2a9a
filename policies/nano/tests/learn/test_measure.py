"""Figures count what an attempt would have noticed: the verb, a place in the box, every letter of a text."""

from __future__ import annotations

import pytest

from webgym_nano.learn.measure import _Asked, _Count, rate
from webgym_nano.learn.replies import Said, inside, read_decision, read_place
from webgym_nano.learn.segments import Kind

BOX = (200, 20, 280, 40)


def counted(kind, verb, right, said, box=BOX):
    count = _Count()
    count.add(_Asked(kind, verb, right, box), said, 4.0)
    return {name: (found.successes, found.attempts) for name, found in count.rates().items()}


def test_replies_are_taken_apart():
    assert read_decision("Search>s<056><007>wool > hats") == Said("s", (56, 7), "wool > hats")
    assert read_decision(">a12.50") == Said("a", None, "12.50")
    assert read_decision("Menu>d") == Said("d", None, "")
    assert read_decision("no verb") == Said("", None, "")
    assert read_place("Menu>c<006><005>") == (6, 5)
    assert read_place("Menu>c<006>") is None


def test_a_cell_is_in_a_box_if_its_middle_is():
    assert inside((50, 5), BOX, 4.0)
    assert not inside((49, 5), BOX, 4.0)
    assert not inside((50, 10), BOX, 4.0)
    assert not inside(None, BOX, 4.0)


@pytest.mark.parametrize(
    ("said", "verb", "place", "whole"),
    [
        ("Menu>c<056><007>", 1, 1, 1),
        ("Another name>c<069><005>", 1, 1, 1),
        ("Menu>c<090><007>", 1, 0, 0),
        ("Menu>t<056><007>x", 0, 0, 0),
        ("Menu>c<056><007>x", 1, 1, 0),
        ("", 0, 0, 0),
    ],
)
def test_a_click_is_right_anywhere_in_its_box(said, verb, place, whole):
    found = counted(Kind.POLICY, "click", "Menu>c<056><007>", said)
    assert found == {
        "click: verb": (verb, 1),
        "click: place": (place, 1),
        "click: whole": (whole, 1),
        "decisions": (whole, 1),
    }


def test_texts_are_right_to_the_letter():
    typed = counted(Kind.POLICY, "submit", "Search>s<056><007>wool hats", "Search>s<056><007>wool hat")
    assert typed["submit: text"] == typed["submit: whole"] == typed["decisions"] == (0, 1)
    assert typed["submit: place"] == (1, 1)
    told = counted(Kind.ANSWER, "answer", ">a12.50", ">a12.50", None)
    assert told == {"answer: verb": (1, 1), "answer: text": (1, 1), "answer: whole": (1, 1), "decisions": (1, 1)}
    told = counted(Kind.ANSWER, "answer", ">a<056><007>12.50", ">a<001><007>12.50")
    assert (told["answer: place"], told["answer: whole"]) == ((0, 1), (1, 1))
    assert counted(Kind.TEXT, "", "Shop beds", "Shop bed") == {"reading": (0, 1), "reading: text": (0, 1)}
    assert counted(Kind.VALUE, "", ">a<056><007>yes", ">a<001><002>yes") == {
        "reading": (1, 1),
        "reading: value": (1, 1),
    }


def test_named_things_are_clicked_or_written_into():
    assert counted(Kind.WHERE, "", "Menu>c<056><007>", "Men>c<057><006>") == {"named clicks": (1, 1)}
    assert counted(Kind.WHERE, "", "Menu>c<056><007>", "Menu>c<057>") == {"named clicks": (0, 1)}
    assert counted(Kind.WHERE, "", "Name>t<056><007>ab", "Name>t<056><007>ab") == {"named acts": (1, 1)}
    assert counted(Kind.WHERE, "", "Name>t<056><007>ab", "Name>s<056><007>ab") == {"named acts": (0, 1)}


def test_rates_come_with_their_intervals():
    found = rate(90, 100)
    assert (found.rate, round(found.low, 3), round(found.high, 3)) == (0.9, 0.826, 0.945)
    assert rate(0, 0).attempts == 0
