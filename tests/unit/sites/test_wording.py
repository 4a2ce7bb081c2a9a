"""Requests joined into one instruction."""

from __future__ import annotations

from webgym.sites.rng import Rng
from webgym.sites.tasks.wording import instruction


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
