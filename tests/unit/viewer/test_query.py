"""Filters, order and pages of attempts."""

from __future__ import annotations

import pytest
from tests.unit.viewer.made_rows import row

from webgym.errors import RequestError
from webgym.viewer.query import PAGE, facets, page_of, read_query, select

ROWS = [
    row(1, "success", site="shop.test", level="easy", instruction="Buy a blue kettle"),
    row(2, "failure", site="mail.test", level="hard", answer="three letters", last_action="type"),
    row(3, "truncated", site="shop.test", level="hard", detail="steps", steps=30),
    row(4, None, site="shop.test", last_action=""),
]


def ids(**params: str | list[str]) -> list[str]:
    given = {name: value if isinstance(value, list) else [value] for name, value in params.items()}
    return [found.attempt_id for found in select(ROWS, read_query(given))]


def test_without_filters_every_attempt_is_there_in_the_order_they_began():
    assert ids() == ["a-1", "a-2", "a-3", "a-4"]


@pytest.mark.parametrize(
    ("params", "found"),
    [
        ({"outcome": "failure"}, ["a-2"]),
        ({"outcome": ["failure", "truncated"]}, ["a-2", "a-3"]),
        ({"outcome": "unfinished"}, ["a-4"]),
        ({"site": "shop.test", "level": "hard"}, ["a-3"]),
        ({"last": "type"}, ["a-2"]),
        ({"missed": "1"}, ["a-2", "a-3"]),
        ({"detail": "steps"}, ["a-3"]),
        ({"steps": "3"}, []),
        ({"steps": "20-"}, ["a-3"]),
        ({"steps": "1-2"}, ["a-1", "a-2"]),
        ({"text": "KETTLE blue"}, ["a-1"]),
        ({"text": "letters"}, ["a-2"]),
        ({"task": "task-3"}, ["a-3"]),
    ],
)
def test_a_filter_leaves_what_is_asked_for(params, found):
    assert ids(**params) == found


def test_a_sign_turns_the_order_round():
    assert ids(sort="steps") == ["a-1", "a-2", "a-4", "a-3"]
    assert ids(sort="-steps")[0] == "a-3"


@pytest.mark.parametrize("params", [{"sort": "__class__"}, {"page": "-1"}, {"page": "x"}, {"steps": "many"}])
def test_what_makes_no_sense_is_refused(params):
    with pytest.raises(RequestError):
        ids(**params)


def test_each_filter_counts_what_the_others_leave():
    found = facets(ROWS, read_query({"site": ["shop.test"], "outcome": ["success"]}))
    assert {one.value: one.count for one in found["outcome"]} == {
        "success": 1, "truncated": 1, "unfinished": 1, "failure": 0,
    }  # fmt: skip
    assert {one.value: one.count for one in found["site"]} == {"shop.test": 1, "mail.test": 0}


def test_pages_follow_each_other_without_a_gap():
    rows = [row(number) for number in range(PAGE + 5)]
    first, second = (page_of(rows, read_query({"page": [page]})) for page in ("0", "1"))
    assert [one.attempt_id for one in (*first, *second)] == [one.attempt_id for one in rows]
