"""Requests joined into one instruction."""

from __future__ import annotations

import pytest

from webgym.records.task import Task
from webgym.rng import Rng
from webgym_hermetic.catalogue import SITES_PER_FAMILY, site
from webgym_hermetic.registry import FAMILIES
from webgym_hermetic.tasks.generate import tasks_of
from webgym_hermetic.tasks.wording import instruction

VERBS = frozenset(
    """
    RSVP accept activate add adjust answer archive ask block book bookmark bring buy call cancel change check
    clear close comment compare compose contact correct count create delete e-mail edit end file fill filter
    find finish flag follow forward get give go have keep label leave like link log look make mark message move
    name open order pass place plan post press publish purchase put quote rate read record register remove
    replace reply report reschedule reserve restore return review run save say search send set shift show sign
    sort star start submit subscribe switch tag take tell throw turn undo unstar update use vote watch write
    """.split()
)
"""What a request may begin with anywhere."""
PLACES = frozenset("among below for in of on under with".split())
"""What else it may begin with, unless the words before it want a verb."""


def broken_starts(task: Task) -> list[str]:
    """Where the words that open or join the requests do not go with the request that follows."""
    clauses = [group.description for group in task.rubric]
    broken = [clause for clause in clauses if clause.partition(" ")[0] not in VERBS | PLACES]
    opening = task.instruction[: task.instruction.lower().index(clauses[0].lower())]
    if opening and not opening.endswith(": ") and clauses[0].partition(" ")[0] not in VERBS:
        broken.append(task.instruction)
    return broken


def test_every_request_is_in_the_instruction_in_order():
    clauses = ["buy the lamp", "find the return policy", "write a review"]
    text = instruction(clauses, "Brightloom", Rng("w"))
    places = [text.lower().find(clause) for clause in clauses]
    assert -1 not in places
    assert places == sorted(places)


def test_instructions_are_sentences():
    for seed in range(50):
        text = instruction(["open the cart", "tell me the total"], "Brightloom", Rng(seed))
        assert text[0].isupper()
        assert text.endswith(".")
        assert "{" not in text


def test_the_wording_varies():
    assert len({instruction(["open the cart"], "Brightloom", Rng(seed)) for seed in range(50)}) >= 5


def test_a_request_that_begins_with_a_place_is_opened_so_that_it_can_be_read():
    for seed in range(50):
        text = instruction(["in my account, choose the currency"], "Brightloom", Rng(seed))
        assert text.startswith("In my") or text.partition("in my")[0].endswith(": ")


@pytest.mark.parametrize("name", FAMILIES)
def test_instructions_begin_as_people_write_them(name: str):
    for number in (0, 5, 7):
        for task in tasks_of(site(name, number)):
            assert not broken_starts(task), task.instruction


@pytest.mark.full
@pytest.mark.parametrize("name", FAMILIES)
def test_all_instructions_begin_as_people_write_them(name: str):
    broken = [
        start
        for number in range(SITES_PER_FAMILY)
        for task in tasks_of(site(name, number))
        for start in broken_starts(task)
    ]
    assert not broken
