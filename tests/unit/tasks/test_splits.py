"""Test websites never occur in training, under whatever name."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.tasks.rows import facts, row

from webgym.errors import LeakFound, TaskSetError
from webgym.records.task_row import TaskRow
from webgym.tasks.sets import set_of
from webgym.tasks.split.aliases import owner_of, owners_named
from webgym.tasks.split.leaks import check_leaks, find_leaks
from webgym.tasks.split.make import SplitPlan, largest_remainders, make_split
from webgym.tasks.websites import site_of

TEXT = "Find the cheapest red woollen hat of size nine that ships within two days and tell me who makes it"
TESTED = row("t", TEXT, "https://shop.example.com/hats", split="test", rubric=facts(2))


def kinds(*planted: TaskRow) -> list[str]:
    innocent = [row(f"fine{n}", website=f"https://site{n}.org/", split="train") for n in range(5)]
    return [leak.kind for leak in find_leaks(set_of("x", [TESTED, *innocent, *planted]))]


def test_a_clean_split_has_no_leaks():
    assert kinds() == []
    check_leaks(set_of("x", [TESTED]))


@pytest.mark.parametrize(
    ("planted", "kind"),
    [
        (row("x", website="https://example.com/", split="train"), "website"),
        (row("x", website="http://deep.sub.example.com:8080/a", split="train"), "website"),
        (row("x", website="https://EXAMPLE.com./", split="train"), "website"),
        (row("x", website="https://www.example.co.uk/", split="train"), "alias"),
        (row("x", "On example.com, look for a shoe", "https://other.org/", split="train"), "named"),
        (row("x", "Look for a shoe on https://m.example.de/shoes today", split="train"), "named"),
        (row("x", TEXT.upper() + "!", "https://other.org/", split="train"), "text"),
        (row("x", f"{TEXT} please", "https://other.org/", split="train"), "text"),
        (row("x", website="https://other.org/", split="train", decomposed_from="t"), "part"),
        (row("x", website="https://www.example.com/", split="test"), "repeated"),
    ],
)
def test_a_planted_leak_is_caught(planted: TaskRow, kind: str):
    assert kinds(planted) == [kind]
    with pytest.raises(LeakFound, match=f"1 by {kind}") as raised:
        check_leaks(set_of("x", [TESTED, row("fine", split="train"), planted]))
    assert "x leaks t" in str(raised.value)


def test_a_short_text_is_caught_when_it_is_equal():
    tested = row("t", "Find hats", "https://a.com/", split="test")
    trained = row("x", "find HATS.", "https://b.com/", split="train")
    assert [leak.kind for leak in find_leaks(set_of("x", [tested, trained]))] == ["text"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://www.amazon.com/", "https://smile.amazon.co.uk/"),
        ("https://youtu.be/x", "https://m.youtube.com/"),
        ("https://twitter.com/", "https://x.com/"),
        ("https://www.americanairlines.cn/", "https://aa.com/"),
    ],
)
def test_other_names_of_a_website_are_known(one: str, other: str):
    assert owner_of(site_of(one)) == owner_of(site_of(other))


def test_different_websites_are_told_apart():
    urls = ["https://a.github.io/", "https://b.github.io/", "http://one.localhost/", "http://two.localhost/"]
    assert len({owner_of(site_of(url)) for url in [*urls, "http://10.0.0.1/", "http://10.0.0.2/"]}) == 6


SUFFIXES = ("gov.uk", "nhs.uk", "bbc.co.uk")
"""Websites; the first two are also public suffixes."""


def suffixes_and_www() -> list[TaskRow]:
    tested = [row(f"test{n}", website=f"https://{host}/", split="test") for n, host in enumerate(SUFFIXES)]
    return tested + [row(f"www{n}", website=f"https://www.{host}/x", split="train") for n, host in enumerate(SUFFIXES)]


def test_a_public_suffix_that_is_a_website_is_the_same_one_with_www():
    assert [site_of(f"https://www.{host}/") for host in SUFFIXES] == list(SUFFIXES)
    leaks = find_leaks(set_of("x", suffixes_and_www()))
    assert [(leak.kind, leak.task_id, leak.test_task_id) for leak in leaks] == [
        ("website", f"www{n}", f"test{n}") for n in range(3)
    ]
    assert owners_named("Go to gov.uk or to https://www.gov.uk/x") == {owner_of("gov.uk")}
    assert site_of("https://www.kawasaki.jp/") == site_of("https://kawasaki.jp/")  # all names below it are suffixes
    assert site_of("https://www.com/") == "www.com"  # a website of its own: nobody is at com


def test_public_suffixes_of_different_countries_are_different_websites():
    hosts = ["www.gov.uk", "www.gov.au", "www.nhs.uk", "gov.br", "www.github.io"]
    assert len({owner_of(site_of(f"https://{host}/")) for host in hosts}) == 5
    rows = [row(f"t{n}", website=f"https://{host}/", rubric=facts(1)) for n, host in enumerate(hosts)]
    made = make_split(set_of("x", rows), SplitPlan(3))
    assert not made.aside


def test_hosts_are_found_in_texts_and_nothing_else_is():
    assert owners_named("Go to shop.example.co.uk, then e.g. write to me@example.org. Version 1.2.3 ends.") == {
        "example"
    }


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://münchen.de/", "https://www.xn--mnchen-3ya.de/"),
        ("https://straße.de/", "https://xn--strae-oqa.de/"),
        ("https://www.faß.at/", "https://xn--fa-hia.at:8443/"),
        ("https://Пример.рф/", "https://xn--e1afmkfd.xn--p1ai/"),
    ],
)
def test_a_website_is_the_same_one_in_its_own_letters_and_as_browsers_write_it(one: str, other: str):
    assert site_of(one) == site_of(other)


@pytest.mark.parametrize(
    ("text", "owner"),
    [
        ("Was kostet es auf www.münchen.de heute?", "xn--mnchen-3ya"),
        ("Open https://xn--e1afmkfd.xn--p1ai/ and look.", "xn--e1afmkfd"),
        ("Открой пример.рф.", "xn--e1afmkfd"),
        ("在amazon.com上查找帽子", "amazon"),
        ("See _amazon.com_ for it.", "amazon"),
    ],
)
def test_hosts_are_found_in_other_letters_and_between_them(text: str, owner: str):
    assert owner in owners_named(text)


def test_a_training_task_that_names_a_test_website_in_other_letters_leaks():
    tasks = set_of(
        "x",
        [
            row("a", "Find the hats.", "https://xn--mnchen-3ya.de/", rubric=facts(1), split="test"),
            row("b", "Was steht auf münchen.de über Hüte?", "https://other.com/", rubric=facts(1), split="train"),
        ],
    )
    assert [leak.kind for leak in find_leaks(tasks)] == ["named"]


urls = st.sampled_from(
    [f"https://{sub}s{n}.{top}/" for sub in ("", "www.", "m.") for n in range(8) for top in ("com", "co.uk")]
)
texts = st.lists(st.sampled_from("find buy red blue hat shoe now s3.com please".split()), min_size=1, max_size=9)
rows = st.lists(st.tuples(texts, urls | st.just(""), st.integers(0, 8)), min_size=1, max_size=40)


@given(rows, st.integers(1, 4), st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_whatever_is_split_does_not_leak(given_rows: list[tuple[list[str], str, int]], tests: int, seed: int):
    tasks = set_of(
        "x", [row(str(n), " ".join(words), url, rubric=facts(m)) for n, (words, url, m) in enumerate(given_rows)]
    )
    try:
        made = make_split(tasks, SplitPlan(tests, seed))
    except TaskSetError:
        assert len({owner_of(site_of(url)) for _, url, m in given_rows if url and m}) < tests
        return
    except LeakFound:
        pytest.fail("it leaks")
    found = list(made.tasks.rows())
    tested = [one for one in found if one.split == "test"]
    assert len(tested) == tests
    assert len({owner_of(site_of(one.website)) for one in tested}) == tests
    assert len(found) + len(made.aside) == len(given_rows)
    assert find_leaks(made.tasks) == []


def many() -> list[TaskRow]:
    levels = [1] * 14 + [5] * 4 + [9] * 2
    return [
        row(
            str(n),
            f"Do thing number {n} of {n * 31} which is unlike {n * 17} and others at all",
            f"https://site{n % 150}.com/",
            rubric=facts(levels[n % 20]),
            domain="Travel" if n % 4 == 0 else "Shopping",
        )
        for n in range(600)
    ]


def test_levels_and_domains_are_tested_in_their_proportions():
    made = make_split(set_of("x", many()), SplitPlan(100))
    tested = [one for one in made.tasks.rows() if one.split == "test"]
    levels = Counter(one.level for one in tested)
    assert levels["easy"] == pytest.approx(70, abs=2)
    assert levels["medium"] == pytest.approx(20, abs=2)
    assert levels["hard"] == pytest.approx(10, abs=2)
    assert Counter(one.domain for one in tested)["Travel"] == pytest.approx(25, abs=2)


def test_a_split_is_the_same_for_the_same_seed_and_another_for_another():
    def tested(seed: int) -> list[str]:
        return [
            one.task_id
            for one in make_split(set_of("x", many()), SplitPlan(50, seed)).tasks.rows()
            if one.split == "test"
        ]

    assert tested(1) == tested(1)
    assert tested(1) != tested(2)


@pytest.mark.parametrize("seed", range(10))
def test_parts_of_what_a_test_task_is_of_are_set_aside(seed: int):
    whole = [row(f"t{n}", website=f"https://site{n}.com/", rubric=facts(1)) for n in range(6)]
    parts = [row(f"part{n}", website=f"https://other{n}.com/", rubric=facts(1), decomposed_from="t0") for n in range(2)]
    made = make_split(set_of("x", [*whole, *parts]), SplitPlan(3, seed))
    family = {"t0", "part0", "part1"}
    tested = {one.task_id for one in made.tasks.rows() if one.split == "test"}
    assert {one.task_id for one in made.aside} == (family - tested if family & tested else set())
    assert {one.reason for one in made.aside} <= {"a part of the same task as a test task"}


def test_large_websites_stay_in_training():
    rows = [row(f"big{n}", website="https://big.com/", rubric=facts(1)) for n in range(9)]
    rows += [row(f"small{n}", website=f"https://small{n}.com/", rubric=facts(1)) for n in range(3)]
    made = make_split(set_of("x", rows), SplitPlan(3, most_per_site=5))
    assert {one.task_id[:3] for one in made.tasks.rows() if one.split == "test"} == {"sma"}
    with pytest.raises(TaskSetError, match="only 3 websites can have a test task, not 4"):
        make_split(set_of("x", rows), SplitPlan(4, most_per_site=5))


@given(st.lists(st.integers(0, 50), min_size=1, max_size=8), st.integers(0, 100))
def test_shares_add_up(weights: list[int], total: int):
    shares = largest_remainders(weights, total)
    assert sum(shares) == (total if sum(weights) else 0)
    assert all(
        abs(share - weight * total / max(1, sum(weights))) < 1 for share, weight in zip(shares, weights, strict=True)
    )
