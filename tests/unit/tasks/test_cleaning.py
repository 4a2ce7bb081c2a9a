"""Cleaning takes out what should not be there, and says why."""

from __future__ import annotations

import datetime as dt
import itertools

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.tasks.rows import facts, row

from webgym.records.task import FactGroup
from webgym.records.task_row import TaskRow
from webgym.tasks.clean.dates import ANSWER, made_relative, rubric_with_dates, with_dates
from webgym.tasks.clean.duplicates import find_duplicates
from webgym.tasks.clean.run import Cleaning, clean
from webgym.tasks.extra import extra_of
from webgym.tasks.sets import set_of
from webgym.tasks.similarity.fold import folded
from webgym.tasks.similarity.minhash import signatures_of, similar
from webgym.tasks.similarity.near import across
from webgym.tasks.similarity.shingles import FEWEST_WORDS, shingles_of
from webgym.tasks.task_from_row import task_of

TODAY = dt.date(2026, 5, 20)
LONG = "Find the cheapest red woollen hat of size nine that ships within two days and tell me who makes it"
words = st.lists(st.sampled_from("a b c d e f".split()), max_size=9)


def left(*rows: TaskRow, cleaning: Cleaning = Cleaning()) -> list[str]:
    return [one.task_id for one in clean(set_of("x", rows), TODAY, cleaning).tasks.rows()]


def test_case_punctuation_and_spaces_do_not_make_another_task():
    assert left(row("a", "Find  “Hats”!"), row("b", "find hats"), row("c", "find a hat")) == ["a", "c"]


def test_the_same_text_on_another_website_is_another_task_unless_said():
    rows = (row("a", LONG, "https://a.com/"), row("b", LONG, "https://b.com/"), row("c", LONG, "https://www.a.com/x"))
    assert left(*rows) == ["a", "b"]
    assert left(*rows, cleaning=Cleaning(any_website=True)) == ["a"]


def test_a_task_that_nobody_knows_the_website_of_is_the_same_as_one_that_has_it():
    assert left(row("a", LONG), row("b", LONG, "https://b.com/")) == ["b"]
    assert left(row("a", f"{LONG} please"), row("b", LONG, "https://b.com/")) == ["b"]


def test_of_two_the_one_with_a_rubric_stays():
    rows = (row("a", LONG, "https://a.com/", answer="x"), row("b", LONG.upper(), "https://a.com/", rubric=facts(2)))
    assert left(*rows) == ["b"]


def test_near_duplicates_go_and_are_told():
    found = clean(set_of("x", [row("a", LONG), row("b", f"{LONG} please", source="two")]), TODAY)
    [gone] = found.dropped
    assert (gone.task_id, gone.instead, gone.kind, gone.source, gone.instead_source) == ("b", "a", "near", "two", "one")
    assert gone.similarity == pytest.approx(19 / 20, abs=0.001)


def test_texts_that_differ_in_a_number_are_not_near_duplicates():
    assert left(row("a", f"{LONG} under 20 dollars"), row("b", f"{LONG} under 30 dollars")) == ["a", "b"]


def test_parts_of_one_task_are_not_near_duplicates_of_it():
    assert left(row("a", LONG), row("b", f"{LONG} please", decomposed_from="a")) == ["a", "b"]


def test_texts_that_occur_more_than_once_are_counted():
    rows = [
        row("a", LONG, "https://a.com/"),
        row("b", LONG, "https://b.com/", source="two"),
        row("c", "x"),
        row("d", "X"),
    ]
    assert clean(set_of("x", rows), TODAY).repeated == (2, 1, 1)


@pytest.mark.parametrize(
    ("given_row", "kind"),
    [
        (row("a", LONG, "https://www.bookdepository.com/"), "dead"),
        (row("a", "Book tickets for the concert on June 3, 2021"), "dead"),
        (row("a", LONG, "https://de.pornhub.com/x"), "unsafe"),
        (row("a", "Enter the credit card number 4111 and buy it"), "unsafe"),
        (row("a", "Log in and read the news"), "login"),
        (row("a", "Show me my order history"), "login"),
        (row("a", LONG, "https://www.linkedin.com/jobs"), "login"),
    ],
)
def test_tasks_nobody_should_attempt_go_by_rule(given_row: TaskRow, kind: str):
    found = clean(set_of("x", [given_row, row("b")]), TODAY)
    assert [(one.task_id, one.kind) for one in found.dropped] == [("a", kind)]
    kept = tuple(one for one in ("dead", "unsafe", "login") if one != kind)
    assert len(clean(set_of("x", [given_row, row("b")]), TODAY, Cleaning(kept)).tasks) == 2


@pytest.mark.parametrize("text", ["Take the quiz without login", "Check the balance of gift card number 5"])
def test_what_only_sounds_like_it_stays(text: str):
    assert left(row("a", text)) == ["a"]


