"""Why attempts fail, in groups."""

from __future__ import annotations

import pytest
from tests.unit.viewer.made_rows import row

from webgym.viewer.failures import EXAMPLES, failures, step_range
from webgym.viewer.query import read_query, select

ROWS = [
    *(row(number, "success") for number in range(1, 4)),
    *(row(number, "failure", last_action="answer", site="mail.test") for number in range(4, 12)),
    row(12, "truncated", detail="loop"),
    row(13, "infrastructure", detail="session_lost"),
    row(14, None),
]


def groups_of(name: str):
    return {group.value: group for reason in failures(ROWS).reasons if reason.name == name for group in reason.groups}


def test_what_is_not_over_and_what_succeeded_is_no_failure():
    found = failures(ROWS)
    assert (found.count, found.of) == (10, 13)


def test_the_largest_group_comes_first_with_examples():
    kinds = groups_of("outcome")
    assert list(kinds) == ["failure", "infrastructure", "truncated"]
    assert [one.attempt_id for one in kinds["failure"].examples] == [f"a-{number}" for number in range(4, 4 + EXAMPLES)]


def test_a_group_says_how_many_attempts_of_its_kind_there_are():
    assert (groups_of("site")["shop.test"].count, groups_of("site")["shop.test"].of) == (2, 5)


@pytest.mark.parametrize("name", ["outcome", "detail", "missed", "last", "steps", "site"])
def test_every_group_leads_to_exactly_its_attempts(name):
    for value, group in groups_of(name).items():
        if value == "":
            continue  # nothing to ask for
        asked = read_query({name: [value], "outcome": ["failure", "truncated", "infrastructure"]} | {name: [value]})
        failed = [one for one in select(ROWS, asked) if one.outcome not in ("success", None)]
        assert len(failed) == group.count


def test_step_counts_fall_into_ranges_without_gaps():
    ranges = [step_range(steps) for steps in range(60)]
    assert ranges[:10] == ["0", "1", "2", "3-4", "3-4", "5-8", "5-8", "5-8", "5-8", "9-12"]
    assert ranges[55] == "51-"
