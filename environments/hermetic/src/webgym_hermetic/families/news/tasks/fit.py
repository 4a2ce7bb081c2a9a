"""Checks that errands can be combined: no errand's answer may be mistaken for another's."""

from __future__ import annotations

from webgym_hermetic.errand import End, Errand
from webgym_hermetic.families.news.errands.compare import CompareArticles, CompareYears
from webgym_hermetic.families.news.errands.lists import TellCheapest, TellListing
from webgym_hermetic.families.news.errands.marks import Vote
from webgym_hermetic.families.news.errands.seek import FilterSearch
from webgym_hermetic.families.news.errands.tables import CompareBoard, TellBoard
from webgym_hermetic.families.news.errands.tell import TellAuthor, TellDetails, TellLatest
from webgym_hermetic.families.news.records import World

_TELLING = (
    TellDetails,
    TellAuthor,
    TellLatest,
    TellBoard,
    CompareBoard,
    CompareArticles,
    CompareYears,
    TellListing,
    TellCheapest,
)


def fitting(world: World, *errands: Errand | None) -> tuple[Errand, ...] | None:
    """The errands, if each right answer is taken for right and each wrong one for wrong among the others."""
    chosen = tuple(errand for errand in errands if errand is not None)
    if len(chosen) < len(errands):
        return None
    if not all(_true(world, one, fact, chosen) for one in chosen for fact in _told(world, one)):
        return None
    for place, errand in enumerate(chosen):
        for fact in _told(world, errand):
            spoilt = (*chosen[:place], errand.spoil(fact, world), *chosen[place + 1 :])
            for one in chosen:
                for other in _told(world, one):
                    if _true(world, one, other, spoilt) != ((one, other) != (errand, fact)):
                        return None
    return chosen


def _told(world: World, errand: Errand) -> tuple[str, ...]:
    """Facts that the answer decides."""
    if isinstance(errand, _TELLING):
        return tuple(fact.name for fact in errand.facts(world))
    if isinstance(errand, FilterSearch):
        return ("top",)
    return ("leader",) if isinstance(errand, Vote) and errand.leader else ()


def _true(world: World, errand: Errand, fact: str, told_by: tuple[Errand, ...]) -> bool:
    said = " ".join(text for one in told_by if (text := one.answer(world)))
    return errand.holds(fact, End(world, None, (), said))
