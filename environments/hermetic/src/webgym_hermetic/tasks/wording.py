"""Joins the clauses of goals into one instruction."""

from __future__ import annotations

from collections.abc import Sequence

from webgym.rng import Rng

_OPENINGS = (
    "",
    "",
    "On {brand}, ",
    "On {brand}, ",
    "Using {brand}, ",
    "Please ",
    "I need you to ",
    "On the {brand} website, ",
)
"""Openings for clauses that start with a verb."""
_PLACED_OPENINGS = ("", "", "On {brand}: ", "A request for {brand}: ", "Here is a task for {brand}: ")
"""Openings for clauses that start with a preposition, where "On ..., in ..." or "Please in ..." would read badly."""
_PLACES = frozenset(("among", "below", "for", "from", "in", "of", "on", "under", "with"))
"""Prepositions that clauses start with."""
_SECOND = ("Then ", "After that, ", "Also ", "Next, ", "When that is done, ", "Once you have done that, ")
_MIDDLE = ("Then ", "Next, ", "After that, ", "Also ", "Besides that, ")
_LAST = ("Finally, ", "Lastly, ", "And finally, ", "At the end, ", "One more thing: ")


def instruction(clauses: Sequence[str], brand: str, rng: Rng) -> str:
    """Return one instruction that asks for all clauses, in this order."""
    openings = _PLACED_OPENINGS if clauses[0].partition(" ")[0] in _PLACES else _OPENINGS
    parts = [_sentence(rng.pick(openings).format(brand=brand) + clauses[0])]
    for index, clause in enumerate(clauses[1:], start=2):
        links = _SECOND if len(clauses) == 2 else _LAST if index == len(clauses) else _MIDDLE
        parts.append(_sentence(rng.pick(links) + clause))
    return " ".join(parts)


def _sentence(text: str) -> str:
    ended = text if text.endswith((".", "?", "!")) else f"{text}."
    return ended[0].upper() + ended[1:]
