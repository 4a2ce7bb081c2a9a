"""What people say, beside what the judge says."""

from __future__ import annotations

import pytest
from tests.unit.viewer.made_rows import row

from webgym.errors import RequestError
from webgym.records.label import FactRef, Label
from webgym.viewer.labels import overrules, standing
from webgym.viewer.query import Query, facets, read_query, select

FACT = FactRef(1, 0)


def said(verdict, shown="", who="ann", about=None, attempt="a-1"):
    return Label(attempt, verdict, who, 1.0, about, "why", shown)


@pytest.mark.parametrize(
    ("word", "shown", "does"),
    [
        ("failure", "success", True),
        ("success", "failure", True),
        ("success", "judge_unknown", True),
        ("blocked", "failure", True),
        ("failure", "truncated", False),
        ("failure", "failure", False),
        ("unsure", "success", False),
        ("withdrawn", "success", False),
        ("contradicted", "supported", True),
        ("not_shown", "contradicted", False),
        ("supported", "abstain", True),
        ("supported", "", False),
    ],
)
def test_a_word_overrules_if_it_changes_what_counts(word, shown, does):
    assert overrules(word, shown) is does


def test_an_attempt_tells_what_stands_and_by_whom():
    found = standing(
        [
            said("success", "success"),
            said("failure", "success"),  # newer
            said("contradicted", "supported", about=FACT),
            said("supported", "supported", "ben", FactRef(2, 0)),
        ]
    )["a-1"]
    assert (found.whole, found.overruled, found.facts) == (("failure",), True, 1)
    assert set(found.people) == {"ann", "ben"}
    assert found.tags == ("labelled", "overruled")


def test_people_disagree_if_what_they_say_comes_to_something_else():
    assert "disagree" in standing([said("failure", "success"), said("success", "success", "ben")])["a-1"].tags
    alike = [said("contradicted", "supported", about=FACT), said("not_shown", "supported", "ben", FACT)]
    assert "disagree" not in standing(alike)["a-1"].tags
    unsure = [said("failure", "failure"), said("unsure", "failure", "ben")]
    assert "disagree" not in standing(unsure)["a-1"].tags


def test_judges_that_differ_are_told_where_nobody_labelled():
    found = standing([], ["a-2"])["a-2"]
    assert found.tags == ("unlabelled", "disagree")
    assert found.people == ()


def test_what_was_taken_back_leaves_nothing():
    assert standing([said("failure", "success"), said("withdrawn", "success")]) == {}


ROWS = [row(number) for number in range(1, 5)]
SAID = standing([said("failure", "success"), said("success", "success", attempt="a-2")], ["a-3"])


@pytest.mark.parametrize(
    ("asked", "ids"),
    [
        (("overruled",), ["a-1"]),
        (("labelled",), ["a-1", "a-2"]),
        (("disagree",), ["a-3"]),
        (("unlabelled",), ["a-3", "a-4"]),
        (("overruled", "disagree"), ["a-1", "a-3"]),
    ],
)
def test_attempts_are_filtered_by_what_people_did_about_them(asked, ids):
    assert [one.attempt_id for one in select(ROWS, Query(label=asked), SAID)] == ids


def test_each_choice_says_how_many_attempts_it_leaves():
    counts = {one.value: one.count for one in facets(ROWS, Query(label=("overruled",)), SAID)["label"]}
    assert counts == {"overruled": 1, "labelled": 2, "disagree": 1, "unlabelled": 2}


def test_nothing_else_can_be_asked_of_labels():
    with pytest.raises(RequestError, match="overruled"):
        read_query({"label": ["wrong"]})
