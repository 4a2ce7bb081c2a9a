"""The rule by which tasks are cut, on rubrics of every shape."""

from __future__ import annotations

import itertools
import time

from hypothesis import given, settings
from hypothesis import strategies as st

from webgym.records.task import FactGroup
from webgym.records.task_row import TaskRow
from webgym.tasks.decompose.alike import SeenTasks
from webgym.tasks.decompose.rule import can_be_cut, parts_of

FACTS = st.lists(st.sampled_from([f"Fact {n} holds." for n in range(12)] + ["fact 3 HOLDS", "事実。"]), max_size=5)


@st.composite
def rubrics(draw: st.DrawFn) -> tuple[FactGroup, ...]:
    lists = draw(st.lists(FACTS.filter(bool), max_size=7))
    return tuple(FactGroup(number, f"group {number}", tuple(facts)) for number, facts in enumerate(lists, start=1))


def distinct(sizes: list[int]) -> tuple[FactGroup, ...]:
    return tuple(
        FactGroup(n, f"group {n}", tuple(f"Fact {n}.{one} holds." for one in range(size)))
        for n, size in enumerate(sizes, start=1)
    )


@given(rubrics(), st.integers(1, 80))
@settings(max_examples=300, deadline=None)
def test_nothing_that_breaks_the_rule_is_produced(rubric: tuple[FactGroup, ...], most: int):
    parts = parts_of(rubric, most)
    cuttable = len(rubric) >= 2 and any(len(group.facts) >= 3 for group in rubric)
    assert can_be_cut(rubric) == cuttable
    assert cuttable or parts == ()
    assert len(parts) <= most
    assert len(set(parts)) == len(parts)
    for places in parts:
        assert list(places) == sorted(set(places))
        assert 0 < len(places) < len(rubric)
        assert all(0 <= place < len(rubric) for place in places)
        assert any(len(rubric[place].facts) >= 3 for place in places)


@given(rubrics())
@settings(max_examples=200, deadline=None)
def test_no_two_parts_ask_for_the_same_and_none_for_everything(rubric: tuple[FactGroup, ...]):
    def asked(places: tuple[int, ...]) -> frozenset[str]:
        return frozenset(fact.lower().strip(".") for place in places for fact in rubric[place].facts)

    found = [asked(places) for places in parts_of(rubric, 80)]
    assert len(set(found)) == len(found)
    assert asked(tuple(range(len(rubric)))) not in found


@given(st.lists(st.integers(1, 5), min_size=1, max_size=6))
@settings(max_examples=200, deadline=None)
def test_without_a_cap_every_part_of_the_rule_is_there(sizes: list[int]):
    rubric = distinct(sizes)
    places = range(len(sizes))
    expected = {
        part
        for size in range(1, len(sizes))
        for part in itertools.combinations(places, size)
        if any(sizes[place] >= 3 for place in part)
    }
    assert set(parts_of(rubric, 1000)) == expected


def test_a_cap_leaves_small_and_large_parts():
    assert parts_of(distinct([3, 1, 1, 4]), 4) == ((0,), (3,), (0, 1, 2), (0, 1, 3))
    assert parts_of(distinct([3, 1]), 9) == ((0,),)
    assert parts_of(distinct([2, 2, 2]), 9) == ()
    assert parts_of(distinct([7]), 9) == ()


def test_a_task_of_sixty_groups_cannot_explode():
    began = time.process_time()
    assert len(parts_of(distinct([1] * 59 + [3]), 64)) == 64
    same = tuple(FactGroup(n, "", ("A.", "B.", "C.")) for n in range(60))
    assert parts_of(same, 64) == ()
    assert time.process_time() - began < 2


def test_a_part_that_another_task_of_the_website_asks_for_is_known():
    one = TaskRow("1", "Find A, B and C", "https://a.com/", (FactGroup(1, "", ("A.", "B.", "C.")),))
    seen = SeenTasks([one])
    assert seen.has_facts("https://a.com/", ["c", "B", "A"])
    assert not seen.has_facts("https://b.com/", ["A.", "B.", "C."])
    assert not seen.add(TaskRow("2", "find a; b and C!", "https://a.com/"))
    assert seen.add(TaskRow("3", "Find A", "https://a.com/"))