@pytest.mark.parametrize(
    ("text", "relative", "on_the_day"),
    [
        (
            "Book a hotel from March 3rd to March 5th, 2022.",
            "Book a hotel from {{today+14d:short}} to {{today+16d}}.",
            "Book a hotel from June 3 to June 5, 2026.",
        ),
        ("Find a flight on 2024-01-31", "Find a flight on {{today+14d:iso}}", "Find a flight on 2026-06-03"),
        ("Rent a car, 1/31/2024", "Rent a car, {{today+14d:us}}", "Rent a car, 06/03/2026"),
        (
            "Stay January 1-4, 2024",
            "Stay {{today+14d:short}}-{{today+17d}}",
            "Stay June 3-June 6, 2026",
        ),
        (
            "Stay from 30 December to 2 January 2024",
            "Stay from {{today+14d:short}} to {{today+17d}}",
            "Stay from June 3 to June 6, 2026",
        ),
        ("Flights today (Friday, May 3, 2024)", "Flights today ({{today+0d}})", "Flights today (May 20, 2026)"),
    ],
)
def test_dates_of_plans_become_relative_and_keep_their_distances(text: str, relative: str, on_the_day: str):
    changed = made_relative(row("a", text))
    assert changed is not None
    assert (changed.instruction, changed.original) == (relative, text)
    assert with_dates(relative, TODAY) == on_the_day
    assert task_of(changed, TODAY).instruction == on_the_day


@pytest.mark.parametrize(
    "text",
    [
        "What happened on March 5, 2019?",
        "Book a flight on March 5",
        "Book a flight in 2024",
        "Book tickets for the concert on June 3, 2021",
        "Book a flight on February 31, 2024",
        "Compare travel between January 1, 2019 and December 31, 2023",
    ],
)
def test_other_dates_are_left_alone(text: str):
    assert made_relative(row("a", text)) is None


def test_the_rubric_moves_with_the_dates_and_the_old_answer_is_set_aside():
    given_row = row("a", "Book a hotel for March 3, 2022.", answer="Hotel X", rubric=facts(1))
    given_row = TaskRow(
        given_row.task_id,
        given_row.instruction,
        rubric=(type(given_row.rubric[0])(1, "on March 3, 2022", ("The stay begins on 2022-03-03.",)),),
        answer="Hotel X",
    )
    changed = made_relative(given_row)
    assert changed is not None
    assert changed.rubric[0].facts == ("The stay begins on {{today+14d:iso}}.",)
    assert changed.answer is None
    assert extra_of(changed).fields == {ANSWER: "Hotel X"}
    assert task_of(changed, TODAY).rubric[0].facts == ("The stay begins on 2026-06-03.",)


def test_a_day_without_a_year_in_the_rubric_is_a_day_of_the_plan():
    given_row = row(
        "a",
        "Book a flight to Oslo leaving December 30, 2024 and returning January 2, 2025.",
        "https://x.com/",
        rubric=(FactGroup(1, "dates", ("It leaves on December 30.", "It returns on January 2.")),),
    )
    made = made_relative(given_row)
    assert made is not None
    for today in (dt.date(2026, 11, 16), dt.date(2027, 12, 20)):
        returns = with_dates(made.instruction, today).partition("returning ")[2].partition(",")[0]
        assert rubric_with_dates(made.rubric, today)[0].facts[1] == f"It returns on {returns}."


def test_rows_stay_in_order_when_some_of_them_change():
    rows = [row(str(n), f"Book a flight on May {n + 1}, 2022 number {n}" if n % 2 else "") for n in range(9)]
    found = clean(set_of("x", rows), TODAY, Cleaning(duplicates=False))
    assert [one.task_id for one in found.tasks.rows()] == [str(n) for n in range(9)]
    assert found.dated == 4


@given(st.lists(words, min_size=2, max_size=8))
@settings(max_examples=60, deadline=None)
def test_similarity_is_the_share_of_pairs_of_words(texts: list[list[str]]):
    shingles = shingles_of(pa.chunked_array([[" ".join(one) for one in texts]]))
    sets = [set(itertools.pairwise(one)) if len(one) >= FEWEST_WORDS else set() for one in texts]
    left_places, right_places = np.triu_indices(len(texts))
    found = similar(shingles, left_places.astype(np.int64), right_places.astype(np.int64))
    for place, other, value in zip(left_places, right_places, found, strict=True):
        union = sets[place] | sets[other]
        assert value == pytest.approx(len(sets[place] & sets[other]) / len(union) if union else 0)


def test_similar_texts_are_found_among_many():
    many = [f"{LONG} number {n} of a thousand other ones in the list {n * 7}" for n in range(1000)]
    shingles = shingles_of(pa.chunked_array([[*many, f"{many[5]} again"]]))
    pairs = across(shingles, signatures_of(shingles), np.array([1000]), np.arange(1000), 0.9)
    assert 5 in pairs.right.tolist()


def test_many_similar_texts_leave_one():
    rows = [row(str(n), f"{LONG} {'very ' * n} much please") for n in range(2)]
    rows += [row(f"x{n}", f"{LONG}{'!' * n} now") for n in range(300)]
    found = find_duplicates(set_of("x", rows).table)
    assert len(np.unique(found.stands)) == 1


def test_a_text_of_nothing_but_signs_is_itself():
    assert folded(pa.array(["¿?", "\uff21-b", "x"])).to_pylist() == ["¿?", "a b", "x"]
