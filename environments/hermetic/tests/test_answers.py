"""Whether an answer says something."""

from __future__ import annotations

import pytest

from webgym_hermetic.answers import says_date, says_number, says_text


@pytest.mark.parametrize("answer", ["It costs $1,299.00.", "1299", "the price is 1299.00 dollars", "$1299, I think"])
def test_a_number_is_found_in_every_usual_spelling(answer: str):
    assert says_number(answer, 1299)


@pytest.mark.parametrize("answer", ["12990", "129.9", "1,299.50", "A1299", "", "about 1.299.000"])
def test_a_number_that_only_looks_similar_is_not_it(answer: str):
    assert not says_number(answer, 1299)


def test_naming_a_rival_number_too_is_no_answer():
    assert says_number("It is 24.99", 24.99, rivals=(29.99,))
    assert not says_number("It is 24.99 or 29.99", 24.99, rivals=(29.99,))


def test_names_are_found_whatever_their_case_and_punctuation():
    assert says_text("The seller is o'brien & sons.", "O\u2019Brien & Sons")
    assert says_text("Ridgeway Lamp (Teal)", "ridgeway lamp, teal")
    assert not says_text("Ridgeway Lampshade", "Ridgeway Lamp")


def test_naming_a_rival_too_is_no_answer_unless_it_is_part_of_the_name():
    assert not says_text("Ridgeway Lamp or Harbour Lamp", "Ridgeway Lamp", rivals=("Harbour Lamp",))
    assert says_text("The Ridgeway Lamp Mini", "Ridgeway Lamp Mini", rivals=("Ridgeway Lamp",))
    assert not says_text("Ridgeway Lamp Mini, not the Ridgeway Lamp", "Ridgeway Lamp Mini", rivals=("Ridgeway Lamp",))


@pytest.mark.parametrize(
    "answer",
    ["2026-03-14", "March 14, 2026", "on 14 March", "Mar 14th", "14th of March 2026", "03/14/2026", "Sat, Mar 14."],
)
def test_a_date_is_found_in_every_usual_spelling(answer: str):
    assert says_date(answer, "2026-03-14")


@pytest.mark.parametrize("answer", ["March 4", "March 140", "April 14", "2026-03-15", "14"])
def test_another_date_is_not_it(answer: str):
    assert not says_date(answer, "2026-03-14")
