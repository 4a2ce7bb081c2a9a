"""What a written rubric, website and domain must be like."""

from __future__ import annotations

import pytest

from webgym.llm.paid_reply import PaidReply
from webgym.llm.structured import schema_of
from webgym.records.task_row import TaskRow
from webgym.run.task_sets.enrich.fill import Enrichment, filled_in
from webgym.run.task_sets.enrich.rubric import WrittenGroup, rubric_of
from webgym.run.task_sets.enrich.taxonomy import DOMAIN_OF, TAXONOMY
from webgym.run.task_sets.writing.structured import Unusable

TASK = 'Find two hotels in Rome under $1,200 for May 5, 2026, rated "very good", on booking.com'


def group(*facts: str) -> WrittenGroup:
    return WrittenGroup("hotels", list(facts))


@pytest.mark.parametrize(
    "fact",
    [
        "The answer names 2 hotels.",
        "The price is below 1200 dollars.",
        "The price is below $1,200.00.",
        "The stay begins on May 05, 2026.",
        "The hotel is rated “Very good”.",
        "The page is one of booking.com.",
    ],
)
def test_what_the_task_says_in_other_signs_is_not_invented(fact: str):
    assert rubric_of([group(fact)], TASK)[0].facts == (fact,)


@pytest.mark.parametrize(
    ("fact", "why"),
    [
        ("The answer names 3 hotels.", "number 3"),
        ("The stay begins in 2025.", "number 2025"),
        ('The hotel is called "Artemide".', "quotes 'Artemide'"),
        ("The page is one of expedia.com.", "names expedia.com"),
        ("x" * 401, "too long"),
        (" ", "empty"),
    ],
)
def test_what_the_task_does_not_say_is_told(fact: str, why: str):
    with pytest.raises(Unusable, match=why):
        rubric_of([group(fact)], TASK)


def test_facts_that_say_the_same_are_told_and_those_that_differ_in_a_number_are_not():
    with pytest.raises(Unusable, match="overlap"):
        rubric_of([group("The hotel is in Rome."), group("the hotel is in rome")], TASK)
    text = "Find flights at 8, 9"
    assert rubric_of(
        [group("The flight of the day leaves at exactly 8.", "The flight of the day leaves at exactly 9.")], text
    )


def test_a_rubric_needs_groups_and_not_too_many():
    with pytest.raises(Unusable, match="no groups"):
        rubric_of([], TASK)
    with pytest.raises(Unusable, match="no task needs so many"):
        rubric_of([group(f"Fact {chr(97 + n)} holds.") for n in range(21)], TASK)


def test_the_taxonomy_has_6_domains_and_24_subdomains():
    assert (len(TAXONOMY), len(DOMAIN_OF)) == (6, 24)


@pytest.mark.parametrize(
    ("website", "domain", "subdomain", "why"),
    [
        ("", "Entertainment", "Music", "null"),
        ("not a site", "Entertainment", "Music", "no address"),
        ("https://intranet.madeupsuffix/", "Entertainment", "Music", "public web"),
        ("https://a.com", "Entertainment", "Shopping", "stands under"),
        ("https://a.com", "Entertainment", "Opera", "no subdomain"),
    ],
)
def test_websites_and_domains_are_checked(website: str, domain: str, subdomain: str, why: str):
    import msgspec

    reply = msgspec.json.encode(Enrichment(website, domain, subdomain, None)).decode()
    said = PaidReply("k", "1", "enrich", "m", reply, "stop", 1, 1)
    row = TaskRow("1", "Do it")
    with pytest.raises(Unusable, match=why):
        filled_in(row, row, ("website", "domain"), said)


def test_the_schema_is_one_that_strict_servers_take():
    schema = schema_of(Enrichment)
    assert schema["type"] == "object"
    groups = schema["$defs"]["WrittenGroup"]
    assert groups["additionalProperties"] is schema["additionalProperties"] is False
    assert set(groups["required"]) == set(groups["properties"])
